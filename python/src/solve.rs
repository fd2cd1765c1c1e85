//! `solve` and `decide`.

use std::sync::Arc;
use std::time::Instant;

use gridsat_exact::solve::{Decided, SolveError, Solver};
use gridsat_exact::strategy::{Event, Strategy};
use gridsat_model::{Stop, Ticks};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::background;
use crate::error;
use crate::instance::Instance;
use crate::number;
use crate::solution::Solution;

/// What the user's function is told: bounds in ticks.
#[derive(Clone, Copy, Default)]
struct Bounds {
    makespan: Option<Ticks>,
    lower_bound: Option<Ticks>,
}

impl Bounds {
    /// Whether the event changed a bound.
    fn see(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Mapping { makespan, .. } => self.makespan = Some(*makespan),
            Event::Bound { value, .. } => self.lower_bound = Some(*value),
            Event::Deciding { .. } | Event::Decided(_) | Event::Certifying { .. } => return false,
        }
        true
    }
}

/// The best mapping, and the exception that ended the search, if any.
#[pyfunction]
#[pyo3(signature = (instance, time_limit, gap, threads, seed, start, strategy, on_progress))]
#[allow(clippy::too_many_arguments, reason = "the Python function beside it has them by name")]
pub fn solve(
    py: Python<'_>,
    instance: &Bound<'_, Instance>,
    time_limit: Option<f64>,
    gap: f64,
    threads: usize,
    seed: u64,
    start: Option<Vec<u32>>,
    strategy: &str,
    on_progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(Solution, Option<PyErr>)> {
    let instance = instance.get();
    let started = Instant::now();
    let stop = Stop::never();
    let strategy = parse(strategy)?;
    let limit = number::duration(time_limit)?;
    let start = start.map(|hosts| instance.mapping(py, hosts)).transpose()?;
    let problem = &instance.0;
    let is_watched = on_progress.is_some();
    let ended = background::run(
        py,
        &stop,
        |sender| {
            let mut solver = Solver::new().gap(gap).seed(seed).threads(threads);
            solver = solver.strategy(strategy).stop(stop.clone());
            if let Some(limit) = limit {
                solver = solver.time_limit(limit);
            }
            if let Some(start) = start {
                solver = solver.start_from(start);
            }
            let mut bounds = Bounds::default();
            let watch = |event: &Event<'_>| {
                if is_watched && bounds.see(event) {
                    // Nobody listens any more only if the caller has panicked.
                    let _ = sender.send(bounds);
                }
            };
            solver.watch(watch).solve(problem)
        },
        |py, Bounds { makespan, lower_bound }| {
            let Some(call) = &on_progress else { return Ok(()) };
            let shown = |ticks: Option<Ticks>| {
                ticks.map(|ticks| number::time(py, problem.scale(), ticks)).transpose()
            };
            let seconds = started.elapsed().as_secs_f64();
            call.call1((seconds, shown(lower_bound)?, shown(makespan)?)).map(|_| ())
        },
    )?;
    let solution = ended.result.map_err(|error| match error {
        SolveError::Start(error) => error::input(py, error),
        error => error::failed(py, error),
    })?;
    Ok((Solution::new(Arc::clone(problem), solution), ended.exception))
}

fn parse(strategy: &str) -> PyResult<Strategy> {
    match strategy {
        "auto" => Ok(Strategy::Auto),
        "sat" => Ok(Strategy::Sat),
        "thesis" => Ok(Strategy::Thesis),
        other => {
            let message = format!("unknown strategy '{other}'; known: auto, sat, thesis");
            Err(PyValueError::new_err(message))
        }
    }
}

/// Whether there is a mapping with makespan at most k, and such a mapping.
#[pyfunction]
pub fn decide(
    py: Python<'_>,
    instance: &Bound<'_, Instance>,
    k: f64,
    time_limit: Option<f64>,
) -> PyResult<(Option<bool>, Option<Vec<u32>>)> {
    let problem = &instance.get().0;
    let k = number::ticks(problem.scale(), k)?;
    let stop = Stop::never();
    let limited = number::duration(time_limit)?.map_or_else(|| stop.clone(), |t| stop.within(t));
    let decide = || gridsat_exact::solve::decide(problem, k, &limited);
    let decided = background::quietly(py, &stop, decide)?.or_raise()?;
    Ok(match decided.map_err(|error| error::failed(py, error))? {
        Decided::Yes(mapping) => (Some(true), Some(mapping.hosts().iter().map(|h| h.0).collect())),
        Decided::No => (Some(false), None),
        Decided::Unknown => (None, None),
    })
}
