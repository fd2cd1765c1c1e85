//! The driver: submits the parts that are missing and watches until none is.

use std::thread::sleep;
use std::time::{Duration, Instant};

use gridsat_model::Stop;

use super::super::{PartsError, Plan, ranges};
use super::outside::last_words;
use super::{Engine, EngineError, State};

/// Times that a part is submitted before the driver gives up.
const ATTEMPTS: usize = 3;
/// How long a scheduler may be silent, as while its controller is restarted.
const SILENCE: Duration = Duration::from_secs(600);
/// Files of finished parts may be seen this much later on another machine.
const DELAY: Duration = Duration::from_secs(1);

/// Sees the progress.
pub trait Watch {
    /// Parts that are done, are being worked on and have failed, of all.
    fn parts(&self, done: usize, running: usize, failed: usize, of: usize);
    /// Something that should be read.
    fn say(&self, text: &str);
}

/// How the driver ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driven {
    /// Every part is there.
    Complete,
    /// A stop was requested, and the processes were ended.
    Stopped,
}

/// Has the engine work on all parts that are missing.
pub fn drive(
    plan: &Plan,
    engine: &mut dyn Engine,
    stop: &Stop,
    watch: &dyn Watch,
) -> Result<Driven, PartsError> {
    let mut attempts = 0;
    loop {
        if !watch_until_over(plan, engine, stop, watch)? {
            engine.cancel(plan)?;
            return Ok(Driven::Stopped);
        }
        let missing = plan.missing();
        if missing.is_empty() {
            return Ok(Driven::Complete);
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
        watch.say(&format!("{} parts: {}", missing.len(), engine.place()));
    }
}

fn failed(plan: &Plan, missing: &[usize]) -> EngineError {
    let part = missing[0];
    let log = plan.log_path(part);
    let words = last_words(&log);
    EngineError::Failed { parts: ranges(missing), attempts: ATTEMPTS, part, log, words }
}

/// Waits until nothing is at work or every part has a file; false if a stop was requested.
fn watch_until_over(
    plan: &Plan,
    engine: &mut dyn Engine,
    stop: &Stop,
    watch: &dyn Watch,
) -> Result<bool, PartsError> {
    let mut heard = Instant::now();
    let mut was_over = false;
    loop {
        if stop.is_requested() {
            return Ok(false);
        }
        let state = match engine.state(plan) {
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
        let done = (0..plan.parts()).filter(|&part| plan.has_file(part)).count();
        let State { waiting, running } = state.unwrap_or_default();
        let failed =
            if state.is_some_and(State::is_over) && was_over { plan.parts() - done } else { 0 };
        watch.parts(done, running.min(plan.parts() - done), failed, plan.parts());
        let is_over = waiting == 0 && state.is_some_and(State::is_over);
        if done == plan.parts() || is_over && was_over {
            return Ok(true);
        }
        was_over = is_over;
        // Nothing submitted yet, or all has just ended: look once more before judging.
        sleep(if is_over { DELAY.min(engine.pause()) } else { engine.pause() });
    }
}

fn silent(engine: &dyn Engine, heard: Instant, error: &EngineError) -> Result<(), EngineError> {
    if heard.elapsed() < SILENCE {
        return Ok(());
    }
    let (place, message) = (engine.place(), error.to_string());
    Err(EngineError::Silent { place, minutes: SILENCE.as_secs() / 60, message })
}
