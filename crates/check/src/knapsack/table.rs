//! A plain table: entry w is the largest total price within w ticks.

use super::{Forced, Item};
use gridsat_model::Ticks;

/// The largest total price that fits.
pub(super) fn best(items: &[Item], room: Ticks) -> u64 {
    Table::new(room).with(items).best_within(room)
}

/// The values of each item, with it and without it.
pub(super) fn forced(items: &[Item], room: Ticks) -> Vec<Forced> {
    let mut values = Vec::with_capacity(items.len());
    each_without(items, Table::new(room), &mut |item, others| {
        let rest = room.checked_sub(item.time);
        let with = rest.map(|rest| item.price + others.best_within(rest));
        values.push(Forced { with, without: others.best_within(room) });
    });
    values
}

/// Calls `use_others` for each item in order, with the table of all other items: the items of one
/// half are added to a copy of the table, which then serves the other half.
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

#[derive(Clone)]
struct Table(Vec<u64>);

impl Table {
    fn new(room: Ticks) -> Self {
        Self(vec![0; room.0 as usize + 1])
    }

    fn with(mut self, items: &[Item]) -> Self {
        let most = &mut self.0;
        for &Item { price, time } in items {
            for w in (time.0 as usize..most.len()).rev() {
                most[w] = most[w].max(most[w - time.0 as usize] + price);
            }
        }
        self
    }

    fn best_within(&self, room: Ticks) -> u64 {
        self.0[room.0 as usize]
    }
}
