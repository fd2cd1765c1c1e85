//! Lowers the upper bound by local search.

use super::{News, View, Worker};
use crate::heuristics;
use crate::model::Instance;
use crate::sat::Stop;

/// Re-packs hosts of the best mapping.
pub(super) struct Polisher<'a> {
    instance: &'a Instance,
    seed: u64,
    turns: u64,
}

impl<'a> Polisher<'a> {
    pub fn new(instance: &'a Instance, _weights: &[u64], seed: u64) -> Self {
        Self { instance, seed, turns: 0 }
    }
}

impl Worker for Polisher<'_> {
    fn turn(&mut self, view: &View, stop: &Stop) -> Option<News> {
        self.turns += 1;
        if self.turns % 8 != 0 {
            return None;
        }
        let (lower, highest) = (view.lower, view.upper() - 1);
        let k = if self.turns % 16 == 0 { highest } else { lower + (highest - lower) / 2 };
        let seed = self.seed.wrapping_add(self.turns);
        let mapping = heuristics::repack(self.instance, &view.mapping, k, seed, &|| stop.is_due())?;
        Some(News::Mapping(mapping, "re-packing"))
    }
}
