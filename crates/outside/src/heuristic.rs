//! A program as a heuristic.
//!
//! A heuristic cannot fail, but a program can. Its failure is kept ([`failure`]), the stop is
//! requested, and every task goes to the first host that can run it: callers see a complete
//! mapping, ask for failures before they use it, and report that instead.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use gridsat_heuristics::{Heuristic, Problem};
use gridsat_model::names::kept;
use gridsat_model::{HostId, TaskId, Ticks};

use crate::question;
use crate::running::{Program, Running};

static FAILURE: Mutex<Option<String>> = Mutex::new(None);

/// Why a program has failed since the last call; the first failure of several.
pub fn failure() -> Option<String> {
    FAILURE.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// The heuristic of a name such as `cmd:python3 mine.py`; the same one for the same name.
pub fn named(name: &str) -> Result<&'static dyn Heuristic, String> {
    static KNOWN: Mutex<BTreeMap<&'static str, &'static ByCommand>> = Mutex::new(BTreeMap::new());
    let program = Program::of(name)?;
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let name = kept(name);
    // Heuristics live as long as the process.
    let make = || &*Box::leak(Box::new(ByCommand { name, program, running: Mutex::new(None) }));
    Ok(*known.entry(name).or_insert_with(make))
}

struct ByCommand {
    name: &'static str,
    program: Program,
    running: Mutex<Option<Running>>,
}

impl ByCommand {
    fn ask(&self, problem: &Problem<'_>) -> Result<Option<Vec<(TaskId, HostId)>>, String> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let mut started = match running.take() {
            Some(running) => running,
            None => self.program.start()?,
        };
        let instance = problem.instance;
        let task_name = |task| instance.task_name(task).to_owned();
        let host_name = |host| instance.host_name(host).to_owned();
        let question = question::question(problem, Ticks(0), task_name, host_name);
        // A program that fails is dropped here, and so killed.
        let Some(line) = started.ask(question, &problem.stop)? else { return Ok(None) };
        let found = question::answer(&line, problem, true).map_err(|why| started.wrong(&why))?;
        *running = Some(started);
        Ok(Some(found))
    }
}

impl Heuristic for ByCommand {
    fn name(&self) -> &'static str {
        self.name
    }

    fn title(&self) -> &'static str {
        self.name
    }

    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)> {
        match self.ask(problem) {
            Ok(found) => found.unwrap_or_default(),
            Err(why) => {
                FAILURE.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
                problem.stop.request();
                anywhere(problem)
            }
        }
    }
}

/// Every task on the first host that can run it.
fn anywhere(problem: &Problem<'_>) -> Vec<(TaskId, HostId)> {
    let instance = problem.instance;
    let first = |task| instance.times(task).next().map(|(host, _)| (task, host));
    instance.tasks().filter_map(first).collect()
}
