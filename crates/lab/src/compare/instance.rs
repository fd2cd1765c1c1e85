//! Comparison of the optimum, heuristics and searches on one instance.
//!
//! Every mapping is replayed: dedicated, where the simulator must agree to the tick; time-shared;
//! and several times each under local load and with estimate errors, with the same seeds for all.

use std::time::{Duration, Instant};

use thiserror::Error;

use super::Turn;
use super::replay::{Condition, Replay, ReplayError, Replayed};
use crate::bench::{Algorithm, Mapped};
use gridsat_exact::solve::{SolveError, Solver};
use gridsat_exact::strategy::Event;
use gridsat_heuristics::search::Budget;
use gridsat_heuristics::{Heuristic, OnLine};
use gridsat_model::Stop;
use gridsat_model::{Instance, Mapping, Ticks};

/// Settings of a comparison.
pub struct InstanceOptions {
    /// The algorithms to compare with the optimum.
    pub algorithms: Vec<Algorithm>,
    /// Most evaluations of a search.
    pub evaluations: Option<u64>,
    /// Relative gap at which the search for the optimum stops.
    pub gap: f64,
    /// Seed of all searches and of the first replay; later replays have consecutive seeds.
    pub seed: u64,
    /// Number of replays under local load, and of replays with estimate errors.
    pub replications: u32,
}

/// Why the comparison failed.
#[derive(Debug, Error)]
pub enum InstanceError {
    /// The search for the optimum failed.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The simulator disagrees.
    #[error("{algorithm}: {error}")]
    Replay {
        /// The algorithm whose mapping was replayed.
        algorithm: &'static str,
        /// How the replay differs from the mapping, or why there is none.
        error: ReplayError,
    },
}

/// The compared algorithms.
#[derive(Debug)]
pub struct InstanceComparison {
    /// The optimum, or the best mapping found in time; then the algorithms in order.
    pub rows: Vec<Compared>,
    /// Algorithms that were not run because of an interrupt.
    pub not_run: Vec<&'static str>,
    /// A proven lower bound on the makespan.
    pub lower_bound: Ticks,
}

impl InstanceComparison {
    /// Whether the first row is proven optimal.
    pub fn is_closed(&self) -> bool {
        self.rows[0].mapping.makespan() == self.lower_bound
    }

    /// Makespan divided by the lower bound.
    pub fn ratio(&self, row: &Compared) -> f64 {
        ratio(row.mapping.makespan().as_f64(), self.lower_bound)
    }
}

/// Results of one algorithm.
#[derive(Debug)]
pub struct Compared {
    /// The name on the command line.
    pub name: &'static str,
    /// The name in the literature.
    pub title: &'static str,
    /// The mapping that is replayed.
    pub mapping: Mapping,
    /// Its computing time.
    pub time: Duration,
    /// Results of the simulator.
    pub replays: Replays,
}

/// Replays of one mapping; times in ticks.
#[derive(Debug)]
pub struct Replays {
    /// Dedicated hosts; the makespan is that of the mapping, otherwise the comparison fails.
    pub dedicated: Replayed,
    /// Time-shared hosts.
    pub shared: Replayed,
    /// Under local load.
    pub loaded: Spread,
    /// With estimate errors.
    pub misjudged: Spread,
}

/// Makespans of several replays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The mean, in ticks.
    pub mean: f64,
    /// The mean divided by the makespan of the mapping.
    pub mean_ratio: f64,
    /// The largest divided by the makespan of the mapping.
    pub max_ratio: f64,
}

/// An event of the method that runs now.
pub enum Watched<'a, 'b> {
    /// The search for the optimum.
    Search(&'a Event<'b>),
    /// An algorithm starts or ends.
    Algorithm(Turn<'a>),
}

/// Runs the comparison. The deadline of `stop` limits only the search for the optimum; if a stop is
/// requested, algorithms that are not finished by then are left out.
pub fn instance(
    instance: &Instance,
    options: &InstanceOptions,
    stop: &Stop,
    watch: &mut dyn FnMut(Watched<'_, '_>),
) -> Result<InstanceComparison, InstanceError> {
    let solver = Solver::new().gap(options.gap).seed(options.seed).stop(stop.clone());
    let solution = solver.watch(|event| watch(Watched::Search(event))).solve(instance)?;
    let title = if solution.is_optimal() { "optimum" } else { "best found" };
    let lower_bound = solution.lower_bound().ticks();
    let replay = Replay::new(instance, reference(instance));
    let row = |name, title, mapping: Mapping, time| match replays(&replay, &mapping, options) {
        Ok(replays) => Ok(Compared { name, title, mapping, time, replays }),
        Err(error) => Err(InstanceError::Replay { algorithm: name, error }),
    };
    let mut rows = vec![row("optimum", title, solution.mapping().clone(), solution.time)?];
    let (mut not_run, interrupt) = (Vec::new(), stop.without_deadline());
    let budget = Budget { evaluations: options.evaluations, time: None };
    for algorithm in &options.algorithms {
        let name = algorithm.name();
        watch(Watched::Algorithm(Turn::Begins(name)));
        let start = Instant::now();
        let mapped = algorithm.map(instance, options.seed, budget, &interrupt);
        match mapped.filter(|_| !interrupt.is_requested()) {
            Some(Mapped { mapping, .. }) => {
                watch(Watched::Algorithm(Turn::Ends(name)));
                rows.push(row(name, algorithm.title(), mapping, start.elapsed())?);
            }
            None => not_run.push(name),
        }
    }
    Ok(InstanceComparison { rows, not_run, lower_bound })
}

impl Replays {
    /// Replays one mapping, as [`instance`] does for each row.
    pub fn of(
        instance: &Instance,
        mapping: &Mapping,
        options: &InstanceOptions,
    ) -> Result<Self, ReplayError> {
        replays(&Replay::new(instance, reference(instance)), mapping, options)
    }
}

/// A makespan that is fast to compute and independent of the progress of the search.
fn reference(instance: &Instance) -> Ticks {
    OnLine::Mct.map(instance).makespan()
}

fn replays(
    replay: &Replay<'_>,
    mapping: &Mapping,
    options: &InstanceOptions,
) -> Result<Replays, ReplayError> {
    let spread = |condition: fn(u64) -> Condition| -> Result<Spread, ReplayError> {
        let seeds = (0..options.replications).map(|i| options.seed.wrapping_add(i.into()));
        let runs = seeds.map(|seed| replay.run(mapping, condition(seed)));
        let makespans =
            runs.map(|run| Ok(run?.makespan)).collect::<Result<Vec<_>, ReplayError>>()?;
        Ok(Spread::of(&makespans, mapping.makespan()))
    };
    Ok(Replays {
        dedicated: replay.run(mapping, Condition::Dedicated)?,
        shared: replay.run(mapping, Condition::Shared)?,
        loaded: spread(|seed| Condition::Loaded { seed })?,
        misjudged: spread(|seed| Condition::Misjudged { seed })?,
    })
}

impl Spread {
    fn of(makespans: &[f64], own: Ticks) -> Self {
        let mean = makespans.iter().sum::<f64>() / makespans.len() as f64;
        let max = makespans.iter().copied().fold(0.0, f64::max);
        Self { mean, mean_ratio: ratio(mean, own), max_ratio: ratio(max, own) }
    }
}

/// 0 / 0 counts as 1.
fn ratio(makespan: f64, of: Ticks) -> f64 {
    if makespan == 0.0 && of == Ticks(0) { 1.0 } else { makespan / of.as_f64() }
}
