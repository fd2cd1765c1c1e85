//! Solves every instance of `instances/reference` (or of the folders given) to its proven optimum
//! with the strategies `sat` and `auto`; prints seconds, including the check of the certificate,
//! the number of decisions, and the rule that proves the bound.
//!
//! `cargo bench --bench reference [-- FOLDER…]`; at most 20 seconds each.

use std::path::{Path, PathBuf};
use std::time::Duration;

use gridsat_exact::solve::{Solution, Solver};
use gridsat_exact::strategy::Strategy;
use gridsat_model::Instance;
use gridsat_model::io::{Format, ReadOptions, read_file};

const LIMIT: Duration = Duration::from_secs(20);

fn main() {
    let given: Vec<PathBuf> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).map(PathBuf::from).collect();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("instances/reference");
    let folders = if given.is_empty() { vec![own] } else { given };
    println!(
        "| instance | makespan | sat: seconds, decisions | auto: seconds, decisions, bound by |"
    );
    println!("|---|---|---|---|");
    for path in folders.iter().flat_map(|folder| files(folder)) {
        let Ok(instance) = read_file(&path, &ReadOptions::default()) else { continue };
        let (sat, auto) = (run(&instance, Strategy::Sat), run(&instance, Strategy::Auto));
        println!(
            "| {} | {} | {} | {}, {} |",
            instance.name(),
            auto.makespan(),
            show(&sat),
            show(&auto),
            auto.bound_by(),
        );
    }
}

/// Instance files in order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
    files.retain(|path| Format::of_file(path).is_some());
    files.sort();
    files
}

fn run(instance: &Instance, strategy: Strategy) -> Solution {
    let solution = Solver::new().strategy(strategy).time_limit(LIMIT).solve(instance);
    solution.expect("the built-in solver works")
}

fn show(solved: &Solution) -> String {
    let open = if solved.is_optimal() { "" } else { "not proven, " };
    format!("{open}{:.3}, {}", solved.time.as_secs_f64(), solved.decisions.len())
}
