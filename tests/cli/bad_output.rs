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
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    for (name, answer) in
        [("mute", ""), ("all-false", "s SATISFIABLE\\nv 0\\n"), ("babble", "s MAYBE\\n")]
    {
        folder.write(name, format!("#!/bin/sh\nprintf '{answer}'\n"));
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path(name), mode).expect("mine");
        let run = folder.run(&format!("decide odd.json -k 10 --solver ./{name}"));
        assert!(!matches!(run.code, Some(10 | 20)), "{name}: {run:?}");
        assert!(!run.out.contains("SATISFIABLE"), "{name}: {run:?}");
    }
}

/// "Unsatisfiable" is a solver's word only; `solve` proves it again and does not repeat a lie.
#[cfg(unix)]
#[test]
fn a_solver_that_denies_what_is_there() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    folder.write("deny", "#!/bin/sh\necho 's UNSATISFIABLE'\nexit 20\n");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.path("deny"), mode).expect("mine");
    let reference = project("instances/reference/U1-100_9x3.json");
    folder.write("ref.json", std::fs::read(reference).expect("readable"));
    let run = folder.run("solve ref.json --strategy sat --solver ./deny --format json");
    assert_eq!(run.json()["makespan"] == 97, run.json()["status"] == "optimal", "{run:?}");
}

#[test]
fn control_characters_in_names_do_not_reach_the_terminal() {
    let folder = Folder::default();
    let evil = r#"{"etc": [[1, 2], [3, 4]],
            "tasks": ["a\u001b]0;x\u0007", "b\n"], "hosts": ["h\u001b[2J", "k\u0000\t"]}"#;
    folder.write("evil.json", evil).write("answer", "v x1 x4\n");
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
