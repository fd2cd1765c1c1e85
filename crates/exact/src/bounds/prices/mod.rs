//! Task prices: the bound of the configuration relaxation.
//!
//! Give every task t a price u_t ≥ 0. In a mapping with makespan ≤ k the tasks of host h fit
//! into its room together, so their prices add up to at most `KP_h(u, k)`, the value of the most
//! valuable set of tasks that fits: a knapsack. Every task is on some host, hence
//!
//! `Σ_t u_t ≤ Σ_h KP_h(u, k)`,
//!
//! and prices that violate this inequality refute k. The weights of the linear bound give prices
//! that are at least as strong, `u_t = min_h w_h·p_th`; `ascent` improves them.

mod ascent;
mod bundle;
mod domain;
mod oracle;
mod packings;
mod volume;

use std::ops::Range;

pub(crate) use self::oracle::EFFORT;
use crate::knapsack::{Item, Packing, pack};
use crate::reason::{LowerBound, Reason};
use gridsat_model::{HostId, Instance, Stop, TaskId, Ticks};

pub use ascent::{Ascent, Climb};
pub use domain::{Contradiction, Domain};
pub use volume::Volume;

/// Totals to which prices are rounded, tried in this order until one is precise enough: the
/// checker's memory grows with the total, unless rooms are small. Prices that need more than the
/// last are not used.
const TOTALS: [u64; 6] = [10_000, 100_000, 1_000_000, MAX_TOTAL, 100_000_000, 10_000_000_000];
const MAX_TOTAL: u64 = 4_000_000;

/// The bound that these prices prove between `low`, below which everything is refuted already, and
/// `high`, which they do not refute. It is within `precision` of the best bound by these prices.
/// `None` if they prove nothing above `low`.
pub fn bound_below(
    instance: &Instance,
    prices: &[u64],
    low: Ticks,
    high: Ticks,
    precision: Ticks,
    stop: &Stop,
) -> Option<LowerBound> {
    let precise = scaled(prices, largest_total(instance, high));
    let (mut value, mut limit) = (low, high);
    while limit - value > precision && !stop.is_due() {
        let k = value + (limit - value) / 2;
        if refute(instance, &precise, k) { value = k + Ticks(1) } else { limit = k }
    }
    if value == low {
        return None;
    }
    let prices = round(instance, prices, value - Ticks(1), stop)?;
    Some(LowerBound::new(value, |k| Reason::Prices { k, prices }))
}

/// A bound above the start of `k`, and at most its end, if so many steps of the ascent find prices
/// that refute the start.
pub fn refute_by_prices(
    instance: &Instance,
    ascent: &mut Ascent,
    k: Range<Ticks>,
    steps: usize,
    stop: &Stop,
) -> Option<LowerBound> {
    let prices = refuting(instance, ascent, k.start, steps, stop)?;
    let value = refuted_up_to(instance, &prices, k.start + Ticks(1), k.end, stop);
    Some(LowerBound::new(value, |k| Reason::Prices { k, prices }))
}

/// Small integer prices that refute k, if the ascent finds any.
fn refuting(
    instance: &Instance,
    ascent: &mut Ascent,
    k: Ticks,
    steps: usize,
    stop: &Stop,
) -> Option<Vec<u64>> {
    let whole = match Domain::new(instance, k) {
        Ok(domain) => ascent
            .refute(&domain, steps, MAX_TOTAL.max(domain.price_total()), stop)
            .refuted
            .then(|| ascent.prices())?,
        Err(Contradiction) => ascent.prices(),
    };
    round(instance, &whole, k, stop)
}

/// Whether the prices refute k, computed exactly. `false` unless there is one price per task.
pub(super) fn refute(instance: &Instance, prices: &[u64], k: Ticks) -> bool {
    if prices.len() != instance.task_count() {
        return false;
    }
    let total: u128 = prices.iter().map(|&price| u128::from(price)).sum();
    let mut packed: u128 = 0;
    for host in instance.hosts() {
        let Some(packing) = pack_all(instance, prices, host, k) else { return true };
        packed += u128::from(packing.at_most);
        if packed >= total {
            return false;
        }
    }
    packed < total
}

/// `Σ_h KP_h − Σ u` at k, computed exactly; negative if the prices refute k. `None` if a host
/// is not ready by k, if a knapsack is too hard, or unless there is one price per task.
pub(crate) fn slack(instance: &Instance, prices: &[u64], k: Ticks) -> Option<i128> {
    if prices.len() != instance.task_count() {
        return None;
    }
    let total: i128 = prices.iter().map(|&price| i128::from(price)).sum();
    let mut packed = 0;
    for host in instance.hosts() {
        let packing = pack_all(instance, prices, host, k)?;
        if packing.value != packing.at_most {
            return None;
        }
        packed += i128::from(packing.value);
    }
    Some(packed - total)
}

/// The most valuable tasks that fit the host; `None` if it is not ready by k.
fn pack_all(instance: &Instance, prices: &[u64], host: HostId, k: Ticks) -> Option<Packing> {
    let room = instance.capacity(host, k)?;
    let item = |task: TaskId| {
        let weight = instance.time(task, host)?;
        Some(Item { name: task.0, value: prices[task.index()], weight: weight.0 })
    };
    let items: Vec<Item> = instance.tasks().filter_map(item).collect();
    Some(pack(&items, room.0, EFFORT))
}

/// The smallest integers in the same proportion that still refute k. `None` if there are none, or
/// if stopped.
fn round(instance: &Instance, prices: &[u64], k: Ticks, stop: &Stop) -> Option<Vec<u64>> {
    let most = largest_total(instance, k);
    let totals = TOTALS.into_iter().take_while(|&total| total <= most && !stop.is_due());
    totals.map(|total| scaled(prices, total)).find(|candidate| refute(instance, candidate, k))
}

/// The largest total to which prices that refute k are rounded.
fn largest_total(instance: &Instance, k: Ticks) -> u64 {
    Domain::new(instance, k).map_or(0, |domain| domain.price_total()).max(MAX_TOTAL)
}

/// Integers in the same proportion that add up to about `total`.
pub(crate) fn scaled(prices: &[u64], total: u64) -> Vec<u64> {
    let sum: u128 = prices.iter().map(|&price| u128::from(price)).sum();
    let scale = |&price: &u64| (u128::from(price) * u128::from(total) / sum.max(1)) as u64;
    prices.iter().map(scale).collect()
}

/// A value up to which the prices refute everything, at most `limit`. It is seldom far beyond the k
/// for which the prices were made, so step lengths double from the smallest. Refuting k refutes
/// every smaller k, because there is less room.
fn refuted_up_to(
    instance: &Instance,
    prices: &[u64],
    from: Ticks,
    limit: Ticks,
    stop: &Stop,
) -> Ticks {
    let (mut low, mut step) = (from, 1);
    let refuted = |k| !stop.is_due() && refute(instance, prices, k);
    while low + Ticks(step) <= limit && refuted(low + Ticks(step) - Ticks(1)) {
        low += Ticks(step);
        step *= 2;
    }
    low
}
