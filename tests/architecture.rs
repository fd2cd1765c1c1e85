//! What the compiler cannot say: the checker's tree holds nothing that could bless itself, and
//! every test runs.
//!
//! Who may name whom is in the `Cargo.toml` of each crate, and the compiler keeps it.

#![allow(clippy::panic, reason = "a test reports what it found that way")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
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

/// A wrong solver must not bless itself, and a reader who trusts the checker reads little code.
#[test]
fn the_checker_is_built_without_search() {
    let tree = tree("gridsat-check");
    let ours: Vec<_> = tree.iter().filter(|name| name.starts_with("gridsat")).collect();
    assert_eq!(ours, ["gridsat-check", "gridsat-encodings", "gridsat-model"]);
    let strange =
        ["varisat", "cadical", "microlp", "rand", "getrandom", "clap", "indicatif", "schemars"];
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

/// The sources in a folder and below it.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let paths = entries.map(|entry| entry.expect("readable").path());
    let below = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    let mut all: Vec<_> = paths.flat_map(below).collect();
    all.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    all
}

/// Manifests switch off kinds of tests that a crate does not have, as building them takes time. One
/// written later must not go unnoticed.
#[test]
fn no_test_is_switched_off() {
    let crates = fs::read_dir(project("crates")).expect("readable");
    let mut folders: Vec<PathBuf> = crates.map(|entry| entry.expect("readable").path()).collect();
    folders.extend([project("."), project("encodings")]);
    for folder in folders {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        for path in sources(&folder.join("src")) {
            let text = fs::read_to_string(&path).expect("text");
            let fences = |end: &str| text.lines().filter(|line| line.ends_with(end)).count();
            // Whatever is not opened as text is a doctest.
            let has_doctest = fences("/ ```") + fences("! ```") > fences("```text");
            assert!(!has_doctest || !manifest.contains("doctest = false"), "{}", path.display());
            let has_test = text.contains("#[test]");
            assert!(!has_test || !manifest.contains("\ntest = false"), "{}", path.display());
        }
    }
}
