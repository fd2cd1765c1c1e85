//! Some of the runs of an experiment, which are done together.
//!
//! Runs have numbers, their places in the result. A part is a range of them. Its lines are those of
//! the result, so that all parts one after the other are the result. Outcomes depend only on point,
//! seed and algorithm: the bytes are the same wherever, whenever and in whatever order parts are
//! done. A run that fails, even by a panic, is recorded with its error; the others continue. Only a
//! program of the user (`cmd:`) that fails ends all of them: it would fail again and again.

use std::any::Any;
use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::describe::Experiment;
use super::error::{ExperimentError, ResultError};
use super::id::{AlgorithmId, PointId, Replication, RunId};
use super::outcomes::Outcomes;
use super::points::Points;
use super::result::{Outcome, line, parse_line};
use super::subject::{Prepared, SubjectError};
use gridsat_model::Stop;

/// Points that are measured before parts are made.
const SAMPLES: usize = 5;

/// Runs this range, in order; `None` if a stop was requested. Returns one line per run.
pub(crate) fn run_part(
    experiment: &Experiment,
    points: &Points,
    range: Range<usize>,
    stop: &Stop,
) -> Result<Option<Vec<String>>, ExperimentError> {
    let mut lines = Vec::with_capacity(range.len());
    for place in range {
        let run = RunId::at(place, experiment);
        let outcome = outcome(experiment, points.get(experiment, run.point, stop)?, run)?;
        if stop.is_due() {
            // The run may have ended early because of the stop.
            return Ok(None);
        }
        lines.push(line(run, &outcome));
    }
    Ok(Some(lines))
}

/// Runs one run at its prepared point.
fn outcome(
    experiment: &Experiment,
    point: &dyn Prepared,
    run: RunId,
) -> Result<Outcome, ExperimentError> {
    let algorithm = &experiment.algorithms[run.algorithm];
    let seed = experiment.world_seed(run.replication);
    Ok(match catch_unwind(AssertUnwindSafe(|| point.run(algorithm, seed))) {
        Ok(Ok(values)) => {
            let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
            Outcome::Values(values.into_iter().map(finite).collect())
        }
        Ok(Err(SubjectError::Program(why))) => return Err(ExperimentError::Program(why)),
        Ok(Err(error)) => Outcome::Error(error.to_string()),
        Err(panic) => Outcome::Error(format!("panicked: {}", message(&*panic))),
    })
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without a message").to_owned()
}

/// The outcomes in the lines of a part, which must be exactly those of the range.
pub(crate) fn read_part(
    experiment: &Experiment,
    range: Range<usize>,
    lines: &[String],
) -> Result<Outcomes, ResultError> {
    let expected = range.len();
    if lines.len() != expected {
        return Err(ResultError::Runs { found: lines.len(), expected });
    }
    let mut outcomes = Outcomes::new(experiment.metrics.len());
    for (expected, text) in range.zip(lines) {
        let (run, outcome) = parse_line(text, experiment)?;
        match run.place(experiment) {
            Some(found) if found != expected => {
                return Err(ResultError::Order { found, expected });
            }
            _ => outcomes.push(outcome),
        }
    }
    Ok(outcomes)
}

/// The seconds that each run takes, estimated from the first world of a few points. No run is
/// started after this much time.
pub(crate) fn seconds_of_runs(
    experiment: &Experiment,
    prepared: &Points,
    most: Duration,
    stop: &Stop,
) -> Result<Vec<f64>, ExperimentError> {
    let start = Instant::now();
    let mut measured: BTreeMap<AlgorithmId, Vec<(PointId, f64)>> = BTreeMap::new();
    let last = experiment.point_count() - 1;
    let mut points: Vec<usize> = (0..SAMPLES).map(|one| one * last / (SAMPLES - 1)).collect();
    points.dedup();
    for point in points.into_iter().map(PointId) {
        let at = prepared.get(experiment, point, stop)?;
        for algorithm in experiment.algorithms.ids() {
            if start.elapsed() > most || stop.is_due() {
                continue;
            }
            let begin = Instant::now();
            let run = RunId { point, replication: Replication(0), algorithm };
            outcome(experiment, at, run)?;
            measured.entry(algorithm).or_default().push((point, begin.elapsed().as_secs_f64()));
        }
    }
    let all = || measured.values().flatten().map(|&(_, seconds)| seconds);
    let mean = all().sum::<f64>() / (all().count().max(1) as f64);
    let of = |run: RunId| {
        let near = measured.get(&run.algorithm).into_iter().flatten();
        let near = near.min_by_key(|(point, _)| point.0.abs_diff(run.point.0));
        near.map_or(mean, |&(_, seconds)| seconds)
    };
    Ok(experiment.runs().map(of).collect())
}
