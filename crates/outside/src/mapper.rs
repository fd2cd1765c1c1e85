//! A program as a scheduling policy: the waiting jobs are the tasks of each question.

use gridsat_grid::{Assignment, Mapper, MapperError, View, instance};
use gridsat_heuristics::Problem;
use gridsat_model::{Stop, TaskId, Ticks};

use crate::question;
use crate::running::{Program, Running};

/// A policy that asks a program; started at its first decision and ended with the run.
pub struct ByProgram {
    program: Program,
    running: Option<Running>,
    stop: Stop,
}

impl ByProgram {
    /// A policy of its own for each scheduler.
    pub fn new(program: Program, stop: Stop) -> Self {
        Self { program, running: None, stop }
    }
}

impl Mapper for ByProgram {
    fn name(&self) -> String {
        format!("cmd:{}", self.program.command)
    }

    fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError> {
        let hosts = view.hosts();
        // Ready times are part of the states.
        let columns: Vec<_> = hosts.clone().map(|host| (host, Ticks::ZERO)).collect();
        let Some((instance, jobs)) = instance(view, &columns)? else { return Ok(Vec::new()) };
        let problem = Problem {
            instance: &instance,
            hosts: hosts.clone().map(|host| view.state(host)).collect(),
            levels: jobs.iter().map(|&job| view.job(job).spec.qos).collect(),
            idle: hosts.clone().map(|host| view.idle(host)).collect(),
            sites: hosts.map(|host| view.site(host)).collect(),
            until: view.until(),
            stop: self.stop.clone(),
        };
        let task_name = |task: TaskId| format!("job {}", view.job(jobs[task.index()]).number);
        let host_name = |host| {
            view.host(host)
                .map_or_else(|| format!("scheduler {}", host.0), |host| host.name.to_string())
        };
        let question = question::question(&problem, view.now().0, task_name, host_name);
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.program.start().map_err(MapperError)?,
        };
        let line = running.ask(question, &self.stop).map_err(MapperError)?;
        let Some(line) = line else { return Ok(Vec::new()) };
        let found = question::answer(&line, &problem, false)
            .map_err(|why| MapperError(running.wrong(&why)))?;
        self.running = Some(running);
        let assignment = |(task, host): (TaskId, _)| Assignment { job: jobs[task.index()], host };
        Ok(found.into_iter().map(assignment).collect())
    }
}
