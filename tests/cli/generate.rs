//! The command `generate`.

use super::*;

#[test]
fn the_seed_decides_every_byte() {
    let folder = Folder::default();
    for class in ["u_c_hihi", "u_s_lolo", "u_i_hilo", "U1-100", "jobcorr", "maccorr"] {
        for format in ["json", "csv", "hcsp", "rcmax"] {
            let make = |seed| {
                folder.run(&format!(
                    "generate etc --class {class} --tasks 5 --hosts 3 --seed {seed} \
                         --format {format}"
                ))
            };
            let first = make(7).ends(0);
            assert_eq!(first, make(7));
            assert_ne!(first, make(8), "{class} {format}");
        }
    }
}

#[test]
fn what_it_makes_can_be_solved() {
    let folder = Folder::default();
    folder
        .run(
            "generate etc --tasks 6 --hosts 3 --decimals 2 --forbidden 30 --ready 9 \
                 --output a.json",
        )
        .ends(0);
    folder.run("solve a.json").ends(0);
}

#[test]
fn impossible_wishes_are_refused() {
    let folder = Folder::default();
    folder.run("generate etc --class nonsense").fails(2, &["'nonsense'"]);
    folder.run("generate etc --tasks 0").fails(2, &["no tasks"]);
    folder.run("generate etc --hosts 0").fails(2, &["no hosts"]);
    folder.run("generate etc --forbidden 101").fails(2, &["101"]);
    folder.run("generate etc --decimals 99").fails(2, &["99"]);
    assert_eq!(folder.list().len(), 0);
}

/// A slip in the number of jobs would fill the disk. A scenario only names it.
#[test]
fn a_huge_trace_has_to_be_asked_for() {
    let folder = Folder::default();
    let words = "generate workload --jobs 1000000000000000000";
    folder.run(&format!("{words} --output a.swf")).fails(2, &["50000000000 GB", "--huge"]);
    folder.run("generate workload --jobs 100000001").fails(2, &["more than 100000000 jobs"]);
    folder.run(&format!("{words} --format scenario --output a.toml")).ends(0);
    assert_eq!(folder.list(), ["a.toml"]);
}

#[test]
fn wishes_become_a_matrix() {
    let folder = folder();
    let hard = "times = \"demo.json\"\n[[wish]]\ndimension = \"time\"\nat_most = 8\n";
    folder.write("qos.toml", hard);
    folder.run("generate utility qos.toml --output etc.json").ends(0);
    folder.run("decide etc.json -k 5.5").ends(10);
    folder.run("generate utility qos.toml --format hcsp").fails(2, &["ready"]);
    folder.write("bad.toml", "times = \"demo.json\"\n[[wish]]\ndimension = \"speed\"\nfull = 1\n");
    folder
        .run("generate utility bad.toml")
        .fails(2, &["bad.toml: wish 1: dimension: unknown 'speed'"]);
}

#[test]
fn a_class_that_was_meant_is_named() {
    let folder = Folder::default();
    folder
        .run("generate etc --class u_c_hihu")
        .fails(2, &["'u_c_hihu'", "did you mean 'u_c_hihi'?"]);
    folder.run("generate etc --class jobcor").fails(2, &["did you mean 'jobcorr'?"]);
    folder.run("generate etc --class xyz").fails(2, &["'xyz'; known: u_c_hihi"]);
}

/// What solve says of the same file.
#[test]
fn times_that_were_rounded_are_reported() {
    let folder = Folder::default();
    folder.write("times.json", r#"{"etc": [[137.43642441124012, 1e6], [2.5, 3]]}"#);
    folder.write("u.toml", "times = \"times.json\"\n");
    let run = folder.run("generate utility u.toml");
    assert_eq!(run.code, Some(0), "{run:?}");
    let note = "gridsat: u.toml: times rounded up to 1e-";
    assert!(run.err.starts_with(note) && run.err.lines().count() == 1, "{run:?}");
}
