//! The reference instances: optima proven by other programs are found and proven again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use gridsat_test_support::outside::data;
use gridsat_test_support::program::{Folder, Run};
use gridsat_test_support::project;
use serde::Deserialize;
use serde_json::value::RawValue;

const FOLDER: &str = "instances/reference";

#[derive(Deserialize)]
struct Known {
    /// The optimum as written, so that no digit passes through a float.
    optimum: Box<RawValue>,
}

#[derive(Deserialize)]
struct Answer {
    status: String,
    makespan: Box<RawValue>,
    lower_bound: Box<RawValue>,
    note: Option<String>,
}

/// A decimal without trailing zeros: `98.0` is `98`.
fn plain(number: &RawValue) -> &str {
    let text = number.get();
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

fn optima() -> BTreeMap<String, Known> {
    let text = fs::read_to_string(project(FOLDER).join("optima.json")).expect("readable");
    serde_json::from_str(&text).expect("valid")
}

/// The instances of this size whose optimum is known.
fn instances(size: &str) -> Vec<(PathBuf, String)> {
    let known = optima().into_iter().filter(|(name, _)| name.ends_with(size));
    let file = |(name, known): (String, Known)| {
        let path = project(FOLDER).join(format!("{name}.json"));
        (path, plain(&known.optimum).to_owned())
    };
    let files: Vec<_> = known.map(file).collect();
    assert!(files.len() > 8, "only {} of size {size}", files.len());
    files
}

fn solve(path: &Path, strategy: &str) -> (i32, Answer) {
    let folder = Folder::default();
    let mut command = folder.command("solve --format json --strategy");
    let run = Run::of(command.arg(strategy).arg(path));
    let answer = serde_json::from_str(&run.out);
    let code = run.code.expect("not killed");
    (code, answer.unwrap_or_else(|error| panic!("{}: {error}: {run:?}", path.display())))
}

fn proves(strategy: &str) {
    let sizes = ["_6x3", "_9x3", "_16x4"];
    for (path, optimum) in sizes.into_iter().flat_map(instances) {
        let (code, answer) = solve(&path, strategy);
        let shown = path.display();
        assert_eq!(answer.status, "optimal", "{shown}: {:?}", answer.note);
        assert_eq!(answer.makespan.get(), optimum, "{shown}");
        assert_eq!(answer.lower_bound.get(), optimum, "{shown}");
        assert_eq!(code, 0, "{shown}");
    }
}

#[test]
fn auto_proves_the_optima() {
    proves("auto");
}

#[test]
fn sat_proves_the_optima() {
    proves("sat");
}

/// The formula of the thesis grows with k: the strategy proves the optimum or reports which limit
/// it exceeds.
#[test]
fn the_thesis_proves_the_optima_or_says_why() {
    let mut proven = 0;
    for (path, optimum) in ["_6x3", "_9x3"].into_iter().flat_map(instances) {
        let (code, answer) = solve(&path, "thesis");
        let shown = path.display();
        if answer.status == "optimal" {
            assert_eq!((code, answer.makespan.get()), (0, &*optimum), "{shown}");
            proven += 1;
            continue;
        }
        assert_eq!((code, &*answer.status), (3, "feasible"), "{shown}");
        assert!(shown.to_string().contains("_hihi_"), "{shown} has small times");
        let note = answer.note.expect("a reason");
        assert!(note.contains("encoding 'thesis' at k = "), "{shown}: {note}");
        assert!(note.contains("clauses, more than the limit of 2000000"), "{shown}: {note}");
    }
    assert!(proven >= 18, "only {proven}");
}

#[test]
#[ignore = "needs data sets: GRIDSAT_DATA=FOLDER cargo test --release --workspace -- --ignored"]
fn the_instances_are_those_of_the_data_set() {
    let original = data("reference");
    let mut compared = 0;
    for entry in fs::read_dir(project(FOLDER)).expect("readable") {
        let path = entry.expect("readable").path();
        let name = path.file_name().expect("a file");
        if name == "optima.json" || path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let same = fs::read(original.join(name)).ok() == fs::read(&path).ok();
        assert!(same, "{} differs from the data set", path.display());
        compared += 1;
    }
    assert!(compared > 30, "only {compared} files");
}
