//! Divides the tasks of two hosts again, as evenly as a subset sum can, until no load is above a
//! target.
//!
//! The host with the largest load is paired with others in random order. A division that is not
//! better but different is kept as well from time to time: it gives other tasks to the next pair.

use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

use super::Packing;
use super::halves::{Halves, Timed};
use super::sums::{LARGEST, Sums};
use gridsat_model::Stop;

/// What the lists of a pair cost, in words of sums.
const PER_PAIR: u64 = 500;

/// The packing after pairs of hosts were divided again: as soon as no load is above `room`, or
/// after `effort` words of sums, or when no more pairs help; and the words of sums it took.
pub(super) fn level(
    mut packing: Packing,
    times: &[u64],
    (room, effort): (u64, u64),
    rng: &mut impl Rng,
    (sums, halves): (&mut Sums, &mut Halves),
    stop: &Stop,
) -> (Packing, u64) {
    let mut loads = packing.loads(times);
    let (mut done, mut failures) = (0, 0);
    sums.take_work();
    while done < effort && failures < 20 * loads.len() && !stop.is_due() {
        let Some((high, &load)) = loads.iter().enumerate().max_by_key(|&(_, &load)| load) else {
            break;
        };
        if load <= room {
            break;
        }
        // One pair in four is any pair, for new combinations.
        let is_shake = failures > 0 && rng.random_range(0..4) == 0;
        let first = if is_shake { rng.random_range(0..loads.len()) } else { high };
        let second = rng.random_range(0..loads.len());
        if first == second {
            failures += 1;
            continue;
        }
        let pair = (first, second);
        let is_better = divide(&mut packing, &mut loads, pair, times, rng, (sums, halves));
        done += sums.take_work() + halves.take_work() + PER_PAIR;
        failures = if is_better && first == high { 0 } else { failures + 1 };
    }
    (packing, done)
}

/// Divides the items of two hosts again; returns whether the larger load falls. Otherwise an
/// equally good division replaces the old one, and a worse one does not.
fn divide(
    packing: &mut Packing,
    loads: &mut [u64],
    (first, second): (usize, usize),
    times: &[u64],
    rng: &mut impl Rng,
    (sums, halves): (&mut Sums, &mut Halves),
) -> bool {
    let total = loads[first] + loads[second];
    let before = loads[first].max(loads[second]);
    let mut items = [packing.items(first), packing.items(second)].concat();
    items.shuffle(rng);
    let (low, mut small) = match total / 2 <= LARGEST {
        true => half(&items, total, times, sums),
        false => {
            let timed: Vec<Timed> =
                items.iter().map(|&item| (times[item as usize], item)).collect();
            halves.fill(&timed, total / 2, rng)
        }
    };
    if total - low > before {
        return false;
    }
    small.sort_unstable();
    items.retain(|item| small.binary_search(item).is_err());
    packing.set(first, items);
    packing.set(second, small);
    (loads[first], loads[second]) = (total - low, low);
    total - low < before
}

/// The largest sum within half of the total, and items that have it.
fn half(items: &[u32], total: u64, times: &[u64], sums: &mut Sums) -> (u64, Vec<u32>) {
    sums.restart(total / 2);
    for &item in items {
        if sums.add(times[item as usize], item) {
            break;
        }
    }
    let low = sums.largest();
    (low, sums.items(low, times))
}
