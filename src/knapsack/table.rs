//! A table over the capacity (Bellman): `best[i][c]`, the most the first i items are worth within c.
//!
//! Entries are floating point numbers that hold integers below 2^53, hence exact: the machine has
//! their maximum as one instruction, for several at once. Only items that can still change
//! anything, given the best value known, have a row.

use super::order::{Greedy, Order};

/// Entries of the largest table.
pub(super) const MAX_CELLS: usize = 1 << 22;
/// Values must add up to less, so that every sum is exact.
pub(super) const MAX_VALUE: i64 = 1 << 53;

/// Room to work in.
#[derive(Default)]
pub(super) struct Table {
    cells: Vec<f64>,
    /// Positions of the items with a row.
    rows: Vec<usize>,
}

impl Table {
    /// The best value, at least `best`; `packed` is changed to that set if it is better than `best`.
    /// `None` if the table would be too large.
    pub fn solve(
        &mut self,
        order: &Order,
        greedy: &Greedy,
        capacity: i64,
        best: i64,
        packed: &mut [bool],
    ) -> Option<i64> {
        let is_in = |i: usize| i < order.break_item;
        let may_change = |&i: &usize| greedy.may_change(&order.items[i], is_in(i), best);
        self.rows.clear();
        self.rows.extend((0..order.items.len()).filter(may_change));
        // What every better set has in common.
        let free = self.rows.iter().filter(|&&i| is_in(i)).map(|&i| &order.items[i]);
        let (weight, value) = free.fold((0, 0), |(w, v), item| (w + item.weight, v + item.value));
        let room = greedy.room + weight;
        debug_assert!(room <= capacity);
        let room = usize::try_from(room).ok()?;
        let width = room.checked_add(1)?;
        let cells = width.checked_mul(self.rows.len() + 1)?;
        if cells > MAX_CELLS || order.total_value >= MAX_VALUE {
            return None;
        }
        let items =
            self.rows.iter().map(|&i| (order.items[i].weight as usize, order.items[i].value));
        fill(&mut self.cells, width, items);
        let found = greedy.value - value + self.cells[cells - 1] as i64;
        if found > best {
            self.trace(order, width, packed);
        }
        Some(found.max(best))
    }

    /// Reads the set from the table.
    fn trace(&self, order: &Order, width: usize, packed: &mut [bool]) {
        packed.fill(false);
        packed[..order.break_item].fill(true);
        let mut room = width - 1;
        for (row, &i) in self.rows.iter().enumerate().rev() {
            let entry = |row: usize| self.cells[row * width + room];
            let is_in = entry(row + 1) > entry(row);
            packed[i] = is_in;
            room -= if is_in { order.items[i].weight as usize } else { 0 };
        }
    }
}

/// All rows, one more than items.
pub(super) fn fill(
    cells: &mut Vec<f64>,
    width: usize,
    items: impl ExactSizeIterator<Item = (usize, i64)>,
) {
    cells.clear();
    cells.resize(width * (items.len() + 1), 0.0);
    for (row, (weight, value)) in items.enumerate() {
        let (old, new) = cells[row * width..].split_at_mut(width);
        add(old, &mut new[..width], weight, value as f64);
    }
}

/// The row with one item more.
fn add(old: &[f64], new: &mut [f64], weight: usize, value: f64) {
    let weight = weight.min(old.len());
    let (same, changed) = new.split_at_mut(weight);
    same.copy_from_slice(&old[..weight]);
    for ((new, &without), &with) in changed.iter_mut().zip(&old[weight..]).zip(old) {
        let with = with + value;
        *new = if with > without { with } else { without };
    }
}
