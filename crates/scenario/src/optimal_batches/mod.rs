//! The optimum as a scheduling policy: every batch is mapped by [`gridsat_exact::solve`], with a
//! checked certificate, given the current delays of the hosts. It shows how far heuristics are from
//! the best possible mapping of each batch, not only from another heuristic.
//!
//! In batch mode this is the policy `sat`; in time-limit mode `tlsat`: the whole batch is mapped,
//! but only the jobs are sent that start before the next decision. The others wait and are mapped
//! again, starting from their previous plan.
//!
//! How resources become the hosts of an instance is described in `batch`.
//!
//! A mapping of a batch is optimal if its last job ends as early as possible, which leaves much
//! freedom: if one host is busy for long anyway, almost any mapping of the rest is optimal. Later
//! batches depend on the choice, so the mapping is smoothed without increasing its makespan.

mod kept;
mod plan;
mod smooth;

use super::batch::Batch;
use super::policy::Exactness;
use gridsat_exact::solve::Solver;
use gridsat_exact::strategy::Options;
use gridsat_grid::{Assignment, Mapper, MapperError, Proofs, View};
use gridsat_model::Stop;
use gridsat_model::{Instance, Mapping};
pub use kept::Kept;
use plan::Plan;

/// Rounds of dives and proofs by cases per batch, unless the exact optimum is required. Few batches
/// need any, and then mostly the first rounds help.
const ROUNDS: usize = 4;

/// A mapper that maps each batch optimally.
pub struct OptimalBatches {
    exactness: Exactness,
    stop: Stop,
    plan: Plan,
    proofs: Proofs,
    kept: Option<Kept>,
}

impl OptimalBatches {
    /// If the gap is above 0, a long search of strategy `auto` also stops after a fixed amount of
    /// work, with a larger gap. If a batch reaches the time limit, the result of the simulation
    /// depends on the speed of the computer.
    ///
    /// The certificate of every batch is kept if there is a place for it.
    pub fn new(exactness: Exactness, stop: Stop, kept: Option<Kept>) -> Self {
        Self { exactness, stop, plan: Plan::default(), proofs: Proofs::default(), kept }
    }

    /// Maps a batch, starting from a mapping that may already be good.
    fn map(&mut self, instance: &Instance, start: Option<Mapping>) -> Result<Mapping, MapperError> {
        let Exactness { gap, limit, strategy, ref solver } = self.exactness;
        let options = Options {
            strategy,
            solver: solver.clone(),
            gap,
            rounds: (gap > 0.0).then_some(ROUNDS),
            start: start.clone(),
            ..Options::default()
        };
        let mut solver = Solver::with(options).stop(self.stop.clone()).time_limit(limit);
        let solution = solver.solve(instance).map_err(|error| MapperError(error.to_string()))?;
        // Both are what the checker has accepted.
        self.proofs.add(solution.is_optimal(), solution.gap());
        if let Some(kept) = &mut self.kept {
            kept.add(instance, solution.certificate())?;
        }
        let found = solution.mapping();
        Ok(match start.as_ref() == Some(found) {
            true => smooth::smoothed(instance, found, found.makespan()),
            false => smooth::best(instance, found),
        })
    }
}

impl Mapper for OptimalBatches {
    fn name(&self) -> String {
        "sat".to_owned()
    }

    fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError> {
        let Some(batch) = Batch::of(view)? else { return Ok(Vec::new()) };
        let numbers = batch.numbers(view);
        let start = self.plan.start(&batch.instance, &numbers, &batch.seats);
        let mapping = self.map(&batch.instance, start)?;
        self.plan.keep(&mapping, &numbers, &batch.seats);
        Ok(batch.sent(&mapping))
    }

    fn proofs(&self) -> Option<Proofs> {
        Some(self.proofs)
    }

    fn note(&self) -> Option<String> {
        let Proofs { batches, proven, largest_gap } = self.proofs;
        let gap = 100.0 * largest_gap;
        Some(format!("{proven} of {batches} batches proven optimal, largest gap {gap:.3} %"))
    }
}
