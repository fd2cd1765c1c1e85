//! The program: bad output.

use super::*;

fn is_one_line_of_failure(run: &Run, part: &str) {
    assert!(matches!(run.code, Some(1 | 2)), "{run:?}");
    assert!(run.err.lines().count() == 1 && run.err.contains(part), "{run:?}");
}

#[test]
fn a_folder_that_is_not_there() {
    let folder = folder();
    let before = folder.list();
    for words in [
        "solve demo.json --output no/out.json",
        "solve demo.json --gantt no/g.svg",
        "solve odd.json --strategy sat --certificate no/cert.json",
        "solve odd.json --strategy sat --certificate no/cert.pbp",
        "map demo.json --output no/out",
        "decide demo.json -k 6 --output no/out",
        "export demo.json -k 6 --output no/out",
        "export demo.json --format opb --output no/out",
        "generate etc --tasks 3 --hosts 2 --output no/out",
        "verify demo.json even.json --output no/out",
    ] {
        let run = folder.run(words);
        is_one_line_of_failure(&run, if words.starts_with("verify") { "json" } else { "no/" });
        assert_eq!(folder.list(), before, "{words}");
    }
}

#[test]
fn simulations_that_cannot_be_written() {
    let folder = Folder::with("small.toml lublin.toml");
    let before = folder.list();
    let grid = ["jobs", "events", "gantt", "output"].map(|option| ("small.toml", option));
    let clusters = ["jobs", "swf", "view", "output"].map(|option| ("lublin.toml", option));
    for (file, option) in grid.into_iter().chain(clusters) {
        let words = format!("simulate {file} --{option}");
        folder.run(&format!("{words} no/such/file")).fails(1, &["no/such/file"]);
        if cfg!(target_os = "linux") {
            folder.run(&format!("{words} /dev/full")).fails(1, &["/dev/full: No space left"]);
        }
        assert_eq!(folder.list(), before, "{words}");
    }
}

#[test]
fn a_file_that_was_there_is_kept_on_failure() {
    let folder = folder();
    folder.write("out", "precious").write("bad.json", "{}");
    let words = "export demo.json -k 9 --encoding thesis --max-clauses 3 --output out";
    folder.run(words).fails(2, &[]);
    folder.run("solve bad.json --output out --certificate out --gantt out").fails(2, &[]);
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

/// Programs that answer nonsense must not be believed.
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

/// "Unsatisfiable" is a solver's word only; `solve` proves it again and does not repeat a lie.
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
