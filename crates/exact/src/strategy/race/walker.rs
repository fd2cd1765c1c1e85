//! Lowers the upper bound by walks ([`crate::walk`]).

use super::{News, Origin, Start, View, Worker};
use crate::knapsack;
use crate::walk::{Times, Walk};
use gridsat_model::{Instance, Stop, Ticks};

/// States visited in a turn, at least and at most.
const EFFORT: (u64, u64) = (200_000, 20_000_000);
/// One state of a walk for this many states of knapsacks: a third of the time, since a state of a
/// walk takes eight times as long.
const STATES: u64 = 16;
/// With this few values of k left, the walk aims at the smallest.
const FEW: Ticks = Ticks(8);
/// Turns towards one k before it aims higher.
const PATIENCE: u32 = 8;
/// The same where few values of k are left.
const LONG_PATIENCE: u32 = 60;

/// Walks towards the lower bound if it is near, else towards the middle of the bounds, and after
/// many turns in vain towards values nearer to the upper bound.
pub(super) struct Walker<'a> {
    instance: &'a Instance,
    times: Times,
    weights: Vec<f64>,
    seed: u64,
    walk: Option<Walk<'a>>,
    /// The work of the knapsacks of this thread until the last turn.
    work: u64,
    /// Turns on the present walk.
    turns: u32,
    /// How often the distance to the upper bound is halved.
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

    /// A part of the work that the other workers of this thread have done since the last turn.
    /// `None` as long as that is little: an easy instance is solved before a walk has its duals.
    fn effort(&mut self) -> Option<u64> {
        let effort = knapsack::work().wrapping_sub(self.work) / STATES;
        if effort < EFFORT.0 {
            return None;
        }
        self.work = knapsack::work();
        Some(effort.min(EFFORT.1))
    }

    fn target(&self, view: &View) -> Ticks {
        let highest = view.upper() - Ticks(1);
        let left = highest - view.lower;
        let halvings = if left <= FEW { self.halvings - 1 } else { self.halvings };
        highest - Ticks(left.0.checked_shr(halvings).unwrap_or(0))
    }

    /// Aims anew where the old aim is reached, out of reach, or refuted.
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
