//! Slurm: the parts are a job array.
//!
//! The script and the number of the job are kept in the folder of the plan. A driver that finds the
//! job still active watches it instead of submitting another. No accounting, no daemon: `sbatch`,
//! `squeue` and `scancel` are enough.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use gridsat_exact::sat::split_command;
use gridsat_files as files;

use super::super::sizes::MOST;
use super::super::{Plan, ranges};
use super::outside::{call, message, printed};
use super::{Engine, EngineError, State};

const REMEDY: &str = "install Slurm's client programs, or run this where jobs are submitted";

/// A job array of Slurm.
#[derive(Debug)]
pub struct Slurm {
    program: PathBuf,
    /// Most tasks at a time; 0 for no limit.
    jobs: usize,
    /// Further options of `sbatch`, as given, on one line.
    options: String,
    job: Option<String>,
}

impl Slurm {
    /// Runs this program in at most so many tasks at a time (0: no limit), with further options of
    /// `sbatch` such as `--partition=short --account=x`.
    pub fn new(program: PathBuf, jobs: usize, options: &str) -> Result<Self, EngineError> {
        if !options.trim().is_empty() {
            split_command(options)?;
        }
        let options = options.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Self { program, jobs, options, job: None })
    }

    fn script(&self, plan: &Plan, parts: &[usize]) -> String {
        let most = if self.jobs > 0 { format!("%{}", self.jobs) } else { String::new() };
        let options = match self.options.as_str() {
            "" => String::new(),
            given => format!("#SBATCH {given}\n"),
        };
        let [name, log] = [plan.name().to_owned(), shown(&plan.folder().join("logs/%a.log"))];
        let [folder, root] = [quoted(plan.folder()), shown(plan.root())];
        let first = first(parts);
        let indices: Vec<usize> = parts.iter().map(|part| part - first).collect();
        let part = match first {
            0 => String::new(),
            _ => format!(" --part $((SLURM_ARRAY_TASK_ID + {first}))"),
        };
        format!(
            "#!/bin/sh\n\
             # Written by gridsat: one task per part of {folder}.\n\
             # To submit it again: sbatch {}\n\
             #SBATCH --job-name=\"{name}\"\n\
             #SBATCH --array={}{most}\n\
             #SBATCH --output=\"{log}\"\n\
             #SBATCH --chdir=\"{root}\"\n\
             {options}\
             # The part is numbered by SLURM_ARRAY_TASK_ID.\n\
             exec {} work {folder}{part}\n",
            quoted(&script_path(plan)),
            ranges(&indices),
            quoted(&self.program),
        )
    }

    /// Refuses numbers that the cluster does not allow; if it does not say, `sbatch` decides.
    fn check_size(parts: &[usize]) -> Result<(), EngineError> {
        let words = ["show", "config"].map(str::to_owned);
        let Ok(output) = call("scontrol", &words, REMEDY) else { return Ok(()) };
        let text = String::from_utf8_lossy(&output.stdout);
        let line = text.lines().find_map(|line| line.strip_prefix("MaxArraySize"));
        let most = line.and_then(|line| line.trim_start_matches([' ', '=']).trim().parse().ok());
        match most {
            Some(most) if parts.last().is_some_and(|last| last - first(parts) >= most) => {
                Err(EngineError::TooMany { parts: parts.len(), most: most - 1 })
            }
            _ => Ok(()),
        }
    }

    /// The job that an earlier driver submitted, if any.
    fn find_job(&mut self, plan: &Plan) {
        if self.job.is_none() {
            let text = fs::read_to_string(job_path(plan)).unwrap_or_default();
            self.job = text.lines().last().map(str::to_owned).filter(|job| !job.is_empty());
        }
    }
}

/// What the indices of the array count from: 0, unless indices would become too large for an array.
fn first(parts: &[usize]) -> usize {
    let is_large = parts.last().is_some_and(|&last| last >= MOST);
    if is_large { parts[0] } else { 0 }
}

fn script_path(plan: &Plan) -> PathBuf {
    plan.folder().join("array.sbatch")
}

fn job_path(plan: &Plan) -> PathBuf {
    plan.folder().join("slurm.job")
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// A path as one word of the shell.
fn quoted(path: &Path) -> String {
    format!("'{}'", shown(path).replace('\'', "'\\''"))
}

fn save(path: &Path, text: &str) -> Result<(), EngineError> {
    let written = files::write_with(path, |out: &mut dyn Write| out.write_all(text.as_bytes()));
    written.map_err(|error| EngineError::File { path: path.to_owned(), error })
}

impl Engine for Slurm {
    fn submit(&mut self, plan: &Plan, parts: &[usize]) -> Result<(), EngineError> {
        Self::check_size(parts)?;
        let script = script_path(plan);
        save(&script, &self.script(plan, parts))?;
        let words = ["--parsable".to_owned(), shown(&script)];
        let answer = printed("sbatch", &call("sbatch", &words, REMEDY)?)?;
        let job = answer.lines().last().unwrap_or_default();
        let job = job.split(';').next().unwrap_or_default().to_owned();
        if job.is_empty() || !job.bytes().all(|byte| byte.is_ascii_digit()) {
            let (command, expected) = ("sbatch", "the number of a job");
            return Err(EngineError::Answer { command, found: answer, expected });
        }
        save(&job_path(plan), &format!("{job}\n"))?;
        self.job = Some(job);
        Ok(())
    }

    fn state(&mut self, plan: &Plan) -> Result<State, EngineError> {
        self.find_job(plan);
        let Some(job) = &self.job else { return Ok(State::default()) };
        let words = ["--noheader", "--array", "--format=%T", "--jobs", job].map(str::to_owned);
        let output = call("squeue", &words, REMEDY)?;
        // Slurm forgets jobs some minutes after their end.
        if !output.status.success() && message(&output).contains("Invalid job id") {
            return Ok(State::default());
        }
        let text = printed("squeue", &output)?;
        let tasks = || text.lines().map(str::trim).filter(|state| !state.is_empty());
        let waiting = tasks().filter(|&state| state == "PENDING").count();
        Ok(State { waiting, running: tasks().count() - waiting })
    }

    fn cancel(&mut self, plan: &Plan) -> Result<(), EngineError> {
        self.find_job(plan);
        let Some(job) = self.job.take() else { return Ok(()) };
        let output = call("scancel", &[job], REMEDY)?;
        printed("scancel", &output).map(drop)
    }

    fn wait(&mut self) {
        sleep(Duration::from_secs(2));
    }

    fn place(&self) -> Option<String> {
        self.job.as_ref().map(|job| format!("Slurm job {job}"))
    }
}
