//! This machine: parts in threads of this process, some at a time.
//!
//! Nothing is started again: a part that fails here would fail again, so its error ends the work.

use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use gridsat_model::Stop;

use super::super::{PartsError, Plan, Worked};
use super::{Engine, EngineError, State};
use crate::campaign::Program;

/// Shortest time between two looks at the parts that are done, and longest.
const LOOKS: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(1)];

/// Threads of this process.
#[derive(Debug)]
pub struct Local {
    program: Program,
    jobs: usize,
    stop: Stop,
    desk: Arc<Desk>,
    threads: Vec<JoinHandle<()>>,
    /// When the parts were last looked at, and how many had ended.
    looked: (Instant, usize),
}

/// What the threads share.
#[derive(Debug, Default)]
struct Desk {
    state: Mutex<Left>,
    /// A part has ended.
    part_ended: Condvar,
    /// A thread has ended.
    thread_ended: Condvar,
}

#[derive(Debug, Default)]
struct Left {
    waiting: VecDeque<usize>,
    /// Threads that have not ended.
    active: usize,
    /// Parts that have ended.
    ended: usize,
    error: Option<PartsError>,
}

impl Local {
    /// At most this many parts at a time, 0 for the number of cores, until a stop is requested.
    pub fn new(program: Program, jobs: usize, stop: Stop) -> Self {
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let jobs = if jobs == 0 { cores() } else { jobs };
        let looked = (Instant::now(), 0);
        Self { program, jobs, stop, desk: Arc::default(), threads: Vec::new(), looked }
    }

    /// Parts at a time.
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// Waits for all threads to end.
    fn join(&mut self) {
        for thread in self.threads.drain(..) {
            if let Err(panic) = thread.join() {
                resume_unwind(panic);
            }
        }
    }
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, Left> {
        self.state.lock().expect("no thread panics with the lock")
    }

    /// Waits while this holds, but not longer.
    fn wait_while(&self, what: &Condvar, longest: Duration, holds: impl Fn(&Left) -> bool) {
        let waited = what.wait_timeout_while(self.lock(), longest, |left: &mut Left| holds(left));
        drop(waited.expect("no thread panics with the lock"));
    }

    /// Takes parts until none waits.
    fn work(&self, plan: &Plan, program: &Program, stop: &Stop) {
        loop {
            let Some(part) = self.lock().waiting.pop_front() else { return };
            let worked = plan.perform(part, program, stop);
            let mut left = self.lock();
            left.ended += 1;
            if !matches!(worked, Ok(Worked::Done)) {
                left.waiting.clear();
            }
            if let Err(error) = worked {
                left.error.get_or_insert(error);
            }
            drop(left);
            self.part_ended.notify_all();
        }
    }
}

/// Says at its end, even after a panic, that a thread has ended.
struct Active(Arc<Desk>);

impl Active {
    fn new(desk: &Arc<Desk>) -> Self {
        desk.lock().active += 1;
        Self(Arc::clone(desk))
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        self.0.lock().active -= 1;
        self.0.part_ended.notify_all();
        self.0.thread_ended.notify_all();
    }
}

impl Engine for Local {
    fn submit(&mut self, plan: &Plan, parts: &[usize]) -> Result<(), EngineError> {
        self.join();
        self.desk.lock().waiting.extend(parts);
        let plan = Arc::new(plan.clone());
        for _ in 0..self.jobs.min(parts.len()) {
            let (plan, program) = (Arc::clone(&plan), self.program.clone());
            let (stop, active) = (self.stop.clone(), Active::new(&self.desk));
            let work = move || active.0.work(&plan, &program, &stop);
            self.threads.push(thread::spawn(work));
        }
        Ok(())
    }

    fn state(&mut self, _: &Plan) -> Result<State, EngineError> {
        let mut left = self.desk.lock();
        let state = State { waiting: left.waiting.len(), running: left.active };
        let error = left.error.take();
        drop(left);
        if state.is_over() || error.is_some() {
            self.join();
        }
        error.map_or(Ok(state), |error| Err(EngineError::Part(Box::new(error))))
    }

    fn cancel(&mut self, _: &Plan) -> Result<(), EngineError> {
        self.desk.lock().waiting.clear();
        self.join();
        Ok(())
    }

    fn wait(&mut self) {
        let (before, ended) = self.looked;
        let [shortest, longest] = LOOKS;
        let is_active = |left: &Left| left.active > 0 && left.error.is_none();
        let desk = &self.desk;
        desk.wait_while(&desk.part_ended, longest, |left| is_active(left) && left.ended == ended);
        let soon = shortest.saturating_sub(before.elapsed());
        desk.wait_while(&desk.thread_ended, soon, is_active);
        self.looked = (Instant::now(), self.desk.lock().ended);
    }

    fn delay(&self) -> Duration {
        Duration::ZERO
    }

    fn place(&self) -> Option<String> {
        None
    }
}
