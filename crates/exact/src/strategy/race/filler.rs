//! Lowers the upper bound by filling one host after the other ([`crate::fill`]).

use super::{News, Origin, Start, View, Worker};
use crate::fill::Fill;
use crate::knapsack;
use crate::walk::Times;
use gridsat_model::{Instance, Stop, Ticks};

/// Entries of tables per turn, at least and at most. A turn that would get fewer is skipped, and
/// its entries are saved for later.
const EFFORT: (u64, u64) = (20_000_000, 500_000_000);
/// Entries of tables per state of the other workers' knapsacks, so that this worker gets about a
/// third of the time.
const ENTRIES: u64 = 10;
/// Used only if the smallest and the largest makespan still open differ by at most this.
const FEW: Ticks = Ticks(8);

/// The search at the lower bound.
pub(super) struct Filler<'a> {
    instance: &'a Instance,
    times: Times,
    weights: Vec<f64>,
    seed: u64,
    /// The search and its k; no search if none could start at that k.
    fill: Option<(Ticks, Option<Fill<'a>>)>,
    /// The work of the knapsacks of this thread up to the last turn, as of [`knapsack::work()`].
    work: u64,
}

impl<'a> Filler<'a> {
    pub fn new(start: &Start<'a>, seed: u64) -> Self {
        Self {
            instance: start.instance,
            times: Times::new(start.instance),
            weights: start.weights.iter().map(|&weight| weight as f64).collect(),
            seed,
            fill: None,
            work: knapsack::work(),
        }
    }

    /// The entries for this turn, in proportion to the work that the other workers of this thread
    /// have done since the last turn. `None` as long as that is little.
    fn effort(&mut self) -> Option<u64> {
        let effort = knapsack::work().wrapping_sub(self.work).saturating_mul(ENTRIES);
        if effort < EFFORT.0 {
            return None;
        }
        self.work = knapsack::work();
        Some(effort.min(EFFORT.1))
    }

    /// The search at this k: the present one, or a new one.
    fn aim(&mut self, k: Ticks) -> Option<&mut Fill<'a>> {
        if self.fill.as_ref().is_none_or(|&(at, _)| at != k) {
            let start = (self.instance, &self.times);
            self.fill = Some((k, Fill::new(start, k, &self.weights, self.seed)));
        }
        self.fill.as_mut()?.1.as_mut()
    }
}

impl Worker for Filler<'_> {
    fn turn(&mut self, view: &View, stop: &Stop) -> Option<News> {
        if view.upper() - Ticks(1) - view.lower > FEW {
            return None;
        }
        let effort = self.effort()?;
        let mapping = self.aim(view.lower)?.go(effort, stop)?;
        Some(News::Mapping(mapping, Origin::Filling))
    }
}
