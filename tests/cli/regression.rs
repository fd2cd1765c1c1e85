//! One test per bug, named after it.

use gridsat_test_support::program::Folder;
use serde_json::json;

/// The error of a reader printed its cause, and then the cause of the cause, a second time.
#[test]
fn read_errors_say_it_once() {
    let folder = Folder::default();
    folder.write("bad.json", r#"{"etc": [[1, -2]]}"#);
    let run = folder.run("solve bad.json").fails(2, &["'-2' is negative"]);
    assert_eq!(run.err.matches("'-2' is negative").count(), 1, "{}", run.err);
    let run = folder.run("solve missing.json").fails(2, &["cannot read"]);
    assert_eq!(run.err.matches("cannot read").count(), 1, "{}", run.err);
    assert_eq!(run.err.matches("No such file").count(), 1, "{}", run.err);
}

/// Names of tasks and hosts were cleaned, but not the name of the instance.
#[test]
fn control_characters_in_the_name_of_the_instance() {
    let folder = Folder::default();
    folder.write("evil.json", r#"{"name": "evil\u001b[31m\r\u0007", "etc": [[1]]}"#);
    for words in ["solve evil.json", "map evil.json", "solve evil.json --gantt g.svg"] {
        let run = folder.run(words).ends(0);
        assert!(!run.out.contains(|c: char| c.is_control() && c != '\n'), "{words}: {:?}", run.out);
    }
    assert!(!folder.read("g.svg").contains(|c: char| c.is_control() && c != '\n'));
}

/// Without a command, the program's description was printed as if it were the error.
#[test]
fn a_missing_command_is_called_that() {
    let folder = Folder::default();
    for words in ["", "generate"] {
        let run = folder.run(words).fails(2, &["command"]);
        assert!(!run.err.contains("Maps independent") && !run.err.contains("Make instances"));
    }
}

/// The formula of a VeriPB proof left out that a host may be ready only after k, and had a model.
/// Only the strategy `thesis`, which uses no bounds, reaches this case.
#[test]
fn a_veripb_proof_where_a_host_is_ready_too_late() {
    let folder = Folder::default();
    folder.write("late.json", r#"{"etc": [[9, 5]], "ready": [11, 3]}"#);
    folder.run("solve late.json --strategy thesis --certificate c.pbp").ends(0);
    assert_eq!(folder.list(), ["c.opb", "c.pbp", "late.json"]);
}

/// The message about a certificate that could not be written explained how to ask for one.
#[cfg(target_os = "linux")]
#[test]
fn a_certificate_that_cannot_be_written() {
    let folder = Folder::default();
    folder.write("a.json", r#"{"etc": [[1, 2], [3, 4]]}"#);
    let run = folder.run("solve a.json --certificate /dev/full");
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(!run.out.contains("--certificate PATH saves it"), "{}", run.out);
}

/// Here, too, the cause was printed after an error that already contains it.
#[test]
fn a_formula_too_large_is_said_once() {
    let folder = Folder::default();
    folder.write("a.json", r#"{"etc": [[1, 2], [3, 4]]}"#);
    let words = "decide a.json -k 9 --encoding thesis --max-clauses 3";
    let run = folder.run(words).fails(2, &["limit of 3"]);
    assert_eq!(run.err.matches("limit of 3").count(), 1, "{}", run.err);
}

/// A search that had an answer failed when the formula for the extraction was too large.
#[test]
fn an_extraction_too_large_keeps_the_mapping() {
    let folder = Folder::default();
    let times = "[[1000000000001, 1000000000003], [1000000000007, 1000000000009]]";
    folder.write("a.json", format!(r#"{{"etc": {times}}}"#));
    let run = folder.run("solve a.json --strategy thesis --gap 1 --extract oracle --format json");
    assert!(matches!(run.code, Some(0 | 3)), "{run:?}");
    assert_eq!(run.json()["mapping"].as_array().map(Vec::len), Some(2));
    assert!(run.json()["note"].as_str().expect("a note").contains("more than the limit"));
}

/// The time was not checked while clauses were written, which takes half a minute for diagrams of
/// this size.
#[test]
fn time_limits_hold_while_encoding() {
    let folder = Folder::default();
    folder.run("generate etc --tasks 512 --hosts 16 --output a.json").ends(0);
    let words = "solve a.json --strategy sat --encoding bdd --max-clauses 10000000 --time-limit 1";
    let run = folder.run(&format!("{words} --format json"));
    assert_eq!(run.code, Some(3), "{run:?}");
    // A formula that is completely written is decided, or the note says that it is too large.
    let answer = run.json();
    assert!(answer["decisions"] == json!([]) && answer.get("note").is_none(), "{answer}");
}
