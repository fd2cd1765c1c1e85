//! Lists of sets, extended item by item.
//!
//! Items are in order of price per time. Of each set of the items so far only its time and price
//! are kept. A set is dropped if
//!
//! - another one is worth no less and takes no longer, or
//! - it cannot become better than the best set known. No set of the remaining items is worth more
//!   than the items that fit in order plus the fraction of the next one that fills the room: the
//!   bound of Dantzig (1957), rounded down because prices are integers.
//!
//! All numbers are integers. The sets of a list differ in time and in price, so their number is at
//! most one more than the room, and at most one more than the sum of all prices.

use super::{Forced, Item, TooLarge, table};
use gridsat_model::Ticks;
use std::cmp::Ordering;
use std::{iter, mem};

/// Most sets in a list, which take 64 megabytes.
const MAX_ENTRIES: usize = 1 << 22;

/// A set of items, by its total time and price.
#[derive(Clone, Copy)]
struct Set {
    time: Ticks,
    price: u64,
}

/// Items in order of price per time, highest first.
pub(super) struct Ordered {
    items: Vec<Item>,
    /// Entry i: total time and price of the first i items.
    first: Vec<Set>,
}

/// The result of filling the room with items in order.
struct Filling {
    /// The total price of the items that fit one after the other.
    sure: u64,
    /// No set of these items that fits is worth more.
    bound: u64,
}

impl Set {
    fn with(self, item: Item) -> Self {
        Self { time: self.time + item.time, price: self.price + item.price }
    }

    /// Whether the set takes less time, or the same time and is worth more.
    fn is_before(&self, other: &Self) -> bool {
        (self.time, other.price) < (other.time, self.price)
    }
}

impl Ordered {
    pub fn new(items: &[Item]) -> Self {
        let mut items = items.to_vec();
        items.sort_by(by_rate);
        Self::in_order(items)
    }

    fn in_order(items: Vec<Item>) -> Self {
        let mut first = vec![Set { time: Ticks(0), price: 0 }];
        first.extend(items.iter().scan(first[0], |set, &item| {
            *set = set.with(item);
            Some(*set)
        }));
        Self { items, first }
    }

    /// The largest price that fits, or the floor if that is higher. The ceiling must be at least
    /// the largest price; the search ends when it is reached.
    pub fn best(&self, room: Ticks, floor: u64, ceiling: u64) -> Result<u64, TooLarge> {
        self.best_counted(room, floor, ceiling, &mut 0)
    }

    /// The same; adds the number of sets visited to `visited`.
    fn best_counted(
        &self,
        room: Ticks,
        floor: u64,
        ceiling: u64,
        visited: &mut u64,
    ) -> Result<u64, TooLarge> {
        let mut best = floor;
        let (mut sets, mut kept) = (vec![self.first[0]], Vec::new());
        for (i, &item) in self.items.iter().enumerate() {
            let Some(shortest) = sets.first() else { break };
            let mut next = self.next(i + 1, room - shortest.time);
            kept.clear();
            *visited += sets.len() as u64;
            for set in extended(&sets, item, room) {
                let filling = self.fill(i + 1, room - set.time, &mut next);
                best = best.max(set.price + filling.sure);
                if set.price + filling.bound > best {
                    kept.push(set);
                }
            }
            mem::swap(&mut sets, &mut kept);
            if best >= ceiling {
                break;
            }
            if sets.len() > MAX_ENTRIES {
                return Err(TooLarge(sets.len() as u64));
            }
        }
        Ok(best)
    }

    /// The first item that does not fit when the room is filled with the items from index `from`
    /// on.
    fn next(&self, from: usize, room: Ticks) -> usize {
        let end = self.first[from].time + room;
        self.first.partition_point(|set| set.time <= end) - 1
    }

    /// Fills the room with the items from index `from` on. The first item that does not fit is
    /// searched from `next` downwards.
    fn fill(&self, from: usize, room: Ticks, next: &mut usize) -> Filling {
        let start = self.first[from];
        let end = start.time + room;
        while self.first[*next].time > end {
            *next -= 1;
        }
        let sure = self.first[*next].price - start.price;
        let left = u128::from(end - self.first[*next].time);
        // The item's time is not 0, because it would fit otherwise.
        let part = |item: &Item| (left * u128::from(item.price) / u128::from(item.time)) as u64;
        Filling { sure, bound: sure + self.items.get(*next).map_or(0, part) }
    }

    /// An upper bound on the price of sets of the items from index `from` on that fit.
    fn bound(&self, from: usize, room: Ticks) -> u64 {
        self.fill(from, room, &mut self.next(from, room)).bound
    }

    /// An upper bound on the price of sets without the item that fit.
    fn bound_without(&self, item: usize, room: Ticks) -> u64 {
        let before = self.first[item];
        match room.checked_sub(before.time) {
            Some(rest) => before.price + self.bound(item + 1, rest),
            None => self.bound(0, room),
        }
    }

    fn without(&self, item: usize) -> Self {
        let mut items = self.items.clone();
        items.remove(item);
        Self::in_order(items)
    }

    /// The values of one item if it does not fit or if bounds show that one of them is below the
    /// threshold.
    fn forced_by_bounds(
        &self,
        i: usize,
        room: Ticks,
        (best, threshold): (u64, u64),
    ) -> Option<Forced> {
        let Item { price, time } = self.items[i];
        let Some(rest) = room.checked_sub(time) else {
            return Some(Forced { with: None, without: best });
        };
        let with = price + self.bound_without(i, rest);
        // The best set has the item or not, so one of the two values equals the best; if one is
        // below it, the other is.
        if with < threshold {
            return Some(Forced { with: Some(with), without: best });
        }
        let without = self.bound_without(i, room);
        (without < threshold).then_some(Forced { with: Some(best), without })
    }

    /// The values of one item, as for the function [`forced`].
    fn forced(
        &self,
        i: usize,
        room: Ticks,
        (best, threshold): (u64, u64),
        visited: &mut u64,
    ) -> Result<Forced, TooLarge> {
        if let Some(value) = self.forced_by_bounds(i, room, (best, threshold)) {
            return Ok(value);
        }
        let Item { price, time } = self.items[i];
        let rest = room - time;
        let with = price + self.bound_without(i, rest);
        let without = self.bound_without(i, room);
        let others = self.without(i);
        let floor = threshold.saturating_sub(1);
        let with_floor = floor.saturating_sub(price);
        let mut ask = |room, floor, most| others.best_counted(room, floor, most, visited);
        if with < without {
            let with = price + ask(rest, with_floor, best - price)?;
            let without = if with < best { best } else { ask(room, floor, best)? };
            Ok(Forced { with: Some(with), without })
        } else {
            let without = ask(room, floor, best)?;
            let with =
                if without < best { best } else { price + ask(rest, with_floor, best - price)? };
            Ok(Forced { with: Some(with), without })
        }
    }
}

/// The values of each item, where `best` is the largest price that fits. Values below the
/// threshold, which must not exceed `best`, are upper bounds. `None` if more than `most` sets were
/// visited.
pub(super) fn forced(
    items: &[Item],
    room: Ticks,
    (best, threshold): (u64, u64),
    most: u64,
) -> Result<Option<Vec<Forced>>, TooLarge> {
    let mut names: Vec<usize> = (0..items.len()).collect();
    names.sort_by(|&a, &b| by_rate(&items[a], &items[b]));
    let ordered = Ordered::in_order(names.iter().map(|&name| items[name]).collect());
    let mut values = vec![Forced { with: None, without: best }; items.len()];
    let mut visited = 0;
    for (i, name) in names.into_iter().enumerate() {
        values[name] = ordered.forced(i, room, (best, threshold), &mut visited)?;
        if visited > most {
            return Ok(None);
        }
    }
    Ok(Some(values))
}

/// The same by a table of the items that bounds leave open. A set worth the threshold contains
/// every item without which bounds are below it, and none with which they are; so such sets differ
/// in the open items only, and in the room that the others leave.
pub(super) fn forced_by_table(
    items: &[Item],
    room: Ticks,
    (best, threshold): (u64, u64),
) -> Vec<Forced> {
    let mut names: Vec<usize> = (0..items.len()).collect();
    names.sort_by(|&a, &b| by_rate(&items[a], &items[b]));
    let ordered = Ordered::in_order(names.iter().map(|&name| items[name]).collect());
    let mut values = vec![Forced { with: None, without: best }; items.len()];
    let (mut open, mut used) = (Vec::new(), ordered.first[0]);
    for (i, &name) in names.iter().enumerate() {
        match ordered.forced_by_bounds(i, room, (best, threshold)) {
            Some(value) => {
                if value.without < threshold {
                    used = used.with(items[name]);
                }
                values[name] = value;
            }
            None => open.push(name),
        }
    }
    let core: Vec<Item> = open.iter().map(|&name| items[name]).collect();
    // Below the threshold a value is any bound below it.
    let value = |core: u64| (used.price + core).max(threshold.saturating_sub(1));
    for (name, Forced { with, without }) in
        iter::zip(open, table::forced(&core, room.saturating_sub(used.time)))
    {
        let with = with.map_or(threshold.saturating_sub(1), value);
        values[name] = Forced { with: Some(with), without: value(without) };
    }
    values
}

/// Orders by price per time, highest first. Items that take no time come first.
fn by_rate(a: &Item, b: &Item) -> Ordering {
    let product = |price: u64, time: Ticks| u128::from(price) * u128::from(time);
    let by_rate = product(b.price, a.time).cmp(&product(a.price, b.time));
    (a.time > Ticks(0)).cmp(&(b.time > Ticks(0))).then(by_rate)
}

/// The sets with and without the item, in order of time. Each is worth more than those before it.
fn extended(sets: &[Set], item: Item, room: Ticks) -> impl Iterator<Item = Set> {
    let with = sets.iter().map(move |set| set.with(item));
    let mut with = with.take_while(move |set| set.time <= room).peekable();
    let mut without = sets.iter().copied().peekable();
    let in_order = iter::from_fn(move || match (with.peek(), without.peek()) {
        (Some(a), Some(b)) if b.is_before(a) => without.next(),
        (Some(_), _) => with.next(),
        (None, _) => without.next(),
    });
    let mut highest = None;
    in_order.filter(move |set| {
        let is_higher = Some(set.price) > highest;
        highest = highest.max(Some(set.price));
        is_higher
    })
}
