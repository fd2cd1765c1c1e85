//! A dive: places tasks on hosts as the prices suggest, and leaves some tasks out.
//!
//! The dive alternates between a few price steps and placements. It places the tasks on which the
//! packings of the hosts agree most, a fraction of the open tasks at a time, and at least one. A
//! task that no longer fits on any host is left out; the dive does not backtrack. The caller sees
//! all hosts and decides what to do with such tasks.

use super::market::Market;
use crate::knapsack::Packer;
use gridsat_model::Stop;

/// The packings agree on a pair whose share, the fraction of the host's recent packings that
/// contain the task, is at least this.
const AGREED: f64 = 0.8;

/// The fraction of open tasks placed at a time even where the packings do not agree, so that the
/// dive ends soon.
const LEAST: f64 = 0.02;

/// The parameters of a dive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// Price steps between placements.
    pub steps: usize,
    /// The length of these steps, as in [`Market::step`].
    pub step: f64,
    /// The fraction of open tasks placed at a time, at most.
    pub share: f64,
    /// The weight of the latest packing in the shares, between 0 and 1.
    pub pace: f64,
}

/// The index of each task's stall in the market; `None` if the task is left out.
pub(super) type Places = Vec<Option<usize>>;

/// Dives until every task is placed or left out. `None` if stopped.
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

/// Places the pairs of largest share that still fit: those that packings agree on, up to the
/// fraction of open tasks that the manner allows, and if they are few, others up to [`LEAST`]. A
/// pair of share 0 is placed only if no other was.
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

/// The pairs of largest share as (share, task, stall, time), the largest share first: all that
/// packings agree on, or 2·`least` if that is more, since some may not fit any more.
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
