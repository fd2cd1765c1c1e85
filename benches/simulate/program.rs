//! W2 as a scenario with its jobs in a CSV file, run by the program.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Result, ensure};

use super::common::CpuClock;
use super::work::Jobs;

/// Writes the scenario and the file of its jobs; returns the path of the scenario.
pub fn write(work: &Jobs, folder: &Path) -> Result<PathBuf> {
    let path = folder.join("w2.toml");
    let mut scenario = BufWriter::new(File::create(&path)?);
    for (host, mips) in work.mips.iter().enumerate() {
        writeln!(scenario, "[[resource]]\nname = 'h{host}'\nmips = {mips}")?;
    }
    writeln!(scenario, "[[scheduler]]\npolicy = 'mct'\n[[job_file]]\nfile = 'w2.csv'")?;
    scenario.flush()?;
    let mut jobs = BufWriter::new(File::create(folder.join("w2.csv"))?);
    writeln!(jobs, "at,mi")?;
    for (arrival, size) in &*work.jobs {
        writeln!(jobs, "{}.{:03},{size}", arrival / 1000, arrival % 1000)?;
    }
    Ok(jobs.flush().map(|()| path)?)
}

/// CPU time of the program, which writes a table of jobs if there is a path for it.
pub fn run(scenario: &Path, jobs: Option<&Path>) -> Result<Duration> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridsat"));
    command.arg("simulate").arg(scenario).stdout(Stdio::null());
    if let Some(path) = jobs {
        command.arg("--jobs").arg(path);
        // Replacing a table takes the system as long as writing it.
        let _ = std::fs::remove_file(path);
    }
    let clock = CpuClock::start();
    ensure!(command.status()?.success(), "{command:?} failed");
    Ok(clock.elapsed())
}
