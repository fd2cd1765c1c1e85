//! This machine: one process per part, some at a time.

use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::super::Plan;
use super::{Engine, EngineError, State};
use crate::child::with_parent;

/// Processes of this machine, which end when the driver does.
#[derive(Debug)]
pub struct Local {
    program: PathBuf,
    jobs: usize,
    waiting: VecDeque<usize>,
    running: Vec<Child>,
}

impl Local {
    /// At most this many processes of the program at a time.
    pub fn new(program: PathBuf, jobs: usize) -> Self {
        Self { program, jobs: jobs.max(1), waiting: VecDeque::new(), running: Vec::new() }
    }

    fn start(&self, plan: &Plan, part: usize) -> Result<Child, EngineError> {
        let path = plan.log_path(part);
        let file = |error| EngineError::File { path: path.clone(), error };
        let log = File::create(&path).map_err(file)?;
        let mut command = Command::new(&self.program);
        command.arg("work").arg(plan.folder()).args(["--part", &part.to_string()]);
        let mut command = with_parent(&self.program, &command);
        let log_too = log.try_clone().map_err(file)?;
        command.stdin(Stdio::null()).stdout(log).stderr(log_too);
        let name = self.program.display().to_string();
        command.spawn().map_err(|error| EngineError::Start { name, error })
    }

    /// Forgets the processes that have ended.
    fn reap(&mut self) -> io::Result<()> {
        let mut left = Vec::new();
        for mut child in self.running.drain(..) {
            if child.try_wait()?.is_none() {
                left.push(child);
            }
        }
        self.running = left;
        Ok(())
    }
}

impl Engine for Local {
    fn submit(&mut self, _: &Plan, parts: &[usize]) -> Result<(), EngineError> {
        self.waiting.extend(parts);
        Ok(())
    }

    fn state(&mut self, plan: &Plan) -> Result<State, EngineError> {
        self.reap().map_err(|error| EngineError::Start { name: "gridsat work".into(), error })?;
        while self.running.len() < self.jobs {
            let Some(part) = self.waiting.pop_front() else { break };
            let child = self.start(plan, part)?;
            self.running.push(child);
        }
        Ok(State { waiting: self.waiting.len(), running: self.running.len() })
    }

    fn cancel(&mut self, _: &Plan) -> Result<(), EngineError> {
        self.waiting.clear();
        for mut child in self.running.drain(..) {
            // It may have ended just now.
            let _ = child.kill();
            let _ = child.wait();
        }
        Ok(())
    }

    fn pause(&self) -> Duration {
        Duration::from_millis(20)
    }

    fn place(&self) -> String {
        format!("{} at a time on this machine", self.jobs)
    }
}
