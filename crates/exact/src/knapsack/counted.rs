//! Items of nearly equal weight: a table over the number of items and their excess weight.
//!
//! Let w be the smallest weight and an item's *excess* its weight minus w. Then r items fit if and
//! only if their total excess is at most `B_r = room − r·w`. The table holds `best[i][r][o]`:
//! the largest value of r of the first i items whose excess is at most o. It is small where few
//! items fit and their number leaves little room, as when all weights are similar but not equal.
//! The size of the weights does not matter.
//!
//! Only some numbers r need a table: more than `room / w` items never fit; for small r the most
//! valuable r items all fit, or are worth too little to matter. And only some items need a table:
//! where at most k items are packed, an item that k others dominate (not heavier, not worth less)
//! can always be replaced by one of those.
//!
//! Entries are exact as in `table`; impossible entries are minus infinity.

use super::table::{MAX_VALUE, larger, largest_sum};

/// An item that fits alone.
#[derive(Clone, Copy)]
struct Piece {
    value: i64,
    weight: i64,
    /// Its position among the items given.
    position: usize,
}

/// What the table is used for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// To find the best set.
    Best,
    /// To find, for each item, the best set with it and the best set without it.
    Changes,
}

/// Buffers of the table, reused from one knapsack to the next.
#[derive(Default)]
pub(super) struct Counted {
    /// The most valuable first, as many as may fit together and one more.
    pieces: Vec<Piece>,
    /// `top[r]`: the total value of the r most valuable items.
    top: Vec<i64>,
    /// The total value of all items.
    total: i64,
    /// This many of the most valuable items fit; for `Aim::Changes`, this many of any items.
    free: usize,
    /// The numbers of items that need a table run from here to `most`.
    first: usize,
    most: usize,
    smallest: i64,
    room: i64,
    /// Items with a table, as indices into `pieces`, the lightest first.
    kept: Vec<usize>,
    /// The start of each number's row in a table, and the end of the last row.
    starts: Vec<usize>,
    cells: Vec<f64>,
}

impl Counted {
    /// Prepares to choose among items, given as (value, weight), for sets worth more than `floor`.
    /// Returns the number of entries of the tables, or `usize::MAX` if it exceeds `limit` for
    /// certain or values are too large.
    pub fn plan(
        &mut self,
        items: impl Iterator<Item = (i64, i64)>,
        room: i64,
        floor: i64,
        limit: usize,
        aim: Aim,
    ) -> usize {
        self.room = room;
        self.load(items);
        let floor = match aim {
            Aim::Best => {
                self.free = self.fitting();
                floor.max(self.top[self.free])
            }
            Aim::Changes => {
                let largest = self.pieces.iter().map(|piece| piece.weight).max().unwrap_or(1);
                self.free = ((room / largest) as usize).min(self.pieces.len());
                floor
            }
        };
        self.first = self.top.partition_point(|&top| top <= floor).max(self.free + 1);
        self.kept.clear();
        self.starts.clear();
        if self.first > self.most {
            return 0;
        }
        self.lay_out();
        // At least `first` items are kept, except if no set is large enough, which is not worth
        // testing.
        if self.total >= MAX_VALUE || self.size().saturating_mul(self.first) > limit {
            return usize::MAX;
        }
        // An excluded item may be one of the dominating ones, so one more is required.
        self.keep(self.most + usize::from(aim == Aim::Changes));
        self.size().saturating_mul(self.kept.len() + 1)
    }

    fn load(&mut self, items: impl Iterator<Item = (i64, i64)>) {
        let room = self.room;
        let piece = |(position, (value, weight))| Piece { value, weight, position };
        self.pieces.clear();
        self.pieces.extend(items.enumerate().map(piece).filter(|piece| piece.weight <= room));
        self.smallest = self.pieces.iter().map(|piece| piece.weight).min().unwrap_or(1);
        self.most = ((room / self.smallest) as usize).min(self.pieces.len());
        self.total = self.pieces.iter().map(|piece| piece.value).sum();
        self.sort_most_valuable();
        self.top.clear();
        self.top.push(0);
        let add = |sum: &mut i64, piece: &Piece| {
            *sum += piece.value;
            Some(*sum)
        };
        self.top.extend(self.pieces.iter().take(self.most + 1).scan(0, add));
    }

    /// Sorts the most valuable items to the front, as many as may fit and one more.
    fn sort_most_valuable(&mut self) {
        let by_value = |a: &Piece, b: &Piece| b.value.cmp(&a.value);
        if self.most + 1 < self.pieces.len() {
            self.pieces.select_nth_unstable_by(self.most, by_value);
        }
        let end = (self.most + 1).min(self.pieces.len());
        self.pieces[..end].sort_unstable_by(by_value);
    }

    /// How many items fit if the most valuable are taken first.
    fn fitting(&self) -> usize {
        let mut room = self.room;
        let takes = |piece: &&Piece| {
            room -= piece.weight;
            room >= 0
        };
        self.pieces.iter().take_while(takes).count()
    }

    /// Keeps the items that fewer than `enough` others dominate.
    fn keep(&mut self, enough: usize) {
        let Self { pieces, kept, .. } = self;
        let heaviest = self.room - (self.first - 1) as i64 * self.smallest;
        kept.extend((0..pieces.len()).filter(|&i| pieces[i].weight <= heaviest));
        kept.sort_unstable_by_key(|&i| (pieces[i].weight, -pieces[i].value));
        // The largest values so far, in descending order.
        let mut values: Vec<i64> = Vec::with_capacity(enough + 1);
        kept.retain(|&i| {
            let value = pieces[i].value;
            let better = values.partition_point(|&other| other >= value);
            if better < enough {
                values.insert(better, value);
                values.truncate(enough);
            }
            better < enough
        });
    }

    /// Lays out a table: one row for each number of items, as wide as the excess that may still
    /// lead to one of the numbers in question.
    fn lay_out(&mut self) {
        let mut start = 0_usize;
        self.starts.clear();
        self.starts.push(start);
        for number in 0..=self.most {
            let excess = self.room - number.max(self.first) as i64 * self.smallest;
            start = start.saturating_add(excess as usize + 1);
            self.starts.push(start);
        }
    }

    /// The row of a number of items in a table.
    fn row<'a>(&self, table: &'a [f64], number: usize) -> &'a [f64] {
        &table[self.starts[number]..self.starts[number + 1]]
    }

    /// The table of the first `number` kept items.
    fn table(&self, number: usize) -> &[f64] {
        &self.cells[number * self.size()..][..self.size()]
    }

    /// Number of entries of one table.
    fn size(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    fn excess(&self, piece: &Piece) -> usize {
        (piece.weight - self.smallest) as usize
    }

    /// Fills one table for each number of kept items.
    fn fill(&mut self) {
        let size = self.size();
        let mut cells = std::mem::take(&mut self.cells);
        cells.truncate(size * (self.kept.len() + 1));
        cells.resize(size * (self.kept.len() + 1), 0.0);
        if let Some(&start) = self.starts.get(1) {
            cells[..start].fill(0.0);
            cells[start..size].fill(f64::NEG_INFINITY);
        }
        for (i, &kept) in self.kept.iter().enumerate() {
            let (old, new) = cells[i * size..].split_at_mut(size);
            self.add(&self.pieces[kept], old, &mut new[..size]);
        }
        self.cells = cells;
    }

    fn add(&self, piece: &Piece, old: &[f64], new: &mut [f64]) {
        new[..self.starts[1]].fill(0.0);
        for number in 1..=self.most {
            let without = self.row(old, number);
            let new = &mut new[self.starts[number]..self.starts[number + 1]];
            let excess = self.excess(piece).min(new.len());
            new[..excess].copy_from_slice(&without[..excess]);
            let with = self.row(old, number - 1);
            larger(&mut new[excess..], &without[excess..], with, piece.value as f64);
        }
    }

    /// The best value as planned, or any value not above the floor if there is no better set.
    pub fn solve(&mut self) -> i64 {
        let first = self.first;
        if first < self.most {
            // The largest number alone needs a far smaller table.
            self.first = self.most;
            self.lay_out();
            self.fill();
            let (value, _) = self.best();
            if value >= self.top[self.most - 1] {
                return value;
            }
            self.first = first;
            self.lay_out();
        }
        self.fill();
        self.best().0
    }

    /// The value of the best set and the number of its items.
    fn best(&self) -> (i64, usize) {
        let last = self.table(self.kept.len());
        let layers = (self.first..=self.most).map(|number| {
            let most = self.row(last, number).last().copied().unwrap_or(f64::NEG_INFINITY);
            (most as i64, number)
        });
        layers.fold((self.top[self.free], self.free), std::cmp::max)
    }

    /// The positions of the items of the best set among the items given.
    pub fn chosen(&self) -> Vec<usize> {
        let (_, mut number) = self.best();
        if number <= self.free {
            return self.pieces[..number].iter().map(|piece| piece.position).collect();
        }
        let size = self.size();
        let mut excess = self.starts[number + 1] - self.starts[number] - 1;
        let mut chosen = Vec::with_capacity(number);
        for (i, &kept) in self.kept.iter().enumerate().rev() {
            let piece = &self.pieces[kept];
            let entry = |i: usize| self.cells[i * size + self.starts[number] + excess];
            if entry(i + 1) > entry(i) {
                chosen.push(piece.position);
                number -= 1;
                excess -= self.excess(piece);
            }
        }
        chosen
    }

    /// For each item that fits, its position and the best value of sets with it if it `is_added`,
    /// else without it; or any value not above the floor.
    pub fn changes(&mut self, is_added: impl Fn(usize) -> bool) -> Vec<(usize, i64)> {
        self.fill();
        let is_added = |i: usize| is_added(self.pieces[i].position);
        let mut values = vec![0; self.pieces.len()];
        self.by_table(&is_added, &mut values);
        let largest = |(i, value): (usize, i64)| {
            (self.pieces[i].position, value.max(self.freely(i, is_added(i))))
        };
        values.into_iter().enumerate().map(largest).collect()
    }

    /// The best value of sets of `free` items, which always fit.
    fn freely(&self, i: usize, is_added: bool) -> i64 {
        let (value, free) = (self.pieces[i].value, self.free);
        match (is_added, i < free) {
            (true, true) | (false, false) => self.top[free],
            (true, false) => self.top[free - 1] + value,
            (false, true) => self.top[(free + 1).min(self.top.len() - 1)] - value,
        }
    }

    /// The best values over the numbers of items that need a table.
    fn by_table(&self, is_added: &impl Fn(usize) -> bool, values: &mut [i64]) {
        let Some(&start) = self.starts.get(self.first) else { return };
        // after[r][o]: the largest value of items after this one that fit beside r items of excess
        // o.
        let mut after = vec![f64::NEG_INFINITY; self.size()];
        after[start..].fill(0.0);
        let mut next = after.clone();
        let all = self.table(self.kept.len());
        for (i, value) in values.iter_mut().enumerate() {
            *value = self.joined(i, is_added(i), all, &after);
        }
        for (number, &i) in self.kept.iter().enumerate().rev() {
            values[i] = self.joined(i, is_added(i), self.table(number), &after);
            self.add_before(&self.pieces[i], &after, &mut next);
            std::mem::swap(&mut after, &mut next);
        }
    }

    fn add_before(&self, piece: &Piece, old: &[f64], new: &mut [f64]) {
        new.copy_from_slice(old);
        for number in 0..self.most {
            let with = self.row(old, number + 1).get(self.excess(piece)..).unwrap_or(&[]);
            let range = self.starts[number]..self.starts[number] + with.len();
            larger(&mut new[range.clone()], &old[range], with, piece.value as f64);
        }
    }

    /// The best value of sets with the item or without it, joined from items before and after it.
    fn joined(&self, i: usize, is_added: bool, before: &[f64], after: &[f64]) -> i64 {
        if !is_added {
            return largest_sum(before, after) as i64;
        }
        let piece = &self.pieces[i];
        let beside = |number| {
            let after = self.row(after, number + 1).get(self.excess(piece)..).unwrap_or(&[]);
            largest_sum(self.row(before, number), after)
        };
        piece.value + (0..self.most).map(beside).fold(0.0, f64::max) as i64
    }
}
