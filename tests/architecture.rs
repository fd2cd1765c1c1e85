//! What the compiler cannot say: the checker's tree holds nothing that could bless itself.
//!
//! Who may name whom is in the `Cargo.toml` of each crate, and the compiler keeps it.

use std::collections::BTreeSet;
use std::process::Command;

use gridsat_test_support::project;

/// The crates that a crate of the workspace is built from, itself included, without those of tests.
fn tree(package: &str) -> BTreeSet<String> {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--prefix", "none", "--format", "{p}"])
        .args(["--edges", "normal", "--package", package])
        .current_dir(project("."))
        .output()
        .expect("cargo runs");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let lines = String::from_utf8(tree.stdout).expect("text");
    lines.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

/// A wrong solver must not bless itself, and whoever trusts the checker reads little code.
#[test]
fn the_checker_is_built_without_search() {
    let tree = tree("gridsat-check");
    let ours: Vec<_> = tree.iter().filter(|name| name.starts_with("gridsat")).collect();
    assert_eq!(ours, ["gridsat-check", "gridsat-encodings", "gridsat-model"]);
    let strange = ["varisat", "cadical", "microlp", "rand", "getrandom", "clap", "indicatif"];
    for name in &tree {
        let is_strange = strange.iter().any(|strange| name.contains(strange));
        assert!(!is_strange, "the checker is built with {name}");
    }
}

/// Encodings know literals, not tasks and hosts.
#[test]
fn the_encodings_know_nothing_of_the_problem() {
    let tree = tree("gridsat-encodings");
    assert_eq!(tree.iter().filter(|name| name.starts_with("gridsat")).count(), 1);
}
