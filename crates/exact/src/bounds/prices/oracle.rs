//! The gap of prices on one domain, `L(u) = Σ u − Σ_h KP_h(u)`.
//!
//! As L(c·u) = c·L(u), prices are scaled to a fixed, large total. They are integers when L is
//! computed, so L itself is exact; only the search for prices uses floating point.

use super::Domain;
use crate::knapsack::{Item, Packer};
use gridsat_model::{HostId, TaskId, Ticks};

/// The total of all prices: large enough that rounding them to integers does not matter.
pub(super) const TOTAL: f64 = (1_u64 << 36) as f64;

/// States visited per knapsack. Beyond it the knapsack's upper bound is used instead of its value,
/// which is just as valid.
///
/// Climbing and fixing share this limit: a domain that the climb refutes must be refuted by the
/// fixing too, or a proof branches on what is already decided.
pub(crate) const EFFORT: usize = 1_000_000;

/// Computes gaps on one domain.
pub(super) struct Oracle<'a> {
    pub domain: &'a Domain<'a>,
    items: Vec<Vec<Item>>,
    pub is_open: Vec<bool>,
    packer: Packer,
    /// States visited per knapsack.
    effort: usize,
}

impl<'a> Oracle<'a> {
    pub fn new(domain: &'a Domain<'a>, effort: usize) -> Self {
        let item =
            |&(task, weight): &(TaskId, Ticks)| Item { name: task.0, value: 0, weight: weight.0 };
        let items = |host| domain.open(host).iter().map(item).collect();
        let is_open = |task| domain.placed(task).is_none();
        Self {
            domain,
            items: domain.instance().hosts().map(items).collect(),
            is_open: domain.instance().tasks().map(is_open).collect(),
            packer: Packer::default(),
            effort,
        }
    }

    pub fn unplaced(&self) -> usize {
        self.domain.unplaced()
    }

    /// The gap at these prices; `use_packing` is called with a best packing of each host.
    pub fn gap(&mut self, prices: &[f64], use_packing: &mut dyn FnMut(HostId, &[u32])) -> f64 {
        let whole = integers(prices);
        let mut gap = self.domain.unplaced_total(&whole);
        for (host, items) in self.domain.instance().hosts().zip(&mut self.items) {
            items.iter_mut().for_each(|item| item.value = whole[item.name as usize]);
            let worth = self.packer.pack(items, self.domain.room(host).0, self.effort);
            gap -= i128::from(worth.at_most);
            use_packing(host, self.packer.names());
        }
        gap as f64
    }
}

pub(super) fn integers(prices: &[f64]) -> Vec<u64> {
    prices.iter().map(|&price| price as u64).collect()
}

/// Scales the prices of the tasks not placed to the total; placed tasks keep a price for use in
/// later domains. If all prices are 0 they are set equal, because no step leads away from there.
pub(super) fn normalise(prices: &mut [f64], domain: &Domain) {
    let open = || domain.instance().tasks().filter(|&t| domain.placed(t).is_none());
    if open().all(|t| prices[t.index()] <= 0.0) {
        open().for_each(|t| prices[t.index()] = 1.0);
    }
    let sum: f64 = open().map(|t| prices[t.index()]).sum();
    if sum > 0.0 {
        prices.iter_mut().for_each(|price| *price *= TOTAL / sum);
    }
}
