//! The optimum and the heuristics on one instance.
//!
//! Every mapping is replayed: dedicated, where the simulator must agree to the tick; time-shared;
//! and some times each under local load and with misjudged times, from seeds that are the same for
//! all.

use std::time::{Duration, Instant};

use thiserror::Error;

use super::replay::{Condition, Replay, ReplayError, Replayed};
use gridsat_exact::solve::{SolveError, Solver};
use gridsat_exact::strategy::Event;
use gridsat_heuristics::{Heuristic, Heuristics, OnLine};
use gridsat_model::Stop;
use gridsat_model::{Instance, Mapping, Ticks};

/// What to compare, and how thoroughly.
pub struct InstanceOptions {
    /// Which heuristics, besides the optimum.
    pub heuristics: Heuristics,
    /// How far from the optimum the search may stop, relative.
    pub gap: f64,
    /// Where the search starts, and the seeds of the replays: this one and those after it.
    pub seed: u64,
    /// Replays under local load, and as many with misjudged times.
    pub replications: u32,
}

/// Why there is nothing to compare.
#[derive(Debug, Error)]
pub enum InstanceError {
    /// No optimum to compare with.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The simulator disagrees.
    #[error("{algorithm}: {error}")]
    Replay {
        /// Whose mapping it is.
        algorithm: &'static str,
        /// What went wrong.
        error: ReplayError,
    },
}

/// The algorithms, side by side.
#[derive(Debug)]
pub struct InstanceComparison {
    /// The optimum, or the best mapping found in time; then the heuristics as listed.
    pub rows: Vec<Compared>,
    /// Heuristics that an interrupt left no time for.
    pub not_run: Vec<&'static str>,
    /// No makespan is below this.
    pub lower_bound: Ticks,
}

impl InstanceComparison {
    /// Whether the first row is proven optimal.
    pub fn is_closed(&self) -> bool {
        self.rows[0].mapping.makespan() == self.lower_bound
    }

    /// Makespan over the lower bound.
    pub fn ratio(&self, row: &Compared) -> f64 {
        ratio(row.mapping.makespan().as_f64(), self.lower_bound)
    }
}

/// One algorithm.
#[derive(Debug)]
pub struct Compared {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name in the literature.
    pub title: &'static str,
    /// What it found.
    pub mapping: Mapping,
    /// How long it took.
    pub time: Duration,
    /// What the simulator says.
    pub replays: Replays,
}

/// One mapping in the simulator; times in ticks.
#[derive(Debug)]
pub struct Replays {
    /// Its makespan is that of the mapping, or there were no row.
    pub dedicated: Replayed,
    /// Time-shared hosts.
    pub shared: Replayed,
    /// Under local load.
    pub loaded: Spread,
    /// With misjudged times.
    pub misjudged: Spread,
}

/// Makespans of several replays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Their mean, in ticks.
    pub mean: f64,
    /// The mean over the mapping's own makespan.
    pub mean_ratio: f64,
    /// The largest over the mapping's own makespan.
    pub max_ratio: f64,
}

/// Runs everything. The deadline of `stop` limits the search for the optimum only; if a stop is
/// requested, heuristics that are not done by then are left out.
pub fn instance(
    instance: &Instance,
    options: &InstanceOptions,
    stop: &Stop,
    watch: &mut dyn FnMut(&Event<'_>),
) -> Result<InstanceComparison, InstanceError> {
    let solver = Solver::new().gap(options.gap).seed(options.seed).stop(stop.clone());
    let solution = solver.watch(watch).solve(instance)?;
    let title = if solution.is_optimal() { "optimum" } else { "best found" };
    let lower_bound = solution.lower_bound().ticks();
    // Fast, and it does not depend on how far the search got.
    let reference = OnLine::Mct.map(instance).makespan();
    let replay = Replay::new(instance, reference);
    let row = |name, title, mapping: Mapping, time| match replays(&replay, &mapping, options) {
        Ok(replays) => Ok(Compared { name, title, mapping, time, replays }),
        Err(error) => Err(InstanceError::Replay { algorithm: name, error }),
    };
    let mut rows = vec![row("optimum", title, solution.mapping().clone(), solution.time)?];
    let (mut not_run, interrupt) = (Vec::new(), stop.without_deadline());
    for heuristic in options.heuristics.iter() {
        let start = Instant::now();
        let mapping = heuristic.map_unless(instance, &interrupt);
        match mapping.filter(|_| !interrupt.is_requested()) {
            Some(mapping) => {
                rows.push(row(heuristic.name(), heuristic.title(), mapping, start.elapsed())?);
            }
            None => not_run.push(heuristic.name()),
        }
    }
    Ok(InstanceComparison { rows, not_run, lower_bound })
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

/// Nothing over nothing is as good as possible.
fn ratio(makespan: f64, of: Ticks) -> f64 {
    if makespan == 0.0 && of == Ticks(0) { 1.0 } else { makespan / of.as_f64() }
}
