//! The driver: submits the parts that are missing, watches until none is, and merges.

use std::collections::BTreeSet;
use std::thread::sleep;
use std::time::{Duration, Instant};

use gridsat_model::Stop;

use super::super::lock::Lock;
use super::super::{Merged, PartsError, Plan, ranges};
use super::outside::last_words;
use super::{Engine, EngineError, State};
use crate::campaign::Program;

/// Times that a part is submitted before the driver gives up.
const ATTEMPTS: usize = 3;
/// How long a scheduler may be silent, as while its controller is restarted.
const SILENCE: Duration = Duration::from_secs(600);

/// Sees the progress.
pub trait Watch {
    /// Parts that are done, are being worked on and have failed, of all.
    fn parts(&self, done: usize, running: usize, failed: usize, of: usize);
    /// Something that should be read.
    fn say(&self, text: &str);
    /// The file of a part was seen for the first time.
    fn done(&self, _: &Plan, _: usize) -> Result<(), PartsError> {
        Ok(())
    }
}

/// How the driver ended.
#[derive(Debug)]
pub enum Driven<T> {
    /// Every part is there.
    Complete(T),
    /// A stop was requested, and the work was ended.
    Stopped {
        /// Parts that are there.
        done: usize,
        /// All parts.
        of: usize,
    },
}

/// Has the engine work on what is missing, round after round, and merges.
pub fn finish(
    mut plan: Plan,
    engine: &mut dyn Engine,
    program: &Program,
    stop: &Stop,
    watch: &dyn Watch,
) -> Result<Driven<Merged>, PartsError> {
    plan.check(program)?;
    let _lock = Lock::new(&plan)?;
    let mut damaged = 0;
    loop {
        if let Driven::Stopped { done, of } = drive(&plan, engine, stop, watch)? {
            return Ok(Driven::Stopped { done, of });
        }
        match plan.merge(program, stop)? {
            // The open cases of a proof are the parts of a further round.
            Merged::Missing(_) if plan.has_rounds() => plan = Plan::open(plan.folder())?,
            Merged::Missing(parts) if damaged == ATTEMPTS => {
                return Err(failed(&plan, &parts).into());
            }
            Merged::Missing(_) => damaged += 1,
            merged => return Ok(Driven::Complete(merged)),
        }
    }
}

/// Has the engine work on all parts that are missing.
fn drive(
    plan: &Plan,
    engine: &mut dyn Engine,
    stop: &Stop,
    watch: &dyn Watch,
) -> Result<Driven<()>, PartsError> {
    // From here on a file is a part that is done.
    plan.remove(&plan.missing())?;
    let mut watched = Watched { plan, watch, seen: BTreeSet::new() };
    let mut attempts = 0;
    loop {
        let is_over = watched.until_over(engine, stop, attempts > 0)?;
        if !is_over {
            engine.cancel(plan)?;
            watched.look()?;
        }
        let missing = watched.missing();
        if missing.is_empty() {
            return Ok(Driven::Complete(()));
        }
        if !is_over {
            return Ok(Driven::Stopped { done: watched.seen.len(), of: plan.parts() });
        }
        if attempts == ATTEMPTS {
            return Err(failed(plan, &missing).into());
        }
        if attempts > 0 {
            let log = plan.log_path(missing[0]);
            let (parts, words) = (ranges(&missing), last_words(&log));
            watch.say(&format!("missing: {parts}; submitted again ({}: {words})", log.display()));
        }
        attempts += 1;
        engine.submit(plan, &missing)?;
        if let Some(place) = engine.place() {
            watch.say(&format!("{} parts: {place}", missing.len()));
        }
    }
}

fn failed(plan: &Plan, missing: &[usize]) -> EngineError {
    let part = missing[0];
    let log = plan.log_path(part);
    let words = last_words(&log);
    EngineError::Failed { parts: ranges(missing), attempts: ATTEMPTS, part, log, words }
}

/// A plan that is being worked on.
struct Watched<'a> {
    plan: &'a Plan,
    watch: &'a dyn Watch,
    /// Parts whose files were seen.
    seen: BTreeSet<usize>,
}

impl Watched<'_> {
    fn missing(&self) -> Vec<usize> {
        (0..self.plan.parts()).filter(|part| !self.seen.contains(part)).collect()
    }

    /// Looks for files that were not seen before.
    fn look(&mut self) -> Result<(), PartsError> {
        for part in self.plan.files() {
            if self.seen.insert(part) {
                self.watch.done(self.plan, part)?;
            }
        }
        Ok(())
    }

    /// Waits until nothing is at work or every part has a file; false if a stop was requested.
    fn until_over(
        &mut self,
        engine: &mut dyn Engine,
        stop: &Stop,
        was_submitted: bool,
    ) -> Result<bool, PartsError> {
        let mut heard = Instant::now();
        let mut was_over = false;
        while !stop.is_requested() {
            let state = engine.state(self.plan);
            self.look()?;
            let state = match state {
                Ok(state) => {
                    heard = Instant::now();
                    Some(state)
                }
                Err(error @ EngineError::Refused { .. }) => {
                    silent(engine, heard, &error)?;
                    None
                }
                Err(error) => return Err(error.into()),
            };
            let (done, of) = (self.seen.len(), self.plan.parts());
            let is_over = state.is_some_and(State::is_over);
            let is_certain = is_over && (was_over || engine.delay().is_zero());
            let failed = if is_certain && was_submitted { of - done } else { 0 };
            let running = state.map_or(0, |state| state.running).min(of - done);
            self.watch.parts(done, running, failed, of);
            if done == of || is_certain {
                return Ok(true);
            }
            // Nothing submitted yet, or all has just ended: look once more before judging.
            if is_over {
                sleep(engine.delay())
            } else {
                engine.wait()
            }
            was_over = is_over;
        }
        Ok(false)
    }
}

fn silent(engine: &dyn Engine, heard: Instant, error: &EngineError) -> Result<(), EngineError> {
    if heard.elapsed() < SILENCE {
        return Ok(());
    }
    let (place, message) = (engine.place().unwrap_or_default(), error.to_string());
    Err(EngineError::Silent { place, minutes: SILENCE.as_secs() / 60, message })
}
