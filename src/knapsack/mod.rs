//! The most valuable set of items that fits: 0/1 knapsack. Names no other module.
//!
//! With items in order of value per weight, the greedy filling up to the *break item* is nearly
//! right; the best set differs from it in a few items around the break (Pisinger's minknap, 1997).
//! `order` sorts as much as is needed, `lists` tries the sets around the break. Where many items have
//! nearly the same rate lists grow long; then a `table` over the capacity takes over if that is not
//! too large. If it is, the best set so far is returned after a given effort, with an upper bound on
//! what was not looked at.
//!
//! Sets, weights and values are exact integers. Floating point decides only which sets are not worth
//! a look, with a margin beyond its error, so what is reported as best is best.
//!
//! `forced` answers the question once for every item: what if it must be in, what if it must not?

mod forced;
mod lists;
mod order;
mod table;
#[cfg(test)]
mod tests;

pub use self::forced::Forced;
use self::lists::Lists;
use self::order::{Greedy, Order, Ranked};
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

/// Solves one knapsack; see [`Packer::pack`], which need not be made anew for every one.
pub fn pack(items: &[Item], capacity: u64, effort: usize) -> Packing {
    let mut packer = Packer::default();
    let Worth { value, at_most } = packer.pack(items, capacity, effort);
    Packing { value, at_most, names: packer.names }
}

/// Room to solve knapsacks in, one after the other.
#[derive(Default)]
pub struct Packer {
    order: Order,
    lists: Lists,
    table: Table,
    names: Vec<u32>,
    packed: Vec<bool>,
    /// Items of another knapsack that is part of this one.
    rest: Vec<Item>,
}

/// What loading found out.
enum Load {
    TooLarge,
    /// Everything fits and is packed.
    All(u64),
    /// There is a choice. Items that weigh nothing are packed already and worth this much.
    Some(u64),
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

    /// The best set if it is worth more than `floor`, else none and the value `floor`; and the greedy
    /// filling unless everything fits.
    fn pack_above(
        &mut self,
        items: &[Item],
        capacity: u64,
        floor: u64,
        effort: usize,
    ) -> (Worth, Option<Greedy>) {
        let base = match self.load(items, capacity) {
            Load::TooLarge => return (Worth { value: 0, at_most: u64::MAX }, None),
            Load::All(value) => return (Worth { value, at_most: value }, None),
            Load::Some(base) => base,
        };
        // Items that do not all fit weigh more than the capacity, which therefore is small.
        let capacity = capacity as i64;
        let greedy = self.order.halve(capacity);
        let floor = floor.min(MAX_TOTAL) as i64 - base as i64;
        let found = self.lists.solve(&mut self.order, &greedy, capacity, floor, effort);
        self.packed.clear();
        self.packed.resize(self.order.items.len(), false);
        self.lists.mark(&self.order, &mut self.packed);
        let mut worth = (found.value, found.at_most);
        if found.at_most > found.value {
            let best = found.value;
            if let Some(value) =
                self.table.solve(&self.order, &greedy, capacity, best, &mut self.packed)
            {
                worth = (value, value);
            }
        }
        let packed = self.order.items.iter().zip(&self.packed).filter(|(_, is_in)| **is_in);
        self.names.extend(packed.map(|(item, _)| item.name));
        let whole = |value: i64| (value + base as i64).max(0) as u64;
        (Worth { value: whole(worth.0), at_most: whole(worth.1) }, Some(greedy))
    }

    /// Ranks the items between which there is a choice, and packs the others.
    fn load(&mut self, items: &[Item], capacity: u64) -> Load {
        self.names.clear();
        self.order.items.clear();
        let (mut total_weight, mut total_value, mut base) = (0_u64, 0_u64, 0_u64);
        for item in items {
            if item.value == 0 || item.weight > capacity {
                continue;
            }
            total_weight = total_weight.saturating_add(item.weight);
            total_value = total_value.saturating_add(item.value);
            if item.weight == 0 {
                base = base.saturating_add(item.value);
                self.names.push(item.name);
                continue;
            }
            // Casts may wrap here; the totals tell, below.
            let (value, weight) = (item.value as i64, item.weight as i64);
            let rate = value as f64 / weight as f64;
            self.order.items.push(Ranked { rate, value, weight, name: item.name });
        }
        if total_weight > MAX_TOTAL || total_value > MAX_TOTAL {
            self.names.clear();
            return Load::TooLarge;
        }
        self.order.total_value = total_value as i64;
        if total_weight <= capacity {
            self.names.extend(self.order.items.iter().map(|item| item.name));
            return Load::All(total_value);
        }
        Load::Some(base)
    }
}
