//! Fills one host after the other with a subset of the tasks left that comes nearest to a target.
//!
//! The longest task left is always placed, since it only gets harder to place later, and the rest of
//! the room is filled by the best subset of the others. Of subsets that fill it equally well, one of
//! long tasks is taken: short tasks fit anywhere. Random changes of the order give other subsets in
//! the next attempt. The waste of all hosts together must not exceed `hosts · room − total`.

use rand::{Rng, RngExt};

use super::Packing;
use super::sums::Sums;
use gridsat_model::Stop;

/// A packing with no load above `room`, if this finds one. `noise` moves items in the order in which
/// they are tried, up to this part of their number.
pub(super) fn pack(
    times: &[u64],
    (hosts, room): (usize, u64),
    noise: f64,
    rng: &mut impl Rng,
    sums: &mut Sums,
    stop: &Stop,
) -> Option<Packing> {
    let total: u64 = times.iter().sum();
    let mut slack = (room * hosts as u64).checked_sub(total)?;
    let mut packing = Packing::empty(hosts);
    let mut left: Vec<u32> = (0..times.len() as u32).collect();
    for host in 0..hosts {
        let Some((&longest, others)) = left.split_first() else { break };
        if stop.is_due() {
            return None;
        }
        let rest = room.checked_sub(times[longest as usize])?;
        let order = shuffled(others, times, rest, noise, rng);
        let filled = fill(&order, times, rest, sums);
        slack = slack.checked_sub(rest - filled)?;
        let mut items = sums.items(filled, times);
        items.push(longest);
        items.sort_unstable();
        left.retain(|item| items.binary_search(item).is_err());
        packing.set(host, items);
    }
    left.is_empty().then_some(packing)
}

/// The items that fit, nearly in their order.
fn shuffled(items: &[u32], times: &[u64], room: u64, noise: f64, rng: &mut impl Rng) -> Vec<u32> {
    let fitting = items.iter().copied().filter(|&item| times[item as usize] <= room);
    if noise == 0.0 {
        return fitting.collect();
    }
    let width = noise * items.len() as f64;
    let mut keyed: Vec<(f64, u32)> = fitting
        .enumerate()
        .map(|(place, item)| (place as f64 + width * rng.random::<f64>(), item))
        .collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    keyed.into_iter().map(|(_, item)| item).collect()
}

/// The largest sum of some of the items within the room.
fn fill(order: &[u32], times: &[u64], room: u64, sums: &mut Sums) -> u64 {
    sums.restart(room);
    let is_full = order.iter().any(|&item| sums.add(times[item as usize], item));
    if is_full { room } else { sums.largest() }
}
