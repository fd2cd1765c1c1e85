//! A table over the capacity (Bellman): `best[i][c]` is the largest value of the first i items
//! within c.
//!
//! Entries are floating point numbers that hold integers below 2^53, hence exact: processors
//! compute several maxima of floats in one instruction. Only items that can still change the
//! result, given the best value known, have a row.

use super::order::{Greedy, Ranked, Sorted};

/// The total value must be less than this, so that every sum is exact.
pub(super) const MAX_VALUE: i64 = 1 << 53;

/// Buffers of the table, reused from one knapsack to the next.
#[derive(Default)]
pub(super) struct Table {
    cells: Vec<f64>,
    /// Positions of the items with a row.
    rows: Vec<usize>,
    width: usize,
    /// The value of the items without a row that are in every better set.
    base: i64,
}

impl Table {
    /// Chooses the items in which sets better than `best` may differ; returns the number of
    /// entries.
    pub fn plan(&mut self, order: &Sorted, greedy: &Greedy, best: i64) -> usize {
        let is_in = |i: usize| i < order.break_item;
        let may_change = |&i: &usize| greedy.may_change(&order.items[i], is_in(i), best);
        self.rows.clear();
        self.rows.extend((0..order.items.len()).filter(may_change));
        // Every better set agrees with the greedy filling in the other items.
        let free = self.rows.iter().filter(|&&i| is_in(i)).map(|&i| &order.items[i]);
        let (weight, value) = free.fold((0, 0), |(w, v), item| (w + item.weight, v + item.value));
        self.base = greedy.value - value;
        self.width = (greedy.room + weight) as usize + 1;
        if order.total_value >= MAX_VALUE {
            return usize::MAX;
        }
        self.width.saturating_mul(self.rows.len() + 1)
    }

    /// The chosen items by position, the room for them, and the value of the others.
    pub fn part(&self) -> (&[usize], i64, i64) {
        (&self.rows, self.width as i64 - 1, self.base)
    }

    /// The best value as planned.
    pub fn solve(&mut self, order: &Sorted) -> i64 {
        let item = |&i: &usize| &order.items[i];
        let row = |item: &Ranked| Row { weight: item.weight as usize, value: item.value as f64 };
        fill(&mut self.cells, self.width, self.rows.iter().map(item).map(row));
        self.base + self.cells[self.width * (self.rows.len() + 1) - 1] as i64
    }

    /// Marks the positions of the best set.
    pub fn mark(&self, order: &Sorted, packed: &mut [bool]) {
        packed[..order.break_item].fill(true);
        let mut room = self.width - 1;
        for (row, &i) in self.rows.iter().enumerate().rev() {
            let entry = |row: usize| self.cells[row * self.width + room];
            packed[i] = entry(row + 1) > entry(row);
            room -= if packed[i] { order.items[i].weight as usize } else { 0 };
        }
    }
}

/// The item of one row.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub weight: usize,
    pub value: f64,
}

impl Row {
    /// The row over room c with this item as well.
    fn add(&self, old: &[f64], new: &mut [f64]) {
        let weight = self.weight.min(old.len());
        new[..weight].copy_from_slice(&old[..weight]);
        larger(&mut new[weight..], &old[weight..], old, self.value);
    }

    /// The same for rows over the weight taken, where the index counts from the other end.
    pub fn add_before(&self, old: &[f64], new: &mut [f64]) {
        let fits = old.len().saturating_sub(self.weight);
        new[fits..].copy_from_slice(&old[fits..]);
        larger(&mut new[..fits], &old[..fits], &old[old.len() - fits..], self.value);
    }
}

/// `new[c] = max(without[c], with[c] + value)`.
pub(super) fn larger(new: &mut [f64], without: &[f64], with: &[f64], value: f64) {
    for ((new, &without), &with) in new.iter_mut().zip(without).zip(with) {
        let with = with + value;
        *new = if with > without { with } else { without };
    }
}

/// Fills all rows; there is one more than items.
pub(super) fn fill(cells: &mut Vec<f64>, width: usize, items: impl ExactSizeIterator<Item = Row>) {
    // Entries of an earlier table are overwritten row by row.
    let length = width * (items.len() + 1);
    cells.resize(length.max(cells.len()), 0.0);
    cells[..width].fill(0.0);
    for (number, row) in items.enumerate() {
        let (old, new) = cells[number * width..].split_at_mut(width);
        row.add(old, &mut new[..width]);
    }
}

/// The largest sum of two entries at the same index, at least 0.
pub(super) fn largest_sum(left: &[f64], right: &[f64]) -> f64 {
    // Independent maxima, so that no comparison waits for the one before.
    let mut most = [0.0_f64; 8];
    let sums = |left: &[f64], right: &[f64], most: &mut [f64; 8]| {
        for ((most, left), right) in most.iter_mut().zip(left).zip(right) {
            let sum = left + right;
            *most = if sum > *most { sum } else { *most };
        }
    };
    let length = left.len().min(right.len());
    let (left, right) = (left[..length].chunks(8), right[..length].chunks(8));
    left.zip(right).for_each(|(left, right)| sums(left, right, &mut most));
    most.into_iter().fold(0.0, f64::max)
}
