//! The program: `-` is standard input for every file that a command reads, once.

use super::*;

fn piped(folder: &Folder, words: &str, file: &str) -> Run {
    let input = std::fs::File::open(folder.path(file)).expect("readable");
    Run::of(folder.command(words).stdin(input))
}

/// What a file gives, standard input gives, too.
#[test]
fn every_reader_takes_it() {
    let folder = Folder::with("demo.json odd.json grid.toml lublin.toml sweep.toml x.swf");
    folder.run("solve demo.json --certificate cert.json -o solution.json --format json").ends(0);
    folder.run("export demo.json -k 6 -o p.cnf").ends(0);
    folder.run("decide demo.json -k 6 --encoding adder -o answer").ends(10);
    folder.run("solve odd.json --strategy sat --certificate odd.cert -o table").ends(0);
    folder.write("ready.txt", "0 0 9");
    for (words, file) in [
        ("verify demo.json {}", "cert.json"),
        ("verify demo.json {}", "solution.json"),
        ("verify {} cert.json", "demo.json"),
        ("compare {} --no-times -a mct", "demo.json"),
        ("compare {} --no-times --policy own,mct", "grid.toml"),
        ("compare {} --no-times --policy own,easy", "lublin.toml"),
        ("simulate {} --no-times", "grid.toml"),
        ("simulate {} --no-times", "lublin.toml"),
        ("solve demo.json --ready {} --no-times", "ready.txt"),
        ("decode demo.json answer --problem {}", "p.cnf"),
        ("export odd.json --certificate {}", "odd.cert"),
        ("map {} --no-times", "odd.json"),
    ] {
        let plain = folder.run(&words.replace("{}", file)).ends(0).out;
        let run = piped(&folder, &words.replace("{}", "-"), file);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{words} {file}: {run:?}");
        // Without a name of its own the instance or scenario has that of its file.
        let stem = file.split('.').next().unwrap_or_default();
        let anonymous = |text: &str| text.replace("stdin", "*").replace(stem, "*");
        assert_eq!(anonymous(&run.out), anonymous(&plain), "{words}");
    }
    piped(&folder, "compare - --no-times", "x.swf").fails(2, &["stdin: a trace", ".swf"]);
    piped(&folder, "verify demo.json -", "demo.json").fails(2, &["stdin: this is an instance"]);
    piped(&folder, "verify demo.json -", "odd.cert").ends(1);
    let run = piped(&folder, "experiment - -r 1 --algorithms mct --result r.jsonl", "sweep.toml");
    assert_eq!(run.code, Some(0), "{run:?}");
}

#[test]
fn once_only() {
    let folder = folder();
    for (words, part) in [
        ("verify - -", "FILE and CERT are both '-'"),
        ("solve - -", "FILE is '-' twice"),
        ("solve - --ready -", "FILE and --ready are both '-'"),
        ("decode - -", "FILE and ANSWER are both '-'"),
        ("decode demo.json - --problem -", "--problem and ANSWER are both '-'"),
        ("report - -", "RESULT is '-' twice"),
    ] {
        folder.run(words).fails(2, &[part, "once only"]);
    }
}

#[test]
fn manifests_are_checked_as_other_files_are() {
    let folder = Folder::with("demo.json grid.toml");
    let manifest = std::fs::read(project("crates/lab/src/bench/manifest.json")).expect("there");
    folder.write("set.json", manifest);
    let words = "--only jobcorr_16x4_1 -a mct --no-times --format csv";
    let plain = folder.run(&format!("bench --set set.json {words}")).ends(0).out;
    assert_eq!(piped(&folder, &format!("bench --set - {words}"), "set.json").ends(0).out, plain);
    folder
        .run("bench --set demo.json")
        .fails(2, &["demo.json: this is an instance, not a manifest"]);
    folder.run("bench --set grid.toml").fails(2, &["this is a scenario", "gridsat simulate"]);
    folder.run("solve set.json").fails(2, &["this is a manifest", "gridsat bench --set"]);
}
