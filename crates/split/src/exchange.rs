//! Exchanges of small sets of items between two shards, to get all loads within a goal.
//!
//! Shard a is above the goal by `excess`, shard b below it by `slack`. A set A of a's items and a
//! set B of b's are exchanged such that Σ A − Σ B, the load that moves, is as close as possible to
//! what is wanted: just `excess` if b has room for it, else all of `slack`. Both shards have a
//! sorted list of the sums of their small sets; a walk along both lists finds the best pair. With
//! 250 items in a shard, sets of up to two make 31,000 sums, and the 10⁹ differences of two such
//! lists hit nearly every value, so that loads become exactly equal.

/// Sums per shard, together over all shards, and in each at least and at most.
const SUMS: (usize, usize, usize) = (4_000_000, 2_000, 40_000);

/// Items of a shard that are considered; more are sampled, in order of their times.
const ITEMS: usize = 280;

/// Bits of an item's place in a set, and the largest set.
const BITS: u32 = 9;
const LARGEST: usize = 7;
const NONE: u64 = (1 << BITS) - 1;

/// Exchanges per shard.
const STEPS: usize = 60;

/// Moves items until no load is above the goal. If that fails, `Err` has what was reached.
pub fn level(
    times: &[u64],
    place: Vec<usize>,
    shards: usize,
    goal: u64,
) -> Result<Vec<usize>, Vec<usize>> {
    let mut state = State::new(times, place, shards);
    for _ in 0..STEPS * shards {
        let fullest = state.fullest();
        if state.loads[fullest] <= goal {
            return Ok(state.place);
        }
        if !state.relieve(fullest, goal) {
            break;
        }
    }
    Err(state.place)
}

/// A small set of items of a shard.
#[derive(Clone, Copy)]
struct Set {
    sum: u64,
    /// Places in the list of considered items, [`BITS`] bits each.
    items: u64,
}

/// Considered items of a shard, and the sums of their small sets, in ascending order.
struct Sums {
    items: Vec<usize>,
    sets: Vec<Set>,
}

struct State<'a> {
    times: &'a [u64],
    place: Vec<usize>,
    loads: Vec<u64>,
    /// `None` if the shard has changed.
    sums: Vec<Option<Sums>>,
    most: usize,
}

/// An exchange: what moves from the one shard to the other, and back.
struct Exchange {
    gain: u64,
    moved: u64,
    away: u64,
    back: u64,
}

impl<'a> State<'a> {
    fn new(times: &'a [u64], place: Vec<usize>, shards: usize) -> Self {
        let loads = crate::pack::loads(times, &place, shards);
        let sums = (0..shards).map(|_| None).collect();
        let most = (SUMS.0 / shards).clamp(SUMS.1, SUMS.2);
        Self { times, place, loads, sums, most }
    }

    fn fullest(&self) -> usize {
        let shards = 0..self.loads.len();
        shards.max_by_key(|&shard| (self.loads[shard], std::cmp::Reverse(shard))).unwrap_or(0)
    }

    /// Takes load from the shard by the best exchange with one that is below the goal; false if
    /// there is none.
    fn relieve(&mut self, from: usize, goal: u64) -> bool {
        let mut others: Vec<usize> =
            (0..self.loads.len()).filter(|&shard| self.loads[shard] < goal).collect();
        others.sort_by_key(|&shard| (self.loads[shard], shard));
        self.prepare(from);
        let excess = self.loads[from] - goal;
        let mut best: Option<(usize, Exchange)> = None;
        for to in others {
            self.prepare(to);
            let slack = goal - self.loads[to];
            let (Some(one), Some(other)) = (&self.sums[from], &self.sums[to]) else { continue };
            let Some(exchange) = best_exchange(&one.sets, &other.sets, excess, slack) else {
                continue;
            };
            let is_full = exchange.gain == excess.min(slack);
            if best.as_ref().is_none_or(|(_, best)| exchange.gain > best.gain) {
                best = Some((to, exchange));
            }
            if is_full {
                break;
            }
        }
        let Some((to, exchange)) = best else { return false };
        self.apply(from, to, &exchange);
        true
    }

    fn prepare(&mut self, shard: usize) {
        if self.sums[shard].is_none() {
            let items = (0..self.place.len()).filter(|&item| self.place[item] == shard);
            self.sums[shard] = Some(Sums::new(items.collect(), self.times, self.most));
        }
    }

    fn apply(&mut self, from: usize, to: usize, exchange: &Exchange) {
        let (one, other) = (self.sums[from].take(), self.sums[to].take());
        for (sums, set, shard) in [(one, exchange.away, to), (other, exchange.back, from)] {
            let sums = sums.into_iter();
            for item in sums.flat_map(|sums| places(set).map(move |at| sums.items[at])) {
                self.place[item] = shard;
            }
        }
        self.loads[from] -= exchange.moved;
        self.loads[to] += exchange.moved;
    }
}

/// The places in a set.
fn places(set: u64) -> impl Iterator<Item = usize> {
    let fields = (0..LARGEST as u32).map(move |field| (set >> (field * BITS)) & NONE);
    fields.take_while(|&field| field != NONE).map(|field| field as usize)
}

impl Sums {
    fn new(mut items: Vec<usize>, times: &[u64], most: usize) -> Self {
        items.sort_by_key(|&item| (times[item], item));
        if items.len() > ITEMS {
            let count = items.len();
            items = (0..ITEMS).map(|at| items[at * count / ITEMS]).collect();
        }
        let mut sets = vec![Set { sum: 0, items: u64::MAX }];
        let mut start = 0;
        for size in 0..LARGEST {
            let end = sets.len();
            // Every set of this size is extended by the items after its last one.
            for at in start..end {
                let set = sets[at];
                let last = places(set.items).last().map_or(0, |last| last + 1);
                for next in last..items.len() {
                    let shift = size as u32 * BITS;
                    let items_with = (set.items & !(NONE << shift)) | ((next as u64) << shift);
                    sets.push(Set { sum: set.sum + times[items[next]], items: items_with });
                    if sets.len() >= most {
                        break;
                    }
                }
                if sets.len() >= most {
                    break;
                }
            }
            start = end;
            if sets.len() >= most || start == sets.len() {
                break;
            }
        }
        sets.sort_by_key(|set| (set.sum, set.items));
        Self { items, sets }
    }
}

/// The exchange that moves the most useful load: all of `excess` with the least beyond it, or as
/// much as possible below it, and never more than `slack`.
fn best_exchange(from: &[Set], to: &[Set], excess: u64, slack: u64) -> Option<Exchange> {
    let above = if excess <= slack { least_above(from, to, excess, slack) } else { None };
    let (one, other) = match above {
        Some(pair) => pair,
        None => most_below(from, to, excess.min(slack))?,
    };
    let moved = one.sum - other.sum;
    Some(Exchange { gain: moved.min(excess), moved, away: one.items, back: other.items })
}

/// The pair with the smallest difference of at least `low`, if it is at most `high`.
fn least_above(from: &[Set], to: &[Set], low: u64, high: u64) -> Option<(Set, Set)> {
    let mut best: Option<(u64, Set, Set)> = None;
    let mut at = 0;
    for one in from.iter().filter(|one| one.sum >= low) {
        // The largest sum with which the difference is still at least `low`.
        while to.get(at + 1).is_some_and(|next| next.sum <= one.sum - low) {
            at += 1;
        }
        let Some(other) = to.get(at).filter(|other| other.sum <= one.sum - low) else { continue };
        let difference = one.sum - other.sum;
        if best.is_none_or(|(best, ..)| difference < best) {
            best = Some((difference, *one, *other));
            if difference == low {
                break;
            }
        }
    }
    best.filter(|(difference, ..)| *difference <= high).map(|(_, one, other)| (one, other))
}

/// The pair with the largest difference of at most `high`, above 0.
fn most_below(from: &[Set], to: &[Set], high: u64) -> Option<(Set, Set)> {
    let mut best: Option<(u64, Set, Set)> = None;
    let mut at = 0;
    for one in from {
        // The smallest sum with which the difference is at most `high`.
        while to.get(at).is_some_and(|other| other.sum + high < one.sum) {
            at += 1;
        }
        let Some(other) = to.get(at).filter(|other| other.sum < one.sum) else { continue };
        let difference = one.sum - other.sum;
        if best.is_none_or(|(best, ..)| difference > best) {
            best = Some((difference, *one, *other));
            if difference == high {
                break;
            }
        }
    }
    best.map(|(_, one, other)| (one, other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn sets(sums: &[u64]) -> Vec<Set> {
        sums.iter().map(|&sum| Set { sum, items: u64::MAX }).collect()
    }

    #[test]
    fn the_walk_finds_what_trying_all_pairs_finds() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for _ in 0..2000 {
            let mut draw = || {
                let mut sums: Vec<u64> =
                    (0..rng.random_range(1..8)).map(|_| rng.random_range(0..30)).collect();
                sums.sort_unstable();
                sums
            };
            let (one, other) = (draw(), draw());
            let (low, high) = (rng.random_range(1..10), rng.random_range(1..20));
            let all =
                || one.iter().flat_map(|a| other.iter().filter_map(move |b| a.checked_sub(*b)));
            let difference = |pair: Option<(Set, Set)>| pair.map(|(a, b)| a.sum - b.sum);
            let found = difference(least_above(&sets(&one), &sets(&other), low, high));
            assert_eq!(found, all().filter(|&d| d >= low).min().filter(|&d| d <= high));
            let found = difference(most_below(&sets(&one), &sets(&other), high));
            assert_eq!(found, all().filter(|&d| d > 0 && d <= high).max());
        }
    }

    #[test]
    fn sets_are_all_different_and_sum_up() {
        let times = [5, 7, 11, 13, 17];
        let Sums { items, sets } = Sums::new((0..5).collect(), &times, 1000);
        assert_eq!(sets.len(), 32);
        for set in &sets {
            let sum: u64 = places(set.items).map(|at| times[items[at]]).sum();
            assert_eq!(sum, set.sum);
        }
    }
}
