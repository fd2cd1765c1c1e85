//! Invalid input: every command reports it in one line.

use super::*;

/// File name, content, and what the error line must contain besides the name.
const FILES: &[(&str, &[u8], &[&str])] = &[
    ("ragged.json", br#"{"etc": [[1, 2], [3]]}"#, &[":1:", "task 1"]),
    ("negative.json", br#"{"etc": [[1, -2]]}"#, &[":1:14:", "-2"]),
    ("nan.json", b"{\"etc\": [[1,\n NaN]]}", &[":2:2:", "NaN"]),
    ("word.csv", b"1,2\n3,two\n", &[":2:3:", "two"]),
    ("mixed.csv", b"1.5;2\n3;4,5\n", &[":2:3:", "4,5", "decimal comma"]),
    ("no-tasks.json", br#"{"etc": []}"#, &["no tasks"]),
    ("no-hosts.json", br#"{"etc": [[]]}"#, &["no hosts"]),
    ("nowhere.json", br#"{"etc": [[1], [null]]}"#, &[":1:", "task 1"]),
    ("huge.json", br#"{"etc": [[99999999999999999999]]}"#, &[":1:11:", "9999999999"]),
    ("fine.json", br#"{"etc": [[4000000000000000000, 0.01]]}"#, &["4000000000000000000"]),
    ("sum.json", br#"{"etc": [[4000000000000000000], [4000000000000000000]]}"#, &["too large"]),
    ("key.json", br#"{"etc": [[1]], "speed": 2}"#, &[":1:", "'speed'"]),
    ("twice.json", br#"{"etc": [[1]], "etc": [[1]]}"#, &[":1:", "'etc'"]),
    ("names.json", br#"{"etc": [[1]], "hosts": ["a", "b"]}"#, &["2 names for 1 hosts"]),
    ("same.json", br#"{"etc": [[1, 1]], "hosts": ["a", "a"]}"#, &["'a'"]),
    ("word.json", br#"{"etc": [[1, "x"]]}"#, &[":1:14:", "x"]),
    ("escape.json", b"{\"etc\": [[1, \"\\u001b[31m\"]]}", &[":1:14:"]),
    ("raw-escape.json", b"{\"etc\": [[1, \x1b[31m]]}", &[":1:14:"]),
    ("list.json", b"[[1]]", &[":1:1:"]),
    ("empty.json", b"", &["end of file"]),
    ("cut.json", br#"{"etc": [[1, 2"#, &["end of file"]),
    ("bytes.json", b"{\xff}", &["UTF-8"]),
    ("half.json", b"\xff\xfe\x00", &["UTF-16"]),
    ("wide.json", br#"{"etc": [[1e-300, 1e300]]}"#, &[":1:19:", "1e300", "larger unit"]),
    (
        "tiny.json",
        br#"{"etc": [[1e-300, 1]]}"#,
        &[":1:11:", "1e-300", "6 of its digits", "--decimals 18"],
    ),
    ("grid.toml", b"seed = 1\n[[resource]]\nname = 'a'\n", &["a scenario", "gridsat simulate"]),
    ("sweep.toml", b"[base]\nsubject = 'queue'\n", &["an experiment", "gridsat experiment"]),
    ("grid.json", br#"{"resource": []}"#, &["a scenario", "gridsat simulate"]),
    ("mapping.json", b"[0, 1, 0]", &["a mapping", "gridsat verify"]),
    (
        "mapping.csv",
        b"task,task_name,host,host_name,time,start,end\n0,a,1,b,2,0,2\n",
        &["a mapping"],
    ),
    ("a.cnf", b"c x\np cnf 1 1\n1 0\n", &["another solver", "gridsat decode"]),
    ("log.swf", b"; Version: 2.2\n", &["a job trace", "gridsat simulate"]),
    ("book.csv", b"PK\x03\x04\x14\x00", &["spreadsheet", "CSV"]),
    ("zipped.csv", b"\x1f\x8b\x08\x00", &["compressed"]),
    ("ragged.csv", b"a,b\n1,2\n3\n", &[":3:", "task 1"]),
    ("quote.csv", b"a,b\n1,\"2\n", &["quote"]),
    ("empty.csv", b"", &[]),
    ("short.hcsp", b"2 2\n1\n2\n3\n", &["3 times", "expected 2 x 2"]),
    ("word.hcsp", b"1 2\n1\ntwo\n", &[":3:1:", "two"]),
    ("word.txt", b"many\n", &[":1:1:", "many"]),
    ("instance.xyz", b"1 2\n", &["--from"]),
];

#[test]
fn every_bad_file_gets_one_line_and_leaves_nothing() {
    for (name, content, parts) in FILES {
        let folder = Folder::default();
        folder.write(name, content);
        let run = folder
            .run(&format!("solve {name} --output out.json --certificate cert.json --gantt g.svg"));
        run.fails(2, &[&[*name][..], *parts].concat());
        assert_eq!(folder.list(), [*name]);
    }
}

#[test]
fn a_million_brackets_are_refused_at_once() {
    let folder = Folder::default();
    folder.write("deep.json", format!("{{\"etc\": {}", "[".repeat(5_000_000)));
    folder.write("deeper.json", "[".repeat(5_000_000));
    for name in ["deep.json", "deeper.json"] {
        let run = folder.run(&format!("solve {name}")).fails(2, &[name, ":1:"]);
        assert!(run.err.len() < 500, "{} bytes", run.err.len());
    }
}

#[test]
fn every_command_reads_the_same_way() {
    let folder = folder();
    folder.write("bad.json", r#"{"etc": [[1, -2]]}"#);
    for words in [
        "solve FILE",
        "decide FILE -k 5",
        "export FILE -k 5",
        "decode FILE -k 5 demo.json",
        "verify FILE demo.json",
        "map FILE",
    ] {
        let bad = folder.run(&words.replace("FILE", "bad.json"));
        bad.fails(2, &["bad.json:1:14:", "-2"]);
        folder.run(&words.replace("FILE", "missing.json")).fails(2, &["missing.json: "]);
        folder.run(&words.replace("FILE", ".")).fails(2, &["."]);
    }
}

#[test]
fn a_bad_k_is_named() {
    let folder = folder();
    for k in ["x", "-1", "nan", "inf", "1e999", ""] {
        let mut command = folder.command("decide demo.json");
        let run = Run::of(command.arg(format!("-k={k}")));
        assert_eq!((run.code, run.out.as_str()), (Some(2), ""), "-k {k}: {run:?}");
        run.fails(2, &["-k", k]);
    }
    folder.run("export demo.json -k six").fails(2, &["six"]);
    folder.run("decode demo.json -k six demo.json").fails(2, &["six"]);
}

#[test]
fn bad_usage_gets_one_line() {
    let folder = folder();
    for (words, part) in [
        ("conquer demo.json", "conquer"),
        ("solve", "<FILE>"),
        ("solve demo.json --fast", "--fast"),
        ("solve demo.json --format xml", "xml"),
        ("solve demo.json --strategy luck", "luck"),
        ("solve demo.json --encoding magic", "magic"),
        ("solve demo.json --time-limit=-1", "-1"),
        ("solve demo.json --time-limit=nan", "nan"),
        ("solve demo.json --gap 2", "2"),
        ("solve demo.json --strategy thesis --encoding adder", "--encoding"),
        ("decide demo.json", "-k"),
        ("decide demo.json -k 5 --encoding thesis --at-most-one ladder", "--at-most-one"),
        ("decide demo.json -k 9 --encoding thesis --max-clauses 3", "limit of 3"),
        ("verify demo.json", "gridsat verify FILE CERT"),
        ("generate etc --tasks many", "many"),
    ] {
        folder.run(words).fails(2, &[part]);
    }
}

#[test]
fn help_and_version_are_answers() {
    let folder = Folder::default();
    let version = folder.run("-V").ends(0).out;
    assert_eq!(version, format!("gridsat {}\n", gridsat_model::VERSION));
    for words in ["--help", "solve --help", "generate etc --help"] {
        assert!(folder.run(words).ends(0).out.contains("Usage"), "{words}");
    }
    let help = folder.run("--help").ends(0).out;
    assert!(help.contains("Exit codes"), "{help}");
}

#[test]
fn no_message_speaks_of_types_or_system_codes() {
    let folder = folder();
    folder.write("mapping.json", "[0, -1]").write("grid.toml", "seed = -1\n[[resource]]\n");
    for words in ["verify demo.json mapping.json", "simulate grid.toml", "solve none.json"] {
        let run = folder.run(words).fails(2, &[]);
        for word in ["u32", "u64", "os error"] {
            assert!(!run.err.contains(word), "{}", run.err);
        }
    }
}

#[test]
fn a_file_for_another_command_is_named() {
    let folder = Folder::with("demo.json small.toml sweep.toml");
    folder.run("solve demo.json --certificate cert.json").ends(0);
    folder
        .write("a.csv", "1,2\n3,4\n")
        .write("r.jsonl", "{\"gridsat_result\":1,\"gridsat\":\"0\",\"experiment\":{}}\n");
    for (words, file, kind, command) in [
        ("simulate", "demo.json", "an instance", "gridsat solve"),
        ("simulate", "cert.json", "a certificate", "gridsat verify"),
        ("simulate", "sweep.toml", "an experiment", "gridsat experiment"),
        ("experiment", "small.toml", "a scenario", "gridsat simulate"),
        ("experiment", "demo.json", "an instance", "gridsat solve"),
        ("verify demo.json", "demo.json", "an instance", "gridsat solve"),
        ("verify demo.json", "small.toml", "a scenario", "gridsat simulate"),
        ("map", "cert.json", "a certificate", "gridsat verify"),
        ("compare", "cert.json", "a certificate", "gridsat verify"),
        ("simulate", "a.csv", "an instance", "gridsat solve"),
        ("experiment", "a.csv", "an instance", "gridsat solve"),
        ("report", "small.toml", "a scenario", "gridsat simulate"),
        ("report", "demo.json", "an instance", "gridsat solve"),
        ("generate utility", "demo.json", "an instance", "gridsat solve"),
        ("solve", "r.jsonl", "a result of an experiment", "gridsat report"),
    ] {
        let run = folder.run(&format!("{words} {file}"));
        run.fails(2, &[&format!("{file}: this is {kind}, not "), command]);
    }
}

#[test]
fn standard_input_is_a_file_for_every_reader() {
    let folder = Folder::with("demo.json grid.toml grid.json x.swf sweep.toml");
    let run = |words: &str, name: &str| {
        let input = std::fs::File::open(folder.path(name)).expect("there");
        Run::of(folder.command(words).stdin(input))
    };
    for words in ["solve -", "map -", "compare - --time-limit 1", "convert - x.json"] {
        run(words, "demo.json").ends(0);
    }
    for name in ["grid.toml", "grid.json"] {
        let run = run("simulate - --no-times --format json", name).ends(0);
        assert!(run.json().get("makespan").is_some(), "{}", run.out);
    }
    run("experiment - --quick --result r.jsonl -q", "sweep.toml").ends(0);
    run("report - -o page.html", "r.jsonl").ends(0);
    assert!(folder.read("page.html").starts_with("<!DOCTYPE html>"));
    folder.write("queue.csv", "gap,service,servers\n2,1,1\n");
    run("simulate - --check mmm", "queue.csv").ends(0);
    run("simulate -", "demo.json").fails(2, &["stdin: this is an instance, not a scenario"]);
    run("simulate -", "x.swf").fails(2, &["stdin: a trace", ".swf"]);
}

#[test]
fn drawings_are_svg_or_png() {
    let folder = Folder::with("demo.json grid.toml");
    for words in ["solve demo.json", "map demo.json", "simulate grid.toml"] {
        let pdf = folder.run(&format!("{words} --gantt x.pdf"));
        pdf.fails(2, &["x.pdf", "PDF", ".svg"]);
        let png = folder.run(&format!("{words} --gantt x.png"));
        if cfg!(feature = "png") {
            png.ends(0);
            let bytes = std::fs::read(folder.path("x.png")).expect("drawn");
            assert!(bytes.starts_with(b"\x89PNG"));
        } else {
            png.fails(2, &["x.png", "--features png", ".svg"]);
            assert!(!folder.path("x.png").exists());
        }
    }
}
