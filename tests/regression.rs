//! One test a bug, named after it.

mod support;

use support::program::Folder;

/// The reader's error printed its cause, and then the cause of the cause, after itself.
#[test]
fn read_errors_say_it_once() {
    let folder = Folder::new();
    folder.write("bad.json", r#"{"etc": [[1, -2]]}"#);
    let run = folder.run("solve bad.json").fails(2, &["'-2' is negative"]);
    assert_eq!(run.err.matches("'-2' is negative").count(), 1, "{}", run.err);
    let run = folder.run("solve missing.json").fails(2, &["cannot read"]);
    assert_eq!(run.err.matches("cannot read").count(), 1, "{}", run.err);
    assert_eq!(run.err.matches("No such file").count(), 1, "{}", run.err);
}

/// Names of tasks and hosts were cleaned, the name of the instance was not.
#[test]
fn control_characters_in_the_name_of_the_instance() {
    let folder = Folder::new();
    folder.write("evil.json", r#"{"name": "evil\u001b[31m\r\u0007", "etc": [[1]]}"#);
    for words in ["solve evil.json", "map evil.json", "solve evil.json --gantt g.svg"] {
        let run = folder.run(words).ends(0);
        assert!(!run.out.contains(|c: char| c.is_control() && c != '\n'), "{words}: {:?}", run.out);
    }
    assert!(!folder.read("g.svg").contains(|c: char| c.is_control() && c != '\n'));
}

/// Without a command, the program's description was printed as if it were the mistake.
#[test]
fn a_missing_command_is_called_that() {
    let folder = Folder::new();
    for words in ["", "generate"] {
        let run = folder.run(words).fails(2, &["command"]);
        assert!(!run.err.contains("Maps independent") && !run.err.contains("Make instances"));
    }
}

/// The formula of a VeriPB proof left out that a host may not be ready by k, and had a model. Only
/// the thesis' strategy, which knows no bounds, gets there.
#[test]
fn a_veripb_proof_where_a_host_is_ready_too_late() {
    let folder = Folder::new();
    folder.write("late.json", r#"{"etc": [[9, 5]], "ready": [11, 3]}"#);
    folder.run("solve late.json --strategy thesis --certificate c.pbp").ends(0);
    assert_eq!(folder.list(), ["c.opb", "c.pbp", "late.json"]);
}

/// A proof that could not be written left its statement behind, and the report said that no
/// certificate was asked for.
#[test]
fn a_certificate_that_cannot_be_written() {
    let folder = Folder::new();
    folder.write("a.json", r#"{"etc": [[1, 2], [3, 4]]}"#);
    let run = folder.run("solve a.json --certificate no/c.json");
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(!run.out.contains("--certificate PATH keeps it"), "{}", run.out);
}
