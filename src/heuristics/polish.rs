//! Making a mapping better, a slice at a time.
//!
//! Two searches take turns, as each finds what the other misses: annealing over moves and swaps,
//! which is quick where there are many tasks a host, and re-packing of two hosts by knapsacks, which
//! gets the last ticks. They share nothing but the best makespan. Work is counted, not timed, so
//! the same slices give the same mappings on any machine.

use super::annealing::Annealing;
use super::repack::Repacking;
use crate::model::{Instance, Mapping, Ticks};

/// Annealing steps in one turn: under a millisecond.
const TURN: u64 = 1 << 14;
/// Annealing steps that take about as long as one re-packing.
const REPACKING_COST: u64 = 512;

/// A search for ever better mappings that can be stopped and resumed at will.
pub struct Polish<'a> {
    instance: &'a Instance,
    best: Mapping,
    annealing: Annealing<'a>,
    repacking: Option<Repacking<'a>>,
    /// Turns taken.
    turns: u64,
}

impl<'a> Polish<'a> {
    /// Starts from a mapping. Weights are one a host, as they come with a linear bound; without
    /// them (an empty slice) all hosts weigh the same.
    pub fn new(instance: &'a Instance, mapping: &Mapping, weights: &[u64], seed: u64) -> Self {
        let below = mapping.makespan().checked_sub(1).filter(|&k| k >= instance.latest_ready());
        let can_repack = below.filter(|_| instance.host_count() > 1);
        Self {
            instance,
            best: mapping.clone(),
            annealing: Annealing::new(instance, mapping, weights, seed),
            repacking: can_repack.map(|k| Repacking::new(instance, mapping, k, seed)),
            turns: 0,
        }
    }

    /// The best mapping so far.
    pub fn best(&self) -> &Mapping {
        &self.best
    }

    /// Takes a mapping found elsewhere if it is better.
    pub fn offer(&mut self, mapping: &Mapping) {
        if mapping.makespan() < self.best.makespan() {
            self.annealing.start_from(mapping);
            self.keep(mapping.clone());
        }
    }

    /// Searches for so many steps (a million takes 20 to 90 ms), or until the makespan is at most
    /// `goal`, best a proven bound, or `should_stop` says so. Returns the best mapping if it is
    /// better than before.
    pub fn run(
        &mut self,
        goal: Ticks,
        steps: u64,
        should_stop: &dyn Fn() -> bool,
    ) -> Option<Mapping> {
        let before = self.best.makespan();
        let goal = goal.max(self.instance.latest_ready());
        for _ in 0..steps.div_ceil(TURN) {
            if self.best.makespan() <= goal || should_stop() {
                break;
            }
            if let Some(mapping) = self.turn(goal, should_stop) {
                self.keep(mapping);
            }
        }
        (self.best.makespan() < before).then(|| self.best.clone())
    }

    fn turn(&mut self, goal: Ticks, should_stop: &dyn Fn() -> bool) -> Option<Mapping> {
        self.turns += 1;
        match &mut self.repacking {
            Some(repacking) if self.turns.is_multiple_of(2) => {
                repacking.run((TURN / REPACKING_COST) as usize, should_stop)
            }
            _ => self.annealing.run(goal, TURN),
        }
    }

    fn keep(&mut self, mapping: Mapping) {
        self.annealing.must_beat(mapping.makespan());
        let below = mapping.makespan().checked_sub(1);
        let below = below.filter(|&k| k >= self.instance.latest_ready());
        if let (Some(repacking), Some(k)) = (&mut self.repacking, below) {
            repacking.restart(&mapping, k);
        }
        self.best = mapping;
    }
}
