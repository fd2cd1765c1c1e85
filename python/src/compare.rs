//! `compare`: algorithms on an instance, policies in a scenario.

use std::time::Duration;

use gridsat_heuristics::Heuristics;
use gridsat_lab::bench::Algorithm;
use gridsat_lab::compare::{
    self, ClusterOptions, Compared, InstanceOptions, Mean, Replays, ScenarioOptions,
};
use gridsat_model::{Mapping, Scale, Stop};
use gridsat_scenario::AnyScenario;
use pyo3::prelude::*;

use crate::instance::Instance;
use crate::policy::{self, Own, Raised};
use crate::queue_rule::{self, Current};
use crate::simulate::Source;
use crate::{background, error, number};

/// Names of columns with their values.
type Columns = Vec<(&'static str, Option<f64>)>;

/// The proven lower bound, and one row per algorithm: name and columns.
type Compares = (f64, Vec<(String, Columns)>);

/// The same for policies; without a bound for clusters.
type ComparesPolicies = (Option<f64>, Vec<(String, Columns)>);

/// Compares the optimum, heuristics by name, and given mappings.
#[pyfunction]
#[pyo3(signature = (instance, list, given, gap, time_limit, seed, replications))]
#[allow(clippy::too_many_arguments, reason = "the Python function beside it has them by name")]
pub fn compare_instance(
    py: Python<'_>,
    instance: &Bound<'_, Instance>,
    list: &str,
    given: Vec<(String, Vec<u32>, f64)>,
    gap: f64,
    time_limit: Option<f64>,
    seed: u64,
    replications: u32,
) -> PyResult<Compares> {
    let instance = instance.get();
    let algorithms = match list {
        "" => Vec::new(),
        list => Algorithm::choose(list, &Heuristics::built_in())
            .map_err(|error| error::input(py, error))?,
    };
    let options = InstanceOptions { algorithms, evaluations: None, gap, seed, replications };
    let given = given.into_iter().map(|(name, hosts, seconds)| {
        Ok((name, instance.mapping(py, hosts)?, Duration::from_secs_f64(seconds)))
    });
    let given: Vec<(String, Mapping, Duration)> = given.collect::<PyResult<_>>()?;
    let stop = Stop::never();
    let limited = number::duration(time_limit)?.map_or_else(|| stop.clone(), |t| stop.within(t));
    let problem = &*instance.0;
    let work = || {
        let compared = compare::instance(problem, &options, &limited, &mut |_| {});
        let compared = compared.map_err(|error| error.to_string())?;
        let scale = problem.scale();
        let ratio = |mapping: &Mapping| {
            mapping.makespan().as_f64() / compared.lower_bound.as_f64().max(f64::MIN_POSITIVE)
        };
        let built_in = |row: &Compared| {
            let Compared { mapping, replays, time, .. } = row;
            (row.name.to_owned(), columns(scale, mapping, ratio(mapping), replays, *time))
        };
        let mut rows: Vec<_> = compared.rows.iter().map(built_in).collect();
        for (name, mapping, time) in &given {
            let replays = Replays::of(problem, mapping, &options).map_err(|e| e.to_string())?;
            rows.push((name.clone(), columns(scale, mapping, ratio(mapping), &replays, *time)));
        }
        Ok((scale.display(compared.lower_bound).as_f64(), rows))
    };
    let compared: Result<_, String> = background::quietly(py, &stop, work)?.or_raise()?;
    error::of_programs(py)?;
    compared.map_err(|error| error::failed(py, error))
}

/// The columns of `gridsat compare --format csv`.
fn columns(
    scale: Scale,
    mapping: &Mapping,
    ratio: f64,
    replays: &Replays,
    time: Duration,
) -> Columns {
    let unit = scale.ticks_per_unit().as_f64();
    let Replays { dedicated, shared, loaded, misjudged } = replays;
    let columns = [
        ("makespan", scale.display(mapping.makespan()).as_f64()),
        ("ratio", ratio),
        ("mean_flow", dedicated.mean_flow / unit),
        ("shared_makespan", shared.makespan / unit),
        ("shared_mean_flow", shared.mean_flow / unit),
        ("loaded_makespan", loaded.mean / unit),
        ("loaded_ratio", loaded.mean_ratio),
        ("loaded_worst_ratio", loaded.max_ratio),
        ("misjudged_makespan", misjudged.mean / unit),
        ("misjudged_ratio", misjudged.mean_ratio),
        ("misjudged_worst_ratio", misjudged.max_ratio),
        ("seconds", time.as_secs_f64()),
    ];
    columns.map(|(name, value)| (name, Some(value))).to_vec()
}

/// Compares policies by name; those in Python are in `own`. The bound is None for clusters.
#[pyfunction]
pub fn compare_scenario(
    py: Python<'_>,
    source: Source,
    policies: Vec<String>,
    own: Vec<Own>,
    seed: Option<u64>,
    replications: u32,
) -> PyResult<ComparesPolicies> {
    let (raised, stop) = (Raised::default(), Stop::never());
    let scenario = source.read(py, &policy::with(&own, &raised)?)?;
    let work = || match &scenario {
        AnyScenario::Grid(scenario) => {
            let stop = stop.clone();
            let options = ScenarioOptions { policies, seed, replications, evaluations: None, stop };
            let compared = compare::scenario(scenario, &options, &mut |_| {});
            let compared = compared.map_err(|error| error.to_string())?;
            let row = |row: &compare::PolicyRow| {
                let measures = [
                    ("makespan", Some(row.makespan)),
                    ("ratio", row.ratio),
                    ("flow", Some(row.flow)),
                    ("utilisation", Some(row.utilisation)),
                    ("jobs_per_resource", Some(row.mean_jobs)),
                    ("scheduling_seconds", Some(row.scheduling)),
                    ("spent", row.economy.map(|economy| economy.spent)),
                    ("missed", row.economy.map(|economy| economy.missed)),
                    ("not_affordable", row.economy.map(|economy| economy.not_affordable)),
                ];
                (row.policy.clone(), means(&measures))
            };
            let bound = compared.known.map(|known| known.bound.mean);
            Ok((bound, compared.rows.iter().map(row).collect()))
        }
        AnyScenario::Clusters(scenario) => {
            let defined = own.iter().map(|own| queue_rule::policy(&own.name)).collect();
            let (scale, raised, stop) = (scenario.scale(), raised.clone(), stop.clone());
            let options =
                ClusterOptions { policies, defined, seed, replications, stop: stop.clone() };
            let compared =
                queue_rule::during(Current { functions: own, scale, raised, stop }, || {
                    compare::clusters(scenario, &options, &mut |_| {})
                });
            let compared = compared.map_err(|error| error.to_string())?;
            let row = |row: &compare::ClusterRow| {
                let measures = [
                    ("makespan", Some(row.makespan)),
                    ("wait", Some(row.wait)),
                    ("max_wait", Some(row.max_wait)),
                    ("bounded_slowdown", Some(row.bounded_slowdown)),
                    ("queue_depth", Some(row.queue_depth)),
                    ("utilisation", Some(row.utilisation)),
                ];
                let mut columns = means(&measures);
                columns.push(("undone", Some(row.undone as f64)));
                (row.policy.clone(), columns)
            };
            Ok((None, compared.rows.iter().map(row).collect()))
        }
    };
    let ended = background::quietly(py, &stop, work)?;
    if let Some(error) = raised.take() {
        return Err(error);
    }
    let compared: Result<_, String> = ended.or_raise()?;
    compared.map_err(|error| error::input(py, error))
}

/// Mean and standard deviation of each measure; no deviation with one replication.
fn means(measures: &[(&'static str, Option<Mean>)]) -> Columns {
    let mean = |&(name, mean): &(&'static str, Option<Mean>)| (name, mean.map(|mean| mean.mean));
    measures.iter().map(mean).collect()
}
