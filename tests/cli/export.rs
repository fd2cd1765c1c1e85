//! The command `export`.

use super::*;

#[test]
fn each_format_starts_as_it_should() {
    let folder = folder();
    let dimacs = folder.run("export demo.json -k 6").ends(0).out;
    assert!(dimacs.starts_with("c ") && dimacs.contains("\np cnf "), "{dimacs}");
    assert!(dimacs.contains("\nc 1 = task 0 'render' on host 1 'b'\n"), "{dimacs}");
    let opb = folder.run("export demo.json --format opb").ends(0).out;
    assert!(opb.starts_with("* #variable= ") && opb.contains("\nmin: "), "{opb}");
    let opb = folder.run("export demo.json --format opb -k 6").ends(0).out;
    assert!(!opb.contains("min:"), "{opb}");
    let mps = folder.run("export demo.json --format mps").ends(0).out;
    assert!(mps.ends_with("ENDATA\n"), "{mps}");
}

#[test]
fn dimacs_needs_a_k() {
    folder().run("export demo.json").fails(2, &["DIMACS", "-k"]);
}

#[test]
fn too_many_clauses_are_refused_before_they_are_written() {
    let folder = folder();
    let run = folder.run("export demo.json -k 9 --encoding thesis --max-clauses 3 --output f");
    run.fails(2, &["thesis", "limit of 3", "--max-clauses"]);
    assert!(!folder.list().contains(&"f".to_owned()));
}

/// Three fields: CBC refuses a file with more, and HiGHS adds a variable.
#[test]
fn markers_in_mps_are_as_readers_expect() {
    let folder = folder();
    let mps = folder.run("export demo.json --format mps").ends(0).out;
    let markers: Vec<&str> = mps.lines().filter(|line| line.contains("MARKER")).collect();
    assert_eq!(markers, [" start 'MARKER' 'INTORG'", " end 'MARKER' 'INTEND'"]);
}
