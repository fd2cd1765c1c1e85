//! `solve` and `decide`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gridsat_exact::solve::{Decided, SolveError, Solver, Then};
use gridsat_exact::strategy::{Event, Strategy};
use gridsat_model::{Mapping, Stop, Ticks};
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
#[pyo3(signature = (instance, time_limit, gap, threads, seed, start, then, strategy, on_progress))]
#[allow(clippy::too_many_arguments, reason = "the Python function beside it has them by name")]
pub fn solve(
    py: Python<'_>,
    instance: &Bound<'_, Instance>,
    time_limit: Option<f64>,
    gap: f64,
    threads: usize,
    seed: u64,
    start: Option<Vec<u32>>,
    then: Option<&str>,
    strategy: &str,
    on_progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(Solution, Option<PyErr>)> {
    let instance = instance.get();
    let started = Instant::now();
    let stop = Stop::never();
    let strategy = parse(strategy)?;
    let limit = number::duration(time_limit)?;
    let start = start.map(|hosts| instance.mapping(py, hosts)).transpose()?;
    let then = then.map(|name| objective(name, start.as_ref())).transpose()?;
    // With no time for a search, the mapping from elsewhere is only judged.
    let is_judged = limit == Some(Duration::ZERO);
    if is_judged && start.is_some() && then.is_some() {
        return Err(PyValueError::new_err("then needs time: time_limit=0 only judges the start"));
    }
    let problem = &instance.0;
    let is_watched = on_progress.is_some();
    let ended = background::run(
        py,
        &stop,
        |sender| {
            let mut solver = Solver::new().gap(gap).seed(seed).threads(threads);
            solver = solver.strategy(strategy).stop(stop.clone());
            solver = match (start, limit) {
                (Some(start), Some(_)) if is_judged => solver.judge(start),
                (Some(start), Some(limit)) => solver.start_from(start).time_limit(limit),
                (Some(start), None) => solver.start_from(start),
                (None, Some(limit)) => solver.time_limit(limit),
                (None, None) => solver,
            };
            if let Some(then) = then {
                solver = solver.then(then);
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

fn objective(name: &str, start: Option<&Mapping>) -> PyResult<Then> {
    let wrong = |message: String| Err(PyValueError::new_err(message));
    match (name, start) {
        ("total-time", _) => Ok(Then::TotalTime),
        ("fewest-moves", Some(from)) => Ok(Then::FewestMoves { from: from.clone() }),
        ("fewest-moves", None) => wrong("fewest-moves counts from a mapping: give start".into()),
        (other, _) => wrong(format!("unknown then '{other}'; known: total-time, fewest-moves")),
    }
}

/// The hosts in a file with a mapping.
#[pyfunction]
pub fn read_mapping(
    py: Python<'_>,
    instance: &Bound<'_, Instance>,
    path: PathBuf,
) -> PyResult<Vec<u32>> {
    let problem = &instance.get().0;
    let read = py.detach(|| gridsat_model::io::read_mapping(problem, &path));
    let mapping = read.map_err(|error| error::read(py, &error))?;
    Ok(mapping.hosts().iter().map(|host| host.0).collect())
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
