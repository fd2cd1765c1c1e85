//! The sweeps of chapter 4 of the thesis, run by the program as in docs/benchmarks.md.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use gridsat_lab::experiment::{Changes, built_in};

use super::common::CpuClock;

/// The experiments.
pub const NAMES: [&str; 7] = [
    "qos-share",
    "wait-time",
    "wait-time-long",
    "grid-size",
    "heterogeneity",
    "information",
    "local-usage",
];

/// Number of runs, and their CPU time, on all cores.
pub fn run(name: &str, replications: u32, folder: &Path) -> Result<(usize, Duration)> {
    let changes = Changes { replications: Some(replications), ..Changes::default() };
    let runs = built_in(name).context("built in")?.read(&changes)?.run_count();
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridsat"));
    command.args(["experiment", name, "--fresh", "--quiet", "--format", "csv", "--output"]);
    command.arg(folder.join(name).with_extension("csv"));
    command.args(["--replications", &replications.to_string()]).stdout(Stdio::null());
    let clock = CpuClock::start();
    ensure!(command.current_dir(folder).status()?.success(), "{command:?} failed");
    Ok((runs, clock.elapsed()))
}
