//! The most valuable set of items that fits: 0/1 knapsack. Names no other module.
//!
//! With items in order of value per weight, the greedy filling up to the *break item* is nearly
//! right; the best set differs from it in a few items around the break (Pisinger's minknap, 1997).
//! `order` sorts as much as is needed, `lists` tries the sets around the break. Where many items
//! have nearly the same rate lists grow long; then a `table` over the capacity takes over, or a
//! `counted` one over the number of items, if the smaller one is not too large. If it is, the best
//! set so far is returned after a given effort, with an upper bound on what was not looked at.
//!
//! Sets, weights and values are exact integers. Floating point decides only which sets are not
//! worth a look, with a margin beyond its error, so what is reported as best is best.
//!
//! `forced` answers the question once for every item: what if it must be in, what if it must not?

mod counted;
mod forced;
mod lists;
mod order;
mod table;
#[cfg(test)]
mod tests;

use self::counted::{Aim, Counted};
pub use self::forced::Forced;
use self::lists::Lists;
use self::order::{Greedy, Ranked, Sorted};
use self::table::Table;

/// An item that may be packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// Who it is.
    pub name: u32,
    /// What it is worth.
    pub value: u64,
    /// What it takes.
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

/// What a packing is worth, and at most could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// What the set found is worth.
    pub value: u64,
    /// No set is worth more; equal to `value` if the effort sufficed.
    pub at_most: u64,
}

/// Values, and weights, may add up to this much. Beyond it nothing is packed and no bound is given.
pub const MAX_TOTAL: u64 = 1 << 61;

/// Before this many states an item no table is thought of.
const SOON: usize = 5;
/// A table's entry takes less time than a list's state, about by this.
const CELLS_A_STATE: usize = 12;
/// A table that costs no more than this many states is made at once.
const FEW: usize = 4000;
/// Entries of the largest table.
const MAX_CELLS: usize = 1 << 22;

/// Which table is the smaller one, and its size.
enum Plan {
    /// Over the capacity.
    Wide { cells: usize },
    /// Over the number of items.
    Counted { cells: usize },
}

impl Plan {
    /// In states of lists.
    fn cost(&self) -> usize {
        let (Self::Wide { cells } | Self::Counted { cells }) = self;
        cells / CELLS_A_STATE
    }
}

/// Solves one knapsack; see [`Packer::pack`], which need not be made anew for every one.
pub fn pack(items: &[Item], capacity: u64, effort: usize) -> Packing {
    let mut packer = Packer::default();
    let Worth { value, at_most } = packer.pack(items, capacity, effort);
    Packing { value, at_most, names: packer.names }
}

/// Room to solve knapsacks in, one after the other.
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
    /// What the items that weigh nothing are worth.
    base: i64,
    /// A table of all forced values.
    forward: Vec<f64>,
}

impl Packer {
    /// Who is in the set found last. Items of no value never are.
    pub fn names(&self) -> &[u32] {
        &self.names
    }

    /// Solves the knapsack, looking at about `effort` states at most.
    pub fn pack(&mut self, items: &[Item], capacity: u64, effort: usize) -> Worth {
        self.pack_above(items, capacity, 0, effort).0
    }

    /// The best set if it is worth more than `floor`, else none and the value `floor`. `None`
    /// instead of the greedy filling if totals are too large.
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

    /// Marks a set; its value, and an upper bound. Lists first unless weights are alike; if they do
    /// not suffice soon, a table.
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

    /// A table unless it costs too much, and if it costs much only after lists have cost a part of
    /// that.
    fn choose_with_effort(&mut self, greedy: &Greedy, effort: usize) -> (i64, i64) {
        let mut plan = self.plan(greedy);
        let cost = plan.cost();
        let is_cheap = cost <= effort.min(MAX_CELLS / CELLS_A_STATE);
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

    /// Prepares the smaller table for sets better than the best known.
    fn plan(&mut self, greedy: &Greedy) -> Plan {
        let Self { order, lists, table, counted, .. } = self;
        let wide = table.plan(order, greedy, lists.value());
        let (rows, room, base) = table.part();
        let items = rows.iter().map(|&i| (order.items[i].value, order.items[i].weight));
        let cells = counted.plan(items, room, lists.value() - base, wide, Aim::Best);
        if cells <= wide { Plan::Counted { cells } } else { Plan::Wide { cells: wide } }
    }

    /// The best value there is, twice; marks its set.
    fn by_table(&mut self, plan: &Plan) -> (i64, i64) {
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

    /// Ranks the items between which there may be a choice, and packs those that weigh nothing.
    /// What the former weigh, if totals are not too large.
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
            // Casts may wrap here; the totals tell, below.
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
