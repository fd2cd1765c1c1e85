//! Lowers the upper bound by walks ([`crate::walk`]).

use super::{News, Origin, Start, View, Worker};
use crate::knapsack;
use crate::walk::{Times, Walk};
use gridsat_model::{Instance, Stop, Ticks};

/// States visited per turn, at least and at most. A turn that would get fewer is skipped, and its
/// states are saved for later.
const EFFORT: (u64, u64) = (200_000, 20_000_000);
/// A walk visits one state per this many states of the other workers' knapsacks. A state of a walk
/// takes eight times as long, so walks get a third of the time.
const STATES: u64 = 16;
/// If the smallest and the largest makespan still open differ by at most this, the walk aims at the
/// smallest first.
const FEW: Ticks = Ticks(8);
/// Turns towards one k before the walk aims at a larger one.
const PATIENCE: u32 = 8;
/// The same where the makespans still open differ by at most [`FEW`].
const LONG_PATIENCE: u32 = 60;

/// The present walk and how its k is chosen: the lower bound if it is near, else the middle of the
/// bounds, and after many turns without success values nearer to the upper bound.
pub(super) struct Walker<'a> {
    instance: &'a Instance,
    times: Times,
    weights: Vec<f64>,
    seed: u64,
    /// `None` before the first turn that is not skipped, and if no walk could start.
    walk: Option<Walk<'a>>,
    /// The work of the knapsacks of this thread up to the last turn, as of [`knapsack::work()`].
    work: u64,
    /// Turns of the present walk.
    turns: u32,
    /// How often the distance from the lower to the upper bound is halved to choose k; at least 1.
    halvings: u32,
}

impl<'a> Walker<'a> {
    pub fn new(start: &Start<'a>, seed: u64) -> Self {
        let weights = start.weights.iter().map(|&weight| weight as f64).collect();
        Self {
            instance: start.instance,
            times: Times::new(start.instance),
            weights,
            seed,
            walk: None,
            work: knapsack::work(),
            turns: 0,
            halvings: 1,
        }
    }

    /// The number of states for this turn, in proportion to the work that the other workers of this
    /// thread have done since the last turn. `None` as long as that is little: an easy instance is
    /// solved before the duals of a walk are computed.
    fn effort(&mut self) -> Option<u64> {
        let effort = knapsack::work().wrapping_sub(self.work) / STATES;
        if effort < EFFORT.0 {
            return None;
        }
        self.work = knapsack::work();
        Some(effort.min(EFFORT.1))
    }

    /// The k to walk towards, between the lower bound and one tick below the upper bound.
    fn target(&self, view: &View) -> Ticks {
        let highest = view.upper() - Ticks(1);
        let left = highest - view.lower;
        let halvings = if left <= FEW { self.halvings - 1 } else { self.halvings };
        highest - Ticks(left.0.checked_shr(halvings).unwrap_or(0))
    }

    /// The present walk, or a new one if its k is reached or refuted, or if it had too many turns.
    /// `None` if a host is not ready by the new k.
    fn aim(&mut self, view: &View, stop: &Stop) -> Option<Walk<'a>> {
        let walk = self.walk.take().filter(|walk| (view.lower..view.upper()).contains(&walk.k()));
        let is_few = view.upper() - Ticks(1) - view.lower <= FEW;
        let is_tired = self.turns >= if is_few { LONG_PATIENCE } else { PATIENCE };
        if let Some(walk) = walk
            && !is_tired
        {
            return Some(walk);
        }
        if is_tired {
            let is_highest = self.target(view) == view.upper() - Ticks(1);
            self.halvings = if is_highest { 1 } else { self.halvings + 1 };
        }
        self.turns = 0;
        self.seed = self.seed.wrapping_add(1);
        let k = self.target(view);
        let instance = (self.instance, &self.times);
        Walk::new(instance, k, &view.mapping, &self.weights, self.seed, stop)
    }
}

impl Worker for Walker<'_> {
    fn turn(&mut self, view: &View, stop: &Stop) -> Option<News> {
        let effort = self.effort()?;
        let mut walk = self.aim(view, stop)?;
        self.turns += 1;
        let found = walk.go(&self.times, effort, stop);
        self.walk = Some(walk);
        let mapping = found?;
        (self.turns, self.halvings) = (0, 1);
        Some(News::Mapping(mapping, Origin::Repacking))
    }
}
