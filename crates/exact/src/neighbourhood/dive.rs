//! A mapping by following the prices, with some tasks left over.
//!
//! Between short climbs the tasks on which the packings agree most are placed, a share of the open
//! ones at a time, and at least one. A task that fits nowhere any more is left over rather than a
//! reason to go back: what to do with it is for the caller, who sees all hosts.

use super::market::Market;
use crate::knapsack::Packer;
use gridsat_model::Stop;

/// Packings agree on a pair that is in so many of them.
const AGREED: f64 = 0.8;

/// The share of open tasks placed at a time at least, however little packings agree.
const LEAST: f64 = 0.02;

/// How a dive goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// Steps between placements.
    pub steps: usize,
    /// Their length.
    pub step: f64,
    /// The share of open tasks placed at a time, at most.
    pub share: f64,
    /// How fast the shares follow the packings.
    pub pace: f64,
}

/// Where each task went: a stall, or none.
pub(super) type Places = Vec<Option<usize>>;

/// Dives to the end. `None` if stopped.
pub(super) fn dive(
    market: &mut Market,
    manner: &Manner,
    packer: &mut Packer,
    stop: &Stop,
) -> Option<Places> {
    let mut places: Places = vec![None; market.prices.len()];
    market.tidy();
    while market.open() > 0 {
        for _ in 0..manner.steps {
            if stop.is_due() {
                return None;
            }
            market.step(manner.step, manner.pace, packer);
        }
        place(market, manner, &mut places);
        market.tidy();
    }
    Some(places)
}

/// Places the pairs of largest share: all that packings agree on, up to the share of open tasks
/// that the manner allows, and some in any case.
fn place(market: &mut Market, manner: &Manner, places: &mut Places) {
    let part = |share: f64| ((market.open() as f64 * share) as usize).max(1);
    let (least, most) = (part(LEAST), part(manner.share));
    let mut placed = 0;
    for (share, task, stall, time) in ranked(market, least) {
        let is_enough = share <= 0.0 && placed > 0 || share < AGREED && placed >= least;
        if placed == most || is_enough {
            break;
        }
        if market.place(task, stall, time) {
            places[task] = Some(stall);
            placed += 1;
        }
    }
}

/// The pairs that packings agree on, and at least about `least` in any case, the largest share
/// first. Share, task, stall, time.
fn ranked(market: &Market, least: usize) -> Vec<(f64, usize, usize, u64)> {
    let mut pairs = Vec::new();
    for (number, stall) in market.stalls.iter().enumerate() {
        pairs.extend(stall.offers().map(|(task, time, share)| (share, task, number, time)));
    }
    let order = |a: &(f64, usize, usize, u64), b: &(f64, usize, usize, u64)| {
        b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2)))
    };
    let agreed = pairs.iter().filter(|pair| pair.0 >= AGREED).count();
    let kept = agreed.max(2 * least);
    if kept < pairs.len() {
        pairs.select_nth_unstable_by(kept, order);
        pairs.truncate(kept);
    }
    pairs.sort_unstable_by(order);
    pairs
}
