//! Rules that the compiler cannot check: the checker depends on nothing that could confirm its own
//! errors, every test runs, every erratum that is named has an entry in the handbook, and the
//! tests that the checklist names exist.
//!
//! Which crate may depend on which is in the `Cargo.toml` of each crate, and the compiler enforces
//! it.

#![allow(clippy::panic, reason = "a test reports what it found that way")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use gridsat_test_support::project;

/// The crates that a crate of the workspace is built from, including itself, without those of
/// tests.
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

/// A wrong solver must not confirm itself, and a reader who trusts the checker should have little
/// code to read.
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

/// The files with one of these extensions in a folder and below it.
fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let paths = entries.map(|entry| entry.expect("readable").path());
    let below = |path: PathBuf| if path.is_dir() { files(&path, extensions) } else { vec![path] };
    let mut all: Vec<_> = paths.flat_map(below).collect();
    let is_known = |found: &std::ffi::OsStr| extensions.iter().any(|known| found == *known);
    all.retain(|path| path.extension().is_some_and(is_known));
    all
}

/// Manifests switch off kinds of tests that a crate does not have, because building them takes
/// time. A test added later must not stay switched off.
#[test]
fn no_test_is_switched_off() {
    let crates = fs::read_dir(project("crates")).expect("readable");
    let mut folders: Vec<PathBuf> = crates.map(|entry| entry.expect("readable").path()).collect();
    folders.extend([project("."), project("encodings")]);
    for folder in folders {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        for path in files(&folder.join("src"), &["rs"]) {
            let text = fs::read_to_string(&path).expect("text");
            let fences = |end: &str| text.lines().filter(|line| line.ends_with(end)).count();
            // Every code block that is not opened as text is a doctest.
            let has_doctest = fences("/ ```") + fences("! ```") > fences("```text");
            assert!(!has_doctest || !manifest.contains("doctest = false"), "{}", path.display());
            let has_test = text.contains("#[test]");
            assert!(!has_test || !manifest.contains("\ntest = false"), "{}", path.display());
        }
    }
}

/// The numbers of the errata that a text names, such as 4 for "E4".
fn errata(text: &str) -> impl Iterator<Item = u32> {
    // Without '%', so that the "%E2" of an encoded name is not counted.
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '%');
    words.filter_map(|word| word.strip_prefix('E')).filter_map(|number| number.parse().ok())
}

#[test]
fn every_erratum_has_an_entry() {
    let page = fs::read_to_string(project("docs/sources.md")).expect("a page");
    let entries = page.lines().filter_map(|line| line.strip_prefix("#### E"));
    let listed: BTreeSet<u32> = entries.map(|number| number.parse().expect("a number")).collect();
    assert_eq!(listed, (1..=26).collect());
    let mut named = 0;
    for folder in ["benches", "crates", "docs", "encodings", "examples", "src"] {
        for path in files(&project(folder), &["md", "rs", "toml"]) {
            let text = fs::read_to_string(&path).expect("text");
            for number in errata(&text) {
                assert!(listed.contains(&number), "{}: E{number}", path.display());
                named += 1;
            }
        }
    }
    assert!(named > 50, "only {named} errata are named");
}

/// The tests that a cell such as "`a.rs`: `one`, `two`; `b.rs`: `three`" names, with their files.
fn named(cell: &str) -> Vec<(&str, &str)> {
    let mut file = "";
    let mut tests = Vec::new();
    for span in cell.split('`').skip(1).step_by(2) {
        if span.ends_with(".rs") {
            file = span;
        } else {
            tests.push((file, span));
        }
    }
    tests
}

/// Every row says where the feature is and names at least one test, and the tests exist.
#[test]
fn the_checklist_names_tests_that_exist() {
    let page = fs::read_to_string(project("docs/checklist.md")).expect("a page");
    let rows = page.lines().filter(|line| line.starts_with("| "));
    let rows = rows.filter(|line| !line.starts_with("| what |") && !line.starts_with("| ---"));
    let mut count = 0;
    for row in rows {
        let plain = row.replace("\\|", "/");
        let cells: Vec<&str> = plain.trim_matches('|').split('|').map(str::trim).collect();
        let [what, place, tests] = cells[..] else { panic!("three cells: {row}") };
        assert!(!what.is_empty() && !place.is_empty(), "{row}");
        let tests = named(tests);
        assert!(!tests.is_empty(), "no test: {row}");
        for (file, test) in tests {
            let text = fs::read_to_string(project(file)).unwrap_or_default();
            let is_there = text.contains(&format!("fn {test}("));
            assert!(is_there && text.contains("#[test]"), "{what}: no test {test} in '{file}'");
        }
        count += 1;
    }
    assert!(count > 40, "{count} rows");
}

/// `release/version` sets all of them.
#[test]
fn all_files_have_the_same_version() {
    let version = env!("CARGO_PKG_VERSION");
    let read = |path| fs::read_to_string(project(path)).expect("text");
    let manifest = read("Cargo.toml");
    let members = manifest.lines().filter(|line| line.starts_with("gridsat"));
    let named =
        members.filter_map(|line| line.split_once(", version = \"")?.1.strip_suffix("\" }"));
    let named: Vec<&str> = named.collect();
    assert!(named.len() > 10 && named.iter().all(|named| *named == version), "{named:?}");
    assert!(read("CITATION.cff").contains(&format!("\nversion: {version}\n")));
    let changelog = read("CHANGELOG.md");
    let sections = changelog.lines().filter_map(|line| line.strip_prefix("## "));
    let sections: Vec<&str> = sections.collect();
    assert!(sections.iter().any(|section| section.starts_with(version)), "{sections:?}");
}
