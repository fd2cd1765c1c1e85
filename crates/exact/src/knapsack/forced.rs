//! The value of a knapsack when one item must be packed, or must not: for every item at once.
//!
//! For the item's state in the best set the answer is known. For the opposite state the linear
//! bound comes first: where it stays below the `threshold`, it suffices, and all sets worth the
//! threshold agree in that item. The remaining items are solved exactly: from tables of the items
//! before and after each item (over their number if their weights are similar, or over the
//! capacity), or else by one more knapsack per item over the items in which sets may differ.

use super::counted::Aim;
use super::order::Greedy;
use super::table::{MAX_VALUE, Row, fill, largest_sum};
use super::{CELLS_PER_STATE, Item, MAX_CELLS, MAX_TOTAL, Packer, Worth, work};

/// Upper bounds on the best set with an item and without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forced {
    /// No set with the item is worth more; 0 if it does not fit.
    pub with: u64,
    /// No set without it is worth more.
    pub without: u64,
}

/// The part of a knapsack in which sets worth the threshold may differ.
struct Part<'a> {
    items: &'a [Item],
    threshold: u64,
    /// Whether each item is in the best set found.
    is_packed: Vec<bool>,
    /// Indices of the items in this part.
    free: Vec<usize>,
    /// The total value of the items that are in all such sets.
    base: u64,
    /// The room that these items leave.
    room: u64,
}

impl Packer {
    /// For each item upper bounds on the best sets with it and without it, after [`Packer::pack`].
    /// A bound that is not below `threshold` is exact, unless the effort for one knapsack was used
    /// up.
    pub fn forced(
        &mut self,
        items: &[Item],
        capacity: u64,
        threshold: u64,
        effort: usize,
    ) -> (Worth, Vec<Forced>) {
        let (worth, greedy) = self.pack_above(items, capacity, 0, effort);
        let at_most = worth.at_most;
        let mut forced = vec![Forced { with: at_most, without: at_most }; items.len()];
        for (item, bounds) in items.iter().zip(&mut forced) {
            if item.weight > capacity {
                bounds.with = 0;
            }
        }
        let Some(greedy) = greedy else { return (worth, forced) };
        self.bound_linearly(items, capacity, &greedy, &mut forced);
        let names = std::mem::take(&mut self.names);
        if let Some(part) = self.part(items, capacity, threshold, &forced) {
            for (i, value) in self.exactly(&part, effort) {
                let bounds = &mut forced[i];
                let bound = if part.is_packed[i] { &mut bounds.without } else { &mut bounds.with };
                *bound = value.max(threshold.saturating_sub(1)).min(*bound);
            }
        }
        self.names = names;
        (worth, forced)
    }

    /// `None` if no set is worth the threshold.
    fn part<'a>(
        &self,
        items: &'a [Item],
        capacity: u64,
        threshold: u64,
        forced: &[Forced],
    ) -> Option<Part<'a>> {
        let mut is_packed = vec![false; items.len()];
        self.chosen.iter().for_each(|&i| is_packed[i as usize] = true);
        let mut part =
            Part { items, threshold, is_packed, free: Vec::new(), base: 0, room: capacity };
        for (i, (item, bounds)) in items.iter().zip(forced).enumerate() {
            if bounds.without < threshold || item.weight == 0 {
                part.base += item.value;
                part.room = part.room.checked_sub(item.weight)?;
            } else if bounds.with >= threshold && item.weight <= capacity {
                part.free.push(i);
            }
        }
        Some(part)
    }

    fn bound_linearly(
        &self,
        items: &[Item],
        capacity: u64,
        greedy: &Greedy,
        forced: &mut [Forced],
    ) {
        let mut is_in = vec![false; items.len()];
        let filling = &self.order.items[..self.order.break_item];
        filling.iter().for_each(|item| is_in[item.index as usize] = true);
        for ((item, bounds), is_in) in items.iter().zip(forced).zip(is_in) {
            let changed = |is_in| {
                // Only an item of value 0 can weigh this much.
                let weight = item.weight.min(MAX_TOTAL) as i64;
                let value = greedy.changed(item.value as i64, weight, is_in);
                (value + self.base).max(0) as u64
            };
            if item.weight == 0 {
                bounds.without -= item.value;
            } else if is_in {
                bounds.without = bounds.without.min(changed(true));
            } else if item.weight <= capacity {
                bounds.with = bounds.with.min(changed(false));
            }
        }
    }

    /// For each free item the value, or an upper bound, of the best set in which its state is the
    /// opposite.
    fn exactly(&mut self, part: &Part, effort: usize) -> Vec<(usize, u64)> {
        let total: u64 = part.free.iter().map(|&i| part.items[i].value).sum();
        let width = usize::try_from(part.room).map_or(usize::MAX, |room| room.saturating_add(1));
        let cells = width.saturating_mul(part.free.len() + 1);
        let limit = effort.saturating_mul(CELLS_PER_STATE).min(MAX_CELLS);
        let counted = self.plan_counted(part, limit.min(cells));
        if counted <= limit.min(cells) {
            work::add(counted / CELLS_PER_STATE);
            self.by_counts(part)
        } else if cells <= limit && total < MAX_VALUE as u64 {
            work::add(2 * cells / CELLS_PER_STATE);
            self.by_tables(part, width)
        } else {
            self.one_by_one(part, effort)
        }
    }

    /// Number of entries of the table over the number of items.
    fn plan_counted(&mut self, part: &Part, limit: usize) -> usize {
        let pair =
            |&i: &usize| (part.items[i].value as i64, part.items[i].weight.min(MAX_TOTAL) as i64);
        let room = part.room.min(MAX_TOTAL) as i64;
        let floor = part.threshold.min(MAX_TOTAL) as i64 - part.base as i64 - 1;
        self.counted.plan(part.free.iter().map(pair), room, floor, limit, Aim::Changes)
    }

    fn by_counts(&mut self, part: &Part) -> Vec<(usize, u64)> {
        let is_packed = &part.is_packed;
        // An item that does not fit cannot be added: no set with it is worth the threshold.
        let nothing = |&i: &usize| (i, if is_packed[i] { u64::MAX } else { 0 });
        let mut values: Vec<(usize, u64)> = part.free.iter().map(nothing).collect();
        for (number, value) in self.counted.changes(|number| !is_packed[part.free[number]]) {
            values[number].1 = part.base + value.max(0) as u64;
        }
        values
    }

    fn by_tables(&mut self, part: &Part, width: usize) -> Vec<(usize, u64)> {
        let row = |&i: &usize| {
            let Item { weight, value, .. } = part.items[i];
            Row { weight: weight as usize, value: value as f64 }
        };
        let rows: Vec<Row> = part.free.iter().map(row).collect();
        let before = &mut self.forward;
        fill(before, width, rows.iter().copied());
        // after[c]: the largest value of the items after this one where c is taken.
        let (mut after, mut next) = (vec![0.0; width], vec![0.0; width]);
        let mut values = Vec::with_capacity(rows.len());
        for (number, (&i, row)) in part.free.iter().zip(&rows).enumerate().rev() {
            let before = &before[number * width..][..width];
            let most = match part.is_packed[i] {
                true => largest_sum(before, &after),
                // An item that does not fit cannot be added: no set with it is worth the threshold.
                false if row.weight >= width => -1.0,
                false => row.value + largest_sum(before, &after[row.weight..]),
            };
            values.push((i, if most < 0.0 { 0 } else { part.base + most as u64 }));
            row.add_before(&after, &mut next);
            std::mem::swap(&mut after, &mut next);
        }
        values
    }

    fn one_by_one(&mut self, part: &Part, effort: usize) -> Vec<(usize, u64)> {
        let items = part.items;
        let mut rest: Vec<Item> = Vec::with_capacity(part.free.len());
        let mut value = |&i: &usize| {
            rest.clear();
            rest.extend(part.free.iter().filter(|&&other| other != i).map(|&other| items[other]));
            let (weight, value) =
                if part.is_packed[i] { (0, 0) } else { (items[i].weight, items[i].value) };
            let Some(room) = part.room.checked_sub(weight) else { return (i, 0) };
            let base = part.base + value;
            let floor = part.threshold.saturating_sub(base + 1);
            let (worth, _) = self.pack_above(&rest, room, floor, effort);
            (i, base.saturating_add(worth.at_most))
        };
        part.free.iter().map(&mut value).collect()
    }
}
