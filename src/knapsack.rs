//! The most valuable set of items that fits: 0/1 knapsack by an expanding core. Names no other module.
//!
//! With items in order of value per weight, the greedy filling up to the *break item* is nearly
//! right; the best set differs from it in a few items around the break (Pisinger's minknap, 1997).
//! Starting there, items are taken in alternately to the right (may be added) and to the left (may
//! be removed), keeping a list of the non-dominated pairs (weight, value). A pair that cannot beat
//! the best set known, even if the remaining room were filled at the rate of the next item outside
//! the core, is dropped, so lists stay short whatever the size of the weights.
//!
//! All comparisons are exact: integers, cross-multiplied. Lists can still grow long when many items
//! have nearly the same rate; after a given effort the best set so far is returned, with an upper
//! bound on what was not looked at.

/// An item that may be packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// Who it is.
    pub name: u32,
    /// What it is worth, at most 2^62.
    pub value: u64,
    /// What it takes, at most the capacity.
    pub weight: u64,
}

/// A good set, the best if the effort sufficed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    /// What the set is worth.
    pub value: u64,
    /// No set is worth more; equal to `value` if the effort sufficed.
    pub at_most: u64,
    /// Who is in it.
    pub names: Vec<u32>,
}

#[derive(Clone, Copy)]
struct State {
    weight: i128,
    value: i128,
    /// How it differs from the greedy filling: an entry of `history`.
    last: u32,
}

/// One change and the one before it.
#[derive(Clone, Copy)]
struct Change {
    item: u32,
    before: u32,
}

const NONE: u32 = u32::MAX;

/// Solves the knapsack, looking at about `effort` states at most. Items of no value are never packed.
pub fn pack(items: &mut Vec<Item>, capacity: u64, effort: usize) -> Packing {
    items.retain(|item| item.value > 0 && item.weight <= capacity);
    // Better rate first: v/w > v'/w' without division; the name makes the order total.
    items.sort_unstable_by(|a, b| {
        let (left, right) = (rate(a, b), rate(b, a));
        right.cmp(&left).then(a.name.cmp(&b.name))
    });
    Core::new(items, capacity).solve(effort)
}

/// The best value and, item by item, the best with it in and with it out.
pub struct Forced {
    /// The best value.
    pub best: u64,
    /// `(in, out)`; 0 for an item that does not fit.
    pub each: Vec<(u64, u64)>,
}

/// All forced values.
pub fn forced(items: &[Item], capacity: u64, effort: usize) -> Forced {
    if (items.len() as u64 + 1).saturating_mul(capacity.saturating_add(1)) < 4_000_000 {
        return forced_by_tables(items, capacity as usize);
    }
    let best = pack(&mut items.to_vec(), capacity, effort);
    let each = items.iter().enumerate().map(|(i, item)| {
        let mut others = items.to_vec();
        others.remove(i);
        let is_in = best.names.contains(&item.name);
        let out = if is_in { pack(&mut others.clone(), capacity, effort).at_most } else { best.at_most };
        let with = match capacity.checked_sub(item.weight) {
            _ if is_in => best.at_most,
            Some(rest) => item.value + pack(&mut others, rest, effort).at_most,
            None => 0,
        };
        (with, out)
    });
    let each = each.collect();
    Forced { best: best.at_most, each }
}

fn forced_by_tables(items: &[Item], capacity: usize) -> Forced {
    let width = capacity + 1;
    // before[i][w]: best of the first i items within w; after[i][w]: of the items from i on.
    let n = items.len();
    let mut before = vec![0_u64; (n + 1) * width];
    for (i, item) in items.iter().enumerate() {
        let (old, new) = before[i * width..(i + 2) * width].split_at_mut(width);
        add_item(old, new, item);
    }
    let mut after = vec![0_u64; width];
    let mut next = vec![0_u64; width];
    let mut each = vec![(0, 0); n];
    let join = |a: &[u64], b: &[u64], room: usize| -> u64 {
        a[..=room].iter().zip(b[..=room].iter().rev()).map(|(x, y)| x + y).max().unwrap_or(0)
    };
    for (i, item) in items.iter().enumerate().rev() {
        let front = &before[i * width..(i + 1) * width];
        let out = join(front, &after, capacity);
        let with = match (capacity as u64).checked_sub(item.weight) {
            Some(rest) => item.value + join(front, &after, rest as usize),
            None => 0,
        };
        each[i] = (with, out);
        add_item(&after, &mut next, item);
        std::mem::swap(&mut after, &mut next);
    }
    Forced { best: before[n * width + capacity], each }
}

fn add_item(old: &[u64], new: &mut [u64], item: &Item) {
    new.copy_from_slice(old);
    let weight = item.weight as usize;
    if weight < old.len() {
        for (value, &without) in new[weight..].iter_mut().zip(old) {
            *value = (*value).max(without + item.value);
        }
    }
}

fn rate(a: &Item, b: &Item) -> u128 {
    u128::from(a.value) * u128::from(b.weight)
}

struct Core<'a> {
    items: &'a [Item],
    capacity: i128,
    /// The first item the greedy filling leaves out.
    break_item: usize,
    states: Vec<State>,
    history: Vec<Change>,
    best_value: i128,
    best: u32,
    /// The greedy filling continued past the break, where that is the best known.
    extra: Vec<u32>,
}

impl<'a> Core<'a> {
    fn new(items: &'a [Item], capacity: u64) -> Self {
        let capacity = i128::from(capacity);
        let (mut weight, mut value, mut break_item) = (0, 0, 0);
        while let Some(item) = items.get(break_item)
            && weight + i128::from(item.weight) <= capacity
        {
            weight += i128::from(item.weight);
            value += i128::from(item.value);
            break_item += 1;
        }
        let mut core = Self {
            items,
            capacity,
            break_item,
            states: vec![State { weight, value, last: NONE }],
            history: Vec::new(),
            best_value: value,
            best: NONE,
            extra: Vec::new(),
        };
        core.fill_greedily(weight);
        core
    }

    /// Whatever still fits after the break, in order: a good first guess makes lists short.
    fn fill_greedily(&mut self, mut weight: i128) {
        for item in &self.items[self.break_item..] {
            if weight + i128::from(item.weight) <= self.capacity {
                weight += i128::from(item.weight);
                self.best_value += i128::from(item.value);
                self.extra.push(item.name);
            }
        }
    }

    fn solve(mut self, mut effort: usize) -> Packing {
        let (mut left, mut right) = (self.break_item, self.break_item);
        while (left > 0 || right < self.items.len()) && !self.states.is_empty() {
            let Some(rest) = effort.checked_sub(self.states.len()) else {
                let at_most = self.open_bound(left, right);
                return self.packing(at_most);
            };
            effort = rest;
            if right < self.items.len() {
                self.take_in(right, 1);
                right += 1;
            }
            self.prune(left, right);
            if left > 0 {
                left -= 1;
                self.take_in(left, -1);
            }
            self.prune(left, right);
        }
        let at_most = self.best_value;
        self.packing(at_most)
    }

    /// What the states left over could still come to, at the rates outside the core.
    fn open_bound(&self, left: usize, right: usize) -> i128 {
        let reach = |state: &State| {
            let room = self.capacity - state.weight;
            let outside = match room >= 0 {
                true => self.items.get(right),
                false => left.checked_sub(1).map(|i| &self.items[i]),
            };
            // A state that is too heavy and can lose nothing more is dropped by `prune`.
            let rate = |item: &Item| {
                let weight = i128::from(item.weight).max(1);
                (room * i128::from(item.value)).div_euclid(weight) + i128::from(room >= 0)
            };
            state.value + outside.map_or(0, rate)
        };
        self.states.iter().map(reach).fold(self.best_value, i128::max)
    }

    /// Every state with and without the change, merged by weight, dominated ones dropped.
    fn take_in(&mut self, item: usize, sign: i128) {
        let (weight, value) =
            (i128::from(self.items[item].weight), i128::from(self.items[item].value));
        let old = std::mem::take(&mut self.states);
        let mut merged: Vec<State> = Vec::with_capacity(2 * old.len());
        let changed = |state: &State| (state.weight + sign * weight, state.value + sign * value);
        let (mut i, mut j) = (0, 0);
        while i < old.len() || j < old.len() {
            let plain = old.get(i).map(|state| (state.weight, state.value));
            let other = old.get(j).map(changed);
            let take_plain = match (plain, other) {
                (Some(plain), Some(other)) => (plain.0, -plain.1) <= (other.0, -other.1),
                (plain, _) => plain.is_some(),
            };
            let state = if take_plain {
                i += 1;
                old[i - 1]
            } else {
                j += 1;
                let (weight, value) = changed(&old[j - 1]);
                State { weight, value, last: NONE }
            };
            if merged.last().is_some_and(|last| last.value >= state.value) {
                continue;
            }
            let state = if take_plain {
                state
            } else {
                self.history.push(Change { item: item as u32, before: old[j - 1].last });
                State { last: self.history.len() as u32 - 1, ..state }
            };
            self.note(state);
            merged.push(state);
        }
        self.states = merged;
    }

    fn note(&mut self, state: State) {
        if state.weight <= self.capacity && state.value > self.best_value {
            self.best_value = state.value;
            self.best = state.last;
            self.extra.clear();
        }
    }

    /// Drops what cannot beat the best: `left` is the first item inside the core, `right` the first
    /// after it.
    fn prune(&mut self, left: usize, right: usize) {
        let next = self.items.get(right).copied();
        let previous = left.checked_sub(1).map(|i| self.items[i]);
        let (capacity, best) = (self.capacity, self.best_value);
        self.states.retain(|state| {
            let room = capacity - state.weight;
            let missing = best - state.value;
            // The value that room can bring, or that lack of room costs, at the rate outside.
            let outside = if room >= 0 { next } else { previous };
            match outside {
                Some(item) => room * i128::from(item.value) > missing * i128::from(item.weight),
                None => room >= 0 && missing < 0,
            }
        });
    }

    fn packing(self, at_most: i128) -> Packing {
        let mut packed = vec![false; self.items.len()];
        packed[..self.break_item].fill(true);
        let mut change = self.best;
        while change != NONE {
            let Change { item, before } = self.history[change as usize];
            packed[item as usize] = !packed[item as usize];
            change = before;
        }
        let names = self.items.iter().zip(&packed).filter(|&(_, &is_in)| is_in);
        let mut names: Vec<u32> = names.map(|(item, _)| item.name).collect();
        names.extend(&self.extra);
        Packing { value: self.best_value as u64, at_most: at_most as u64, names }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// By trying all sets.
    fn best_value(items: &[Item], capacity: u64) -> u64 {
        let sets = 0..1_u32 << items.len();
        let sum = |set: u32| {
            let chosen = items.iter().enumerate().filter(move |(i, _)| set >> i & 1 == 1);
            chosen.fold((0, 0), |(w, v), (_, item)| (w + item.weight, v + item.value))
        };
        sets.map(sum).filter(|&(w, _)| w <= capacity).map(|(_, v)| v).max().unwrap_or(0)
    }

    #[test]
    fn agrees_with_trying_all_sets() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for round in 0..4000 {
            let n = rng.random_range(0..11);
            let spread: u64 = [3, 20, 1000, 1 << 40][round % 4];
            let items: Vec<Item> = (0..n)
                .map(|name| {
                    let weight = rng.random_range(0..=spread);
                    let value = match round % 3 {
                        0 => rng.random_range(0..=spread),
                        1 => weight,
                        _ => weight.saturating_add(spread / 10),
                    };
                    Item { name, value, weight }
                })
                .collect();
            let capacity = rng.random_range(0..=spread * 4);
            let effort = [usize::MAX, 0, 5][round % 5 % 3];
            let packing = pack(&mut items.clone(), capacity, effort);
            let best = best_value(&items, capacity);
            assert!(packing.value <= best && best <= packing.at_most, "{items:?} {capacity}");
            if effort == usize::MAX {
                assert_eq!(packing.value, packing.at_most, "{items:?} {capacity}");
            }
            let of = |name: &u32| items[*name as usize];
            let weight: u64 = packing.names.iter().map(|name| of(name).weight).sum();
            let value: u64 = packing.names.iter().map(|name| of(name).value).sum();
            assert!(weight <= capacity && value == packing.value, "{items:?} {capacity}");
        }
    }
}
