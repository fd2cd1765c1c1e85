//! Runs algorithms on all instances of a set and checks every makespan.

use std::time::{Duration, Instant};

use thiserror::Error;

use super::{Algorithm, Mapped, Set, SetError, SetInstance};
use gridsat_check::verify::{Rejection, verify_mapping};
use gridsat_heuristics::search::Budget;
use gridsat_model::{Instance, Scale, Stop, Ticks};

/// Settings of the runs. Seeds, runs and evaluations apply to searches only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Seed of the first run; later runs have consecutive seeds.
    pub seed: u64,
    /// Number of runs of each search on each instance.
    pub runs: u32,
    /// Limits of each run; the time limit applies to heuristics too.
    pub budget: Budget,
}

/// One run of one algorithm on one instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Index of the instance in the set.
    pub entry: usize,
    /// Index of the algorithm in the list.
    pub algorithm: usize,
    /// The seed, if it is a search.
    pub seed: Option<u64>,
    /// The makespan computed by the checker.
    pub makespan: Ticks,
    /// The scale for printing it.
    pub scale: Scale,
    /// Number of makespans computed, if it is a search.
    pub evaluations: Option<u64>,
    /// Whether the search ended at a limit.
    pub is_cut_short: bool,
    /// Wall-clock time of the algorithm alone.
    pub time: Duration,
}

/// The run that is about to start.
pub struct Step<'a> {
    /// Number of instances completed.
    pub done: usize,
    /// Total number of instances.
    pub of: usize,
    /// The instance that is mapped next.
    pub entry: &'a SetInstance,
    /// The algorithm that maps it.
    pub algorithm: Algorithm,
}

/// Number of timings of a heuristic, of which the shortest counts: microseconds depend on the state
/// of the caches.
const TIMINGS: u32 = 3;

/// Why a benchmark ended without a result.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum BenchError {
    #[error(transparent)]
    Set(#[from] SetError),
    #[error("{instance}: the mapping of {algorithm} is wrong: {reason}")]
    Rejected { instance: String, algorithm: &'static str, reason: Box<Rejection> },
    #[error("{instance}: {algorithm} claims makespan {claimed}, its mapping has {found}")]
    Claim { instance: String, algorithm: &'static str, claimed: Ticks, found: Ticks },
    #[error("{instance}: {algorithm} reaches {makespan}, below the lower bound {lower_bound}")]
    Bound { instance: String, algorithm: &'static str, makespan: Ticks, lower_bound: Ticks },
}

/// Runs all algorithms, instance by instance. An instance on which an algorithm did not finish is
/// left out; if `stop` is requested, all later ones are left out too.
pub fn run(
    set: &Set,
    algorithms: &[Algorithm],
    options: &Options,
    stop: &Stop,
    watch: &mut dyn FnMut(&Step<'_>),
) -> Result<Vec<Outcome>, BenchError> {
    let mut outcomes = Vec::new();
    for (number, entry) in set.entries.iter().enumerate() {
        let instance = set.load(entry)?;
        let mut watch =
            |algorithm| watch(&Step { done: number, of: set.entries.len(), entry, algorithm });
        let all = on_instance(entry, &instance, algorithms, options, stop, &mut watch)?;
        let all = all.into_iter().flatten();
        outcomes.extend(all.map(|outcome| Outcome { entry: number, ..outcome }));
        if stop.is_due() {
            break;
        }
    }
    Ok(outcomes)
}

/// `None` if an algorithm did not finish.
fn on_instance(
    entry: &SetInstance,
    instance: &Instance,
    algorithms: &[Algorithm],
    options: &Options,
    stop: &Stop,
    watch: &mut dyn FnMut(Algorithm),
) -> Result<Option<Vec<Outcome>>, BenchError> {
    let mut all = Vec::new();
    for (place, &algorithm) in algorithms.iter().enumerate() {
        watch(algorithm);
        for seed in seeds(algorithm, options) {
            let one = one(algorithm, entry, instance, seed, options.budget, stop)?;
            let Some(one) = one.filter(|_| !stop.is_due()) else { return Ok(None) };
            all.push(Outcome { algorithm: place, ..one });
        }
    }
    Ok(Some(all))
}

/// A heuristic runs once, because it is deterministic.
fn seeds(algorithm: Algorithm, options: &Options) -> Vec<Option<u64>> {
    if !algorithm.is_search() {
        return vec![None];
    }
    (0..options.runs).map(|run| Some(options.seed.wrapping_add(run.into()))).collect()
}

fn one(
    algorithm: Algorithm,
    entry: &SetInstance,
    instance: &Instance,
    seed: Option<u64>,
    budget: Budget,
    stop: &Stop,
) -> Result<Option<Outcome>, BenchError> {
    let map = || {
        let start = Instant::now();
        let found = algorithm.map(instance, seed.unwrap_or_default(), budget, stop);
        (found, start.elapsed())
    };
    let (mapped, mut time) = map();
    let Some(Mapped { mapping, evaluations, is_cut_short }) = mapped else { return Ok(None) };
    if !algorithm.is_search() {
        let again = (1..TIMINGS).map(|_| map()).filter(|(mapped, _)| mapped.is_some());
        time = again.map(|(_, time)| time).fold(time, Duration::min);
    }
    let (name, claimed) = (algorithm.name(), mapping.makespan());
    let hosts = mapping.hosts().iter().map(|host| host.0).collect();
    let found = verify_mapping(instance, hosts).map_err(|reason| BenchError::Rejected {
        instance: entry.name.clone(),
        algorithm: name,
        reason: reason.into(),
    })?;
    let (scale, instance) = (instance.scale(), entry.name.clone());
    if found != claimed {
        return Err(BenchError::Claim { instance, algorithm: name, claimed, found });
    }
    let lower_bound = entry.lower_bound;
    if found < lower_bound {
        let makespan = found;
        return Err(BenchError::Bound { instance, algorithm: name, makespan, lower_bound });
    }
    let makespan = found;
    let (entry, algorithm) = (0, 0);
    Ok(Some(Outcome { entry, algorithm, seed, makespan, scale, evaluations, is_cut_short, time }))
}
