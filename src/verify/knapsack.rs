//! Knapsacks by the plainest exact method there is: a table over the room or over the price.

use crate::model::Ticks;

/// A task as one host sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub price: u64,
    pub time: Ticks,
}

/// Tables have at most this many entries, half a gigabyte.
const MAX_ENTRIES: u64 = 1 << 26;

/// A table would need this many entries.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLarge(pub u64);

/// Some items and the room for them.
pub(super) struct Knapsack {
    items: Vec<Item>,
    room: Ticks,
    /// The largest total price that fits.
    pub best: u64,
}

impl Knapsack {
    /// Finds the largest total price that fits. The smaller of the two tables is used; `guess` is
    /// how long the one over prices is at first.
    pub fn new(items: Vec<Item>, room: Ticks, guess: u64) -> Result<Self, TooLarge> {
        let prices = items.iter().map(|item| item.price);
        let total = prices.fold(0, u64::saturating_add);
        if room.min(total) >= MAX_ENTRIES {
            return Err(TooLarge(room.min(total)));
        }
        let best = best(&items, room, total, guess);
        Ok(Self { items, room, best })
    }

    /// For each item the largest total price that fits with it in, and with it out. `None` where it
    /// does not fit.
    pub fn forced(&self) -> Vec<(Option<u64>, u64)> {
        let table = match self.room <= self.best {
            true => Table::over_room(self.room),
            false => Table::over_price(self.best),
        };
        let mut values = Vec::with_capacity(self.items.len());
        each_without(&self.items, table, &mut |item, others| {
            let rest = self.room.checked_sub(item.time);
            let with = rest.map(|rest| item.price + others.best_within(rest));
            values.push((with, others.best_within(self.room)));
        });
        values
    }
}

/// Calls `use_others` for each item in order, with the table of all others: the items of one half
/// are put into a copy of the table, which then serves the other half.
fn each_without(items: &[Item], table: Table, use_others: &mut dyn FnMut(Item, &Table)) {
    match items {
        [] => {}
        [item] => use_others(*item, &table),
        _ => {
            let (left, right) = items.split_at(items.len() / 2);
            each_without(left, table.clone().with(right), use_others);
            each_without(right, table.with(left), use_others);
        }
    }
}

/// A table over prices may end at a limit. If a set worth more than the limit fits, take its tasks
/// away one by one: the rest still fits, and as no step is longer than the highest price, some rest
/// is worth between the limit less that price and the limit. So if nothing in that window fits,
/// nothing beyond it does. Else the limit is doubled, until the table over the room is no longer.
fn best(items: &[Item], room: Ticks, total: u64, guess: u64) -> u64 {
    let highest = items.iter().map(|item| item.price).max().unwrap_or(0);
    let mut limit = guess.max(highest).min(total);
    while room > limit {
        let best = Table::over_price(limit).with(items).best_within(room);
        if limit == total || best <= limit - highest {
            return best;
        }
        limit = limit.saturating_mul(2).min(total);
    }
    Table::over_room(room).with(items).best_within(room)
}

#[derive(Clone, Debug)]
enum Table {
    /// Entry w: the largest total price within w.
    Most(Vec<u64>),
    /// Entry v: the shortest time of tasks whose prices add up to v.
    Least(Vec<Ticks>),
}

/// Sums of times are below 2^63, so this is never taken for one, and adding a time to it does not
/// overflow.
const IMPOSSIBLE: Ticks = 1 << 63;

impl Table {
    fn over_room(room: Ticks) -> Self {
        Self::Most(vec![0; room as usize + 1])
    }

    fn over_price(limit: u64) -> Self {
        let mut least = vec![IMPOSSIBLE; limit as usize + 1];
        least[0] = 0;
        Self::Least(least)
    }

    fn with(mut self, items: &[Item]) -> Self {
        match &mut self {
            Self::Most(most) => items.iter().for_each(|&item| add_to_most(most, item)),
            Self::Least(least) => items.iter().for_each(|&item| add_to_least(least, item)),
        }
        self
    }

    fn best_within(&self, room: Ticks) -> u64 {
        match self {
            Self::Most(most) => most[room as usize],
            Self::Least(least) => least.iter().rposition(|&time| time <= room).unwrap_or(0) as u64,
        }
    }
}

fn add_to_most(most: &mut [u64], Item { price, time }: Item) {
    for w in (time as usize..most.len()).rev() {
        most[w] = most[w].max(most[w - time as usize] + price);
    }
}

fn add_to_least(least: &mut [Ticks], Item { price, time }: Item) {
    for v in (price as usize..least.len()).rev() {
        least[v] = least[v].min((least[v - price as usize] + time).min(IMPOSSIBLE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(pairs: &[(u64, Ticks)]) -> Vec<Item> {
        pairs.iter().map(|&(price, time)| Item { price, time }).collect()
    }

    fn best(pairs: &[(u64, Ticks)], room: Ticks, guess: u64) -> u64 {
        Knapsack::new(items(pairs), room, guess).expect("small").best
    }

    #[test]
    fn both_tables_agree_with_a_hand_computed_case() {
        // Room 10: 6 + 4 is worth 13, 5 + 5 is worth 14, with the weightless one 17.
        let pairs = [(8, 6), (7, 5), (7, 5), (5, 4), (3, 0)];
        for guess in [0, 1, 8, 9, 17, 20, 30] {
            assert_eq!(best(&pairs, 10, guess), 17);
            assert_eq!(best(&pairs, 100, guess), 30);
            assert_eq!(best(&pairs, 0, guess), 3);
        }
        assert_eq!(best(&[], 5, 0), 0);
    }

    #[test]
    fn forced_values_agree_with_a_hand_computed_case() {
        // As above: with the first in, 8 + 5 + 3; without the last, 14; the 20 does not fit.
        let pairs = [(8, 6), (7, 5), (7, 5), (5, 4), (3, 0), (9, 20)];
        let expected = [
            (Some(16), 17),
            (Some(17), 16),
            (Some(17), 16),
            (Some(16), 17),
            (Some(17), 14),
            (None, 17),
        ];
        assert_eq!(Knapsack::new(items(&pairs), 10, 100).expect("small").forced(), expected);
        // Ten times the room calls for the other table.
        let wide: Vec<_> = pairs.iter().map(|&(price, time)| (price, 10 * time)).collect();
        assert_eq!(Knapsack::new(items(&wide), 100, 0).expect("small").forced(), expected);
    }

    #[test]
    fn tables_have_a_limit() {
        let large = items(&[(1 << 40, 1 << 40)]);
        let error = Knapsack::new(large, 1 << 41, 1).err();
        assert_eq!(error, Some(TooLarge(1 << 40)));
    }

    /// However large prices or room, the table that is small is used.
    #[test]
    fn a_small_table_is_enough() {
        for guess in [0, 1, 1 << 30, u64::MAX] {
            assert_eq!(best(&[(1 << 62, 60), (1 << 61, 50)], 100, guess), 1 << 62);
            assert_eq!(best(&[(6, 1 << 60), (5, 1 << 60)], (1 << 60) + 1, guess), 6);
        }
    }
}
