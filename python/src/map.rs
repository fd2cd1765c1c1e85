//! `map`: heuristics and searches by name.

use std::time::Instant;

use gridsat_heuristics::Heuristics;
use gridsat_heuristics::search::Budget;
use gridsat_lab::bench::{Algorithm, Mapped};
use gridsat_model::Stop;
use pyo3::prelude::*;

use crate::instance::Instance;
use crate::{background, error, number};

/// Name, title, host of each task (None if it was stopped before), seconds.
type Row = (&'static str, &'static str, Option<Vec<u32>>, f64);

/// Maps the instance by each algorithm of a comma-separated list.
#[pyfunction]
pub fn map(
    py: Python<'_>,
    instance: &Bound<'_, Instance>,
    list: &str,
    seed: u64,
    time_limit: Option<f64>,
    evaluations: Option<u64>,
) -> PyResult<Vec<Row>> {
    let problem = &instance.get().0;
    let chosen = Algorithm::choose(list, &Heuristics::built_in());
    let chosen = chosen.map_err(|error| error::input(py, error))?;
    let budget = Budget { evaluations, time: number::duration(time_limit)? };
    let stop = Stop::never();
    let one = |algorithm: Algorithm| {
        let start = Instant::now();
        let mapped = algorithm.map(problem, seed, budget, &stop);
        let hosts = |found: Mapped| found.mapping.hosts().iter().map(|host| host.0).collect();
        let seconds = start.elapsed().as_secs_f64();
        (algorithm.name(), algorithm.title(), mapped.map(hosts), seconds)
    };
    let all = || chosen.into_iter().map(one).collect();
    let mapped = background::quietly(py, &stop, all)?.or_raise()?;
    error::of_programs(py)?;
    Ok(mapped)
}

/// Names and titles of all heuristics and searches.
#[pyfunction]
pub fn algorithms() -> Vec<(&'static str, &'static str)> {
    let all = Algorithm::choose("all,searches", &Heuristics::built_in()).unwrap_or_default();
    all.into_iter().map(|one| (one.name(), one.title())).collect()
}
