//! HyperQueue: the parts are a task array of one job.
//!
//! Its server and workers must be running; `hq` finds them by itself. The number of the job is kept
//! in the folder of the plan, so that a later driver watches the same job.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use gridsat_exact::sat::split_command;
use gridsat_files as files;
use serde::Deserialize;

use super::super::{Plan, ranges};
use super::outside::{call, message, printed};
use super::{Engine, EngineError, State};

const REMEDY: &str = "install HyperQueue and start its server";

/// A task array of HyperQueue.
#[derive(Debug)]
pub struct HyperQueue {
    program: PathBuf,
    /// Further options of `hq submit`.
    options: Vec<String>,
    job: Option<String>,
}

/// What `hq job info` says of a job.
#[derive(Deserialize)]
struct JobInfo {
    info: Info,
}

#[derive(Deserialize)]
struct Info {
    task_stats: Tasks,
}

#[derive(Deserialize)]
struct Tasks {
    running: usize,
    waiting: usize,
}

impl HyperQueue {
    /// Runs this program, with further options of `hq submit` such as `--cpus=2`.
    pub fn new(program: PathBuf, options: &str) -> Result<Self, EngineError> {
        let options = if options.trim().is_empty() { Vec::new() } else { split_command(options)? };
        Ok(Self { program, options, job: None })
    }

    fn find_job(&mut self, plan: &Plan) {
        if self.job.is_none() {
            let text = fs::read_to_string(job_path(plan)).unwrap_or_default();
            self.job = text.lines().last().map(str::to_owned).filter(|job| !job.is_empty());
        }
    }
}

fn job_path(plan: &Plan) -> PathBuf {
    plan.folder().join("hyperqueue.job")
}

impl Engine for HyperQueue {
    fn submit(&mut self, plan: &Plan, parts: &[usize]) -> Result<(), EngineError> {
        let log = plan.folder().join("logs/%{TASK_ID}.log").display().to_string();
        let mut words: Vec<String> = ["--output-mode=quiet", "submit"].map(str::to_owned).to_vec();
        words.push(format!("--array={}", ranges(parts)));
        words.extend([format!("--stdout={log}"), format!("--stderr={log}")]);
        words.push(format!("--name={}", plan.name()));
        words.extend(self.options.clone());
        words.extend(["--".to_owned(), self.program.display().to_string(), "work".to_owned()]);
        words.push(plan.folder().display().to_string());
        let job = printed("hq submit", &call("hq", &words, REMEDY)?)?;
        if job.is_empty() || !job.bytes().all(|byte| byte.is_ascii_digit()) {
            let (command, expected) = ("hq submit", "the number of a job");
            return Err(EngineError::Answer { command, found: job, expected });
        }
        let path = job_path(plan);
        let written = files::write_with(&path, |out: &mut dyn Write| writeln!(out, "{job}"));
        written.map_err(|error| EngineError::File { path, error })?;
        self.job = Some(job);
        Ok(())
    }

    fn state(&mut self, plan: &Plan) -> Result<State, EngineError> {
        self.find_job(plan);
        let Some(job) = &self.job else { return Ok(State::default()) };
        let words = ["--output-mode=json", "job", "info", job].map(str::to_owned);
        let output = call("hq", &words, REMEDY)?;
        // A server that was started anew does not know the job.
        if !output.status.success() && message(&output).contains("not found") {
            return Ok(State::default());
        }
        let text = printed("hq job info", &output)?;
        let jobs: Vec<JobInfo> = serde_json::from_str(&text).map_err(|_| {
            let found = text.chars().take(60).collect();
            EngineError::Answer { command: "hq job info", found, expected: "a list of jobs" }
        })?;
        let Some(JobInfo { info: Info { task_stats } }) = jobs.into_iter().next() else {
            return Ok(State::default());
        };
        Ok(State { waiting: task_stats.waiting, running: task_stats.running })
    }

    fn cancel(&mut self, plan: &Plan) -> Result<(), EngineError> {
        self.find_job(plan);
        let Some(job) = self.job.take() else { return Ok(()) };
        let words = ["job".to_owned(), "cancel".to_owned(), job];
        printed("hq job cancel", &call("hq", &words, REMEDY)?).map(drop)
    }

    fn wait(&mut self) {
        sleep(Duration::from_millis(500));
    }

    fn place(&self) -> Option<String> {
        self.job.as_ref().map(|job| format!("HyperQueue job {job}"))
    }
}
