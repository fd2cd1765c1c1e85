//! The most valuable set of items that fits: the 0/1 knapsack problem. Uses no other module.
//!
//! With items in order of value per weight, the greedy filling up to the *break item* is nearly
//! optimal; the best set differs from it in a few items around the break (Pisinger's minknap,
//! 1997). `order` sorts as far as needed, `lists` tries the sets around the break. Where many items
//! have nearly the same rate, lists grow long. Then a `table` over the capacity takes over, or a
//! `counted` table over the number of items, whichever is smaller, if it is not too large. If it
//! is, the best set so far is returned after a given effort, with an upper bound on the value of
//! all sets.
//!
//! Sets, weights and values are exact integers. Floating point decides only which sets are not
//! tried, with a margin larger than its error, so the set reported as best is best.
//!
//! `forced` solves the knapsack for every item twice: with the item required, and with it excluded.

mod counted;
mod forced;
mod lists;
mod order;
mod table;
#[cfg(test)]
mod tests;
mod work;

use self::counted::{Aim, Counted};
pub use self::forced::Forced;
use self::lists::Lists;
use self::order::{Greedy, Ranked, Sorted};
use self::table::Table;
pub use self::work::work;

/// An item that may be packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// Identifies the item in [`Packing::names`].
    pub name: u32,
    /// The value gained by packing the item.
    pub value: u64,
    /// The part of the capacity that the item takes.
    pub weight: u64,
}

/// A set of items that fits; the best one if the effort sufficed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    /// The total value of the set.
    pub value: u64,
    /// No set is worth more; equal to `value` if the effort sufficed.
    pub at_most: u64,
    /// The names of the items in the set.
    pub names: Vec<u32>,
}

/// The value of a packing, and an upper bound on all packings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// The total value of the set found.
    pub value: u64,
    /// No set is worth more; equal to `value` if the effort sufficed.
    pub at_most: u64,
}

/// Largest total of values, and of weights. Beyond it nothing is packed and no bound is given.
pub const MAX_TOTAL: u64 = 1 << 61;

/// A table is considered only after this many states per item.
const SOON: usize = 5;
/// About this many entries of a table take the time of one state of a list.
const CELLS_PER_STATE: usize = 12;
/// A table that takes no more time than this many states is filled without trying lists.
const FEW: usize = 4000;
/// The largest table, in entries.
const MAX_CELLS: usize = 1 << 22;

/// The smaller of the two tables, with its size.
enum Plan {
    /// The table over the capacity.
    Wide { cells: usize },
    /// The table over the number of items.
    Counted { cells: usize },
}

impl Plan {
    /// The time to fill the table, in states of lists.
    fn cost(&self) -> usize {
        let (Self::Wide { cells } | Self::Counted { cells }) = self;
        cells / CELLS_PER_STATE
    }
}

/// Solves one knapsack. For many of them, reuse a [`Packer`].
pub fn pack(items: &[Item], capacity: u64, effort: usize) -> Packing {
    let mut packer = Packer::default();
    let Worth { value, at_most } = packer.pack(items, capacity, effort);
    Packing { value, at_most, names: packer.names }
}

/// Solves knapsacks one after the other and reuses its buffers.
#[derive(Default)]
pub struct Packer {
    order: Sorted,
    lists: Lists,
    table: Table,
    counted: Counted,
    names: Vec<u32>,
    packed: Vec<bool>,
    /// Indices of the items in the set.
    chosen: Vec<u32>,
    /// The total value of the items that weigh nothing.
    base: i64,
    /// The table over the capacity that `forced` uses.
    forward: Vec<f64>,
}

impl Packer {
    /// The names of the items in the set found last. Items of value 0 are never packed.
    pub fn names(&self) -> &[u32] {
        &self.names
    }

    /// Solves the knapsack, visiting at most about `effort` states.
    pub fn pack(&mut self, items: &[Item], capacity: u64, effort: usize) -> Worth {
        self.pack_above(items, capacity, 0, effort).0
    }

    /// The best set if it is worth more than `floor`, else none and the value `floor`. `None`
    /// instead of the greedy filling if totals exceed [`MAX_TOTAL`].
    fn pack_above(
        &mut self,
        items: &[Item],
        capacity: u64,
        floor: u64,
        effort: usize,
    ) -> (Worth, Option<Greedy>) {
        let Some(total_weight) = self.load(items, capacity) else {
            return (Worth { value: 0, at_most: u64::MAX }, None);
        };
        work::add(items.len());
        let capacity = capacity.min(MAX_TOTAL) as i64;
        let (greedy, value, at_most) = if total_weight <= capacity {
            self.order.break_item = self.order.items.len();
            self.chosen.extend(self.order.items.iter().map(|item| item.index));
            let value = self.order.total_value;
            (Greedy::all(capacity, capacity - total_weight, value), value, value)
        } else {
            let greedy = self.order.halve(capacity);
            let floor = floor.min(MAX_TOTAL) as i64 - self.base;
            let (value, at_most) = self.choose(&greedy, floor, effort);
            let packed = self.order.items.iter().zip(&self.packed).filter(|(_, is_in)| **is_in);
            self.chosen.extend(packed.map(|(item, _)| item.index));
            (greedy, value, at_most)
        };
        self.names.extend(self.chosen.iter().map(|&i| items[i as usize].name));
        let whole = |value: i64| (value + self.base).max(0) as u64;
        (Worth { value: whole(value), at_most: whole(at_most) }, Some(greedy))
    }

    /// Marks a set; returns its value and an upper bound. Tries lists first unless weights are
    /// similar; if lists do not finish soon, a table.
    fn choose(&mut self, greedy: &Greedy, floor: i64, effort: usize) -> (i64, i64) {
        self.packed.clear();
        self.packed.resize(self.order.items.len(), false);
        self.lists.start(&self.order, greedy, floor);
        if self.order.is_count_clear(greedy.capacity) {
            let plan = self.plan(greedy);
            if plan.cost() <= FEW.min(effort) {
                return self.by_table(&plan);
            }
        }
        let soon = (self.order.items.len() * SOON).min(effort);
        let at_most = self.lists.expand(&mut self.order, greedy, soon);
        if at_most > self.lists.value() {
            return self.choose_with_effort(greedy, effort - soon);
        }
        self.lists.mark(&self.order, &mut self.packed);
        (at_most, at_most)
    }

    /// Uses a table unless it costs too much. An expensive table is used only after lists have
    /// taken an eighth of its cost without finishing.
    fn choose_with_effort(&mut self, greedy: &Greedy, effort: usize) -> (i64, i64) {
        let mut plan = self.plan(greedy);
        let cost = plan.cost();
        let is_cheap = cost <= effort.min(MAX_CELLS / CELLS_PER_STATE);
        if !is_cheap || cost > FEW {
            let part = if is_cheap { cost / 8 } else { effort };
            let at_most = self.lists.expand(&mut self.order, greedy, part);
            if !is_cheap || at_most == self.lists.value() {
                self.lists.mark(&self.order, &mut self.packed);
                return (self.lists.value(), at_most);
            }
            plan = self.plan(greedy);
        }
        self.by_table(&plan)
    }

    /// Prepares the smaller of the two tables for sets better than the best known.
    fn plan(&mut self, greedy: &Greedy) -> Plan {
        let Self { order, lists, table, counted, .. } = self;
        let wide = table.plan(order, greedy, lists.value());
        let (rows, room, base) = table.part();
        let items = rows.iter().map(|&i| (order.items[i].value, order.items[i].weight));
        let cells = counted.plan(items, room, lists.value() - base, wide, Aim::Best);
        if cells <= wide { Plan::Counted { cells } } else { Plan::Wide { cells: wide } }
    }

    /// Marks the best set; returns its value as value and as upper bound.
    fn by_table(&mut self, plan: &Plan) -> (i64, i64) {
        work::add(plan.cost());
        let Self { order, lists, table, counted, packed, .. } = self;
        let value = match plan {
            Plan::Wide { .. } => table.solve(order),
            Plan::Counted { .. } => table.part().2 + counted.solve(),
        };
        let best = value.max(lists.value());
        match plan {
            _ if value <= lists.value() => lists.mark(order, packed),
            Plan::Wide { .. } => table.mark(order, packed),
            Plan::Counted { .. } => {
                packed[..order.break_item].fill(true);
                let (rows, ..) = table.part();
                rows.iter().for_each(|&i| packed[i] = false);
                counted.chosen().into_iter().for_each(|row| packed[rows[row]] = true);
            }
        }
        (best, best)
    }

    /// Ranks the items between which there is a choice, and packs those that weigh nothing. Returns
    /// the total weight of the former; `None` if totals exceed [`MAX_TOTAL`].
    fn load(&mut self, items: &[Item], capacity: u64) -> Option<i64> {
        self.names.clear();
        self.chosen.clear();
        self.order.items.clear();
        let (mut total_weight, mut total_value, mut base) = (0_u64, 0_u64, 0_u64);
        for (index, item) in items.iter().enumerate() {
            if item.value == 0 || item.weight > capacity {
                continue;
            }
            if item.weight == 0 {
                base = base.saturating_add(item.value);
                self.chosen.push(index as u32);
                continue;
            }
            total_weight = total_weight.saturating_add(item.weight);
            total_value = total_value.saturating_add(item.value);
            // These casts may wrap; the check of the totals below detects it.
            let (value, weight) = (item.value as i64, item.weight as i64);
            let rate = value as f64 / weight as f64;
            self.order.items.push(Ranked { rate, value, weight, index: index as u32 });
        }
        let largest = total_weight.max(total_value.saturating_add(base));
        if largest > MAX_TOTAL {
            self.chosen.clear();
            return None;
        }
        self.base = base as i64;
        self.order.total_value = total_value as i64;
        Some(total_weight as i64)
    }
}
