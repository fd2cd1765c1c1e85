//! The library as its users see it: the examples as separate packages, outside the repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use gridsat_test_support::project;
use tempfile::TempDir;

/// The examples, and a text that each prints.
const EXAMPLES: [(&str, &str); 2] =
    [("own_heuristic", "1000 jobs in "), ("own_policy", "Fewest jobs ")];

/// Copies an example and points it to the library of this repository.
fn copy(example: &str, folder: &Path) {
    let from = project("examples").join(example);
    let manifest = fs::read_to_string(from.join("Cargo.toml")).expect("a manifest");
    let (here, there) = (format!("{:?}", "../.."), format!("{:?}", project(".")));
    assert!(manifest.contains(&here), "{manifest}");
    fs::create_dir(folder.join("src")).expect("new");
    fs::write(folder.join("Cargo.toml"), manifest.replace(&here, &there)).expect("writable");
    fs::copy(from.join("src/main.rs"), folder.join("src/main.rs")).expect("readable");
    // The locked versions are available without a network.
    fs::copy(project("Cargo.lock"), folder.join("Cargo.lock")).expect("readable");
}

fn cargo(folder: &Path, words: &[&str]) -> String {
    let target: PathBuf = project("target/outside");
    let run = Command::new(env!("CARGO"))
        .args(words)
        .arg("--offline")
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .output()
        .expect("cargo runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).expect("text")
}

#[test]
fn a_user_of_the_library_compiles_nothing_of_the_command_line() {
    for (example, _) in EXAMPLES {
        let folder = TempDir::new().expect("a writable temporary directory");
        copy(example, folder.path());
        let tree = cargo(folder.path(), &["tree", "--edges", "normal,build", "--prefix", "none"]);
        assert!(tree.contains("gridsat-exact"), "{tree}");
        for name in ["clap", "comfy-table", "signal-hook", "indicatif", "gridsat-lab", "schemars"] {
            assert!(!tree.lines().any(|line| line.starts_with(name)), "{example} compiles {name}");
        }
    }
}

#[test]
#[ignore = "compiles the library once more, a minute of CPU time; .ci/run does it"]
fn the_examples_are_packages_of_their_own() {
    for (example, part) in EXAMPLES {
        let folder = TempDir::new().expect("a writable temporary directory");
        copy(example, folder.path());
        let printed = cargo(folder.path(), &["run", "--quiet"]);
        assert!(printed.contains(part), "{printed}");
    }
}
