//! Output that cannot be written, and solvers that answer wrongly.

use std::time::{Duration, Instant};

use super::*;

fn is_one_line_of_failure(run: &Run, part: &str) {
    assert!(matches!(run.code, Some(1 | 2)), "{run:?}");
    assert!(run.err.lines().count() == 1 && run.err.contains(part), "{run:?}");
}

/// Every option that names a file, on commands that would take long or fail: `hard.json` takes more
/// than a minute, `none` does not exist.
const OPTIONS: [&str; 30] = [
    "solve hard.json --output",
    "solve hard.json --gantt",
    "solve hard.json --certificate",
    "decide hard.json -k 900 --output",
    "export none -k 6 --output",
    "decode none -k 6 none --output",
    "verify none none --output",
    "convert none",
    "map hard.json -a searches --output",
    "map hard.json -a searches --gantt",
    "compare hard.json --time-limit 60 --output",
    "bench -a searches --output",
    "bench -a searches --plot",
    "campaign hard.json --out",
    "campaign report none --output",
    "campaign report none --plot",
    "experiment wait-time --output",
    "experiment wait-time --result",
    "report none --output",
    "generate etc --output",
    "generate utility none --output",
    "generate scenario --template list --output",
    "generate experiment --name wait-time --output",
    "generate workload --output",
    "generate workload --model wang-zhang --attributes",
    "simulate none --output",
    "simulate none --jobs",
    "simulate none --events",
    "simulate none --swf",
    "simulate none --view",
];

#[test]
fn places_are_checked_before_the_work() {
    let folder = hard();
    folder.write("file", "precious");
    for words in OPTIONS {
        for (place, why) in [
            ("no/such/out.json", "the folder 'no/such' does not exist"),
            ("file/out.json", "no file can be created in 'file'"),
            (".", "it is a folder"),
            ("no/", "it is not a file name"),
        ] {
            let start = Instant::now();
            let run = folder.run(&format!("{words} {place}"));
            run.fails(2, &[&format!("{place}: cannot be written: {why}")]);
            assert!(start.elapsed() < Duration::from_secs(10), "{words} {place}");
        }
        if cfg!(target_os = "linux") {
            let run = folder.run(&format!("{words} /proc/out.json"));
            run.fails(2, &["/proc/out.json: cannot be written: no file can be created in '/proc'"]);
        }
    }
    let folders = ["report none --figures", "report none --csv", "man", "experiment x --results"];
    for words in folders.into_iter().chain(["campaign hard.json --out x --certificates"]) {
        let run = folder.run(&format!("{words} file/folder"));
        run.fails(2, &["file/folder: cannot be written: no folder can be created there: "]);
    }
    assert_eq!(folder.list(), ["file", "hard.json"]);
    assert_eq!(folder.read("file"), "precious");
}

/// Paths in a scenario are checked, too.
#[test]
fn places_of_a_scenario_are_checked() {
    for (file, option) in [("small.toml", "events"), ("lublin.toml", "swf")] {
        let folder = Folder::default();
        folder.write(file, example(file) + &format!("\n[output]\n{option} = \"no/file\"\n"));
        let why = "no/file: cannot be written: the folder";
        folder.run(&format!("simulate {file}")).fails(2, &[why]);
    }
}

#[test]
fn two_outputs_need_two_files() {
    let folder = folder();
    let words = "solve demo.json --output out --certificate out";
    folder.run(words).fails(2, &["out: two outputs cannot be written to the same file"]);
    assert_eq!(folder.list(), ["demo.json", "even.json", "odd.json"]);
}

#[test]
fn a_dash_is_standard_output() {
    let folder = folder();
    for words in [
        "solve demo.json --no-times",
        "decide demo.json -k 6",
        "map demo.json --no-times",
        "export demo.json -k 6",
        "generate etc --tasks 3 --hosts 2",
    ] {
        let plain = folder.run(words).out;
        assert_eq!(folder.run(&format!("{words} --output -")).out, plain, "{words}");
        assert!(!plain.is_empty(), "{words}");
    }
    let only = "--gantt -: only --output can be standard output";
    folder.run("solve demo.json --gantt -").fails(2, &[only]);
    assert_eq!(folder.list(), ["demo.json", "even.json", "odd.json"]);
}

/// A result that may have taken hours is not lost because the disk is full.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_printed() {
    let folder = Folder::with("demo.json small.toml lublin.toml sweep.toml");
    folder.run("decide demo.json -k 6 -o answer").ends(10);
    folder.run("experiment sweep.toml --quick --algorithms mct,tlmm").ends(0);
    let before = folder.list();
    for words in [
        "solve demo.json --format json --no-times",
        "decide demo.json -k 6",
        "decode demo.json -k 6 answer --format csv",
        "map demo.json --no-times",
        "compare demo.json --format json --no-times",
        "bench --only 16x4_1 -a mct --no-times",
        "bench --check --only 16x4_1",
        "experiment list",
        "experiment sweep.toml --quick --algorithms mct,tlmm",
        "simulate small.toml --no-times",
        "simulate lublin.toml --format json",
    ] {
        let good = folder.run(words);
        assert!(!good.out.is_empty() && good.err.is_empty(), "{words}: {good:?}");
        let full = folder.run(&format!("{words} --output /dev/full"));
        let said = "gridsat: /dev/full: No space left on device; \
                    the result is on standard output instead\n";
        assert_eq!((full.code, full.err.as_str(), full.out), (Some(1), said, good.out), "{words}");
    }
    assert_eq!(folder.list(), before);
}

/// Nor because there is no room for another file; and the other files are written.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_fails_takes_nothing_with_it() {
    let folder = Folder::with("demo.json small.toml lublin.toml");
    for (words, other) in [
        ("solve demo.json --no-times --gantt /dev/full", ""),
        ("solve demo.json --no-times --output /dev/full --gantt g.svg", "g.svg"),
        ("map demo.json --no-times --output /dev/full --gantt g.svg", "g.svg"),
        ("simulate small.toml --no-times --jobs /dev/full --gantt g.svg", "g.svg"),
        ("simulate small.toml --no-times --gantt /dev/full --events e", "e"),
        ("simulate lublin.toml --jobs /dev/full --swf s.swf", "s.swf"),
        ("simulate lublin.toml --view /dev/full --jobs j.csv", "j.csv"),
    ] {
        let run = folder.run(words);
        assert_eq!((run.code, run.err.lines().count()), (Some(1), 1), "{words}: {run:?}");
        assert!(run.err.contains("/dev/full: No space left"), "{words}: {run:?}");
        assert!(!run.out.is_empty(), "{words}");
        if !other.is_empty() {
            assert!(!folder.read(other).is_empty(), "{words}");
            std::fs::remove_file(folder.path(other)).expect("there");
        }
    }
}

/// A full disk leaves the old file unchanged.
#[cfg(unix)]
#[test]
fn a_full_disk_harms_no_file() {
    let folder = folder();
    folder.write("out", "precious");
    let gridsat = folder.command("").get_program().to_string_lossy().into_owned();
    let words = "solve demo.json --no-times --format json --output out";
    let limited = format!("trap '' XFSZ; ulimit -f 0; exec {gridsat} {words}");
    let mut command = std::process::Command::new("bash");
    command.current_dir(folder.path("")).args(["-c", &limited]);
    let run = Run::of(&mut command);
    assert_eq!((run.code, &run.json()["makespan"]), (Some(1), &json!(5.5)), "{run:?}");
    assert_eq!(folder.read("out"), "precious");
    assert_eq!(folder.list(), ["demo.json", "even.json", "odd.json", "out"]);
}

#[test]
fn a_file_that_was_there_is_kept_on_failure() {
    let folder = folder();
    folder.write("out", "precious").write("bad.json", "{}");
    let words = "export demo.json -k 9 --encoding thesis --max-clauses 3 --output out";
    folder.run(words).fails(2, &[]);
    folder.run("solve bad.json --output out --certificate c --gantt g").fails(2, &[]);
    folder.run("generate etc --tasks 0 --output out").fails(2, &[]);
    assert_eq!(folder.read("out"), "precious");
    folder.run("solve demo.json --format csv --output out").ends(0);
    assert!(folder.read("out").starts_with("task,"));
}

#[test]
fn a_solver_that_is_not_there() {
    let folder = folder();
    for words in [
        "solve odd.json --strategy sat --solver no-such-solver",
        "decide demo.json -k 6 --solver no-such-solver",
        "decide demo.json -k 6 --solver ./demo.json",
    ] {
        let run = folder.run(words);
        assert_eq!(run.out, "", "{words}");
        is_one_line_of_failure(&run, "solver '");
    }
}

/// Wrong answers of solver programs must be rejected.
#[cfg(unix)]
#[test]
fn a_solver_that_lies() {
    let folder = Folder::with("odd.json mute all-false babble");
    for name in ["mute", "all-false", "babble"] {
        let run = folder.run(&format!("decide odd.json -k 10 --solver ./{name}"));
        assert!(!matches!(run.code, Some(10 | 20)), "{name}: {run:?}");
        assert!(!run.out.contains("SATISFIABLE"), "{name}: {run:?}");
    }
}

/// "Unsatisfiable" is not proven by a solver's answer; `solve` proves it again and detects a lie.
#[cfg(unix)]
#[test]
fn a_solver_that_denies_what_is_there() {
    let folder = Folder::with("deny");
    folder.copy("instances/reference/U1-100_9x3.json", "ref.json");
    let run = folder.run("solve ref.json --strategy sat --solver ./deny --format json");
    assert_eq!(run.json()["makespan"] == 97, run.json()["status"] == "optimal", "{run:?}");
}

#[test]
fn control_characters_in_names_do_not_reach_the_terminal() {
    let folder = Folder::with("evil.json");
    folder.write("answer", "v x1 x4\n");
    for words in [
        "solve evil.json",
        "solve evil.json --format json",
        "map evil.json",
        "map evil.json --format csv",
        "export evil.json -k 5",
        "export evil.json --format opb",
        "export evil.json --format mps",
        "decide evil.json -k 5",
        "decode evil.json -k 5 answer",
    ] {
        let run = folder.run(words);
        let raw = |c: char| c.is_control() && c != '\n';
        assert!(!run.out.contains(raw) && run.err.is_empty(), "{words}: {run:?}");
    }
}
