//! Packs items into equal shards: longest first, then exchanges.
//!
//! Longest items first onto the emptiest shard (LPT) leaves loads that differ by the last few
//! items. [`exchange`](crate::exchange) then moves small sets of items between two shards until no
//! load is above the goal. The first goal is a lower bound, and mostly it is reached; otherwise
//! goals between it and the best makespan are tried by halves.

use crate::exchange;

/// Goals that are tried after the lower bound.
const HALVES: usize = 12;

/// No packing of the items into this many shards has a smaller largest load: the average, the
/// longest item, or the two shortest of the m + 1 longest, of which two share a shard.
pub fn lower_bound(times: &[u64], shards: usize) -> u64 {
    let total: u128 = times.iter().map(|&time| u128::from(time)).sum();
    let average = u64::try_from(total.div_ceil(shards as u128)).unwrap_or(u64::MAX);
    let mut longest = times.to_vec();
    longest.sort_unstable_by(|a, b| b.cmp(a));
    let first = longest.first().copied().unwrap_or(0);
    let two = longest.get(shards - 1..=shards).map_or(0, |pair| pair.iter().sum());
    average.max(first).max(two)
}

/// The shard of each item; all sums of times must fit.
pub fn pack(times: &[u64], shards: usize) -> Vec<usize> {
    let low = lower_bound(times, shards);
    let mut best = longest_first(times, shards);
    if let Ok(found) = exchange::level(times, best.clone(), shards, low) {
        return found;
    }
    let mut low = low;
    for _ in 0..HALVES {
        let high = makespan(times, &best, shards);
        if high <= low + 1 {
            break;
        }
        let goal = low + (high - low) / 2;
        match exchange::level(times, best.clone(), shards, goal) {
            Ok(found) => best = found,
            Err(closer) => {
                low = goal;
                if makespan(times, &closer, shards) < high {
                    best = closer;
                }
            }
        }
    }
    best
}

/// A packing in which no load is above the goal, if one is found.
pub fn pack_within(times: &[u64], shards: usize, goal: u64) -> Option<Vec<usize>> {
    if goal < lower_bound(times, shards) {
        return None;
    }
    exchange::level(times, longest_first(times, shards), shards, goal).ok()
}

/// Each item, the longest first, onto the shard with the smallest load, the first of equal ones.
fn longest_first(times: &[u64], shards: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..times.len()).collect();
    order.sort_by_key(|&item| (std::cmp::Reverse(times[item]), item));
    let mut heap: std::collections::BTreeSet<(u64, usize)> =
        (0..shards).map(|shard| (0, shard)).collect();
    let mut place = vec![0; times.len()];
    for item in order {
        let Some((load, shard)) = heap.pop_first() else { break };
        place[item] = shard;
        heap.insert((load + times[item], shard));
    }
    place
}

pub fn loads(times: &[u64], place: &[usize], shards: usize) -> Vec<u64> {
    let mut loads = vec![0; shards];
    times.iter().zip(place).for_each(|(time, &shard)| loads[shard] += time);
    loads
}

fn makespan(times: &[u64], place: &[usize], shards: usize) -> u64 {
    loads(times, place, shards).into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// The smallest largest load, by trying everything.
    fn optimum(times: &[u64], loads: &mut [u64]) -> u64 {
        let Some((&time, rest)) = times.split_first() else {
            return loads.iter().copied().max().unwrap_or(0);
        };
        let mut best = u64::MAX;
        for shard in 0..loads.len() {
            loads[shard] += time;
            best = best.min(optimum(rest, loads));
            loads[shard] -= time;
        }
        best
    }

    #[test]
    fn packings_lie_between_the_bound_and_graham() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut optimal, cases) = (0, 300);
        for case in 0..cases {
            let (items, shards) = (rng.random_range(1..9), rng.random_range(1..5));
            let times: Vec<u64> = (0..items).map(|_| rng.random_range(0..50)).collect();
            let best = optimum(&times, &mut vec![0; shards]);
            let place = pack(&times, shards);
            let found = makespan(&times, &place, shards);
            assert!(lower_bound(&times, shards) <= best && best <= found, "case {case}");
            assert!(3 * found <= 4 * best, "case {case}: {found} and {best}");
            optimal += usize::from(found == best);
        }
        assert!(optimal > 9 * cases / 10, "{optimal} of {cases}");
    }

    #[test]
    fn many_small_tasks_reach_the_average_exactly() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for (items, shards) in [(5000, 20), (1000, 7), (300, 30), (2000, 100)] {
            // Microseconds up to some seconds, most of them short.
            let times: Vec<u64> = (0..items)
                .map(|_| {
                    let long: u64 = rng.random_range(1..3000);
                    long * long
                })
                .collect();
            let place = pack(&times, shards);
            let (found, least) = (makespan(&times, &place, shards), lower_bound(&times, shards));
            // Ten items per shard have too few sets to hit every microsecond.
            let most = if items >= 20 * shards { least } else { least + least / 1_000_000 };
            assert!(found <= most, "{items}, {shards}: {found}, at least {least}");
        }
    }
}
