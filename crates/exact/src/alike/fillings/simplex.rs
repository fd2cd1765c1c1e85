//! The linear program of fillings: as few hosts as possible that hold all tasks left, where a
//! pattern may be used for parts of a host (Gilmore and Gomory 1961).
//!
//! `min Σ_p x_p` such that `Σ_p a_cp·x_p ≥ count_c` for every class c. Its dual values are the
//! prices of the classes. Patterns are added as they are found; the inverse of the basis is kept as
//! a full matrix. All numbers are floats: they guide the search and propose prices, which are
//! rounded and used exactly.
//!
//! If hosts have several rooms, a pattern costs as much as its room is large, and no more patterns
//! of a room can be used than there are hosts: `−Σ_p x_p ≥ −hosts_r` for every room r. Tasks that
//! do not fit are left over, at a cost of [`LEFT_OVER`] times their work.

use super::case::{Case, Problem};
use super::patterns::Pattern;

/// Smaller numbers are taken for 0.
const EPSILON: f64 = 1e-9;

/// What a task left over costs, beside what the room for its work costs.
const LEFT_OVER: f64 = 4.0;

/// A pattern by its number, or what a class has too many of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Pattern(usize),
    Surplus(usize),
}

/// A pattern as a column of the program.
struct Entry {
    pattern: Pattern,
    /// The place of its room; `None` for tasks left over.
    place: Option<usize>,
    cost: f64,
}

/// The program with the patterns known so far, and a basis.
pub(super) struct Simplex {
    /// The number of rows: classes, then rooms if there are several.
    size: usize,
    classes: usize,
    /// What a pattern costs, room by room.
    costs: Vec<f64>,
    patterns: Vec<Entry>,
    is_basic: Vec<bool>,
    basis: Vec<Column>,
    /// The inverse of the basis, row by row.
    inverse: Vec<f64>,
    /// The values of the basis.
    values: Vec<f64>,
    /// The prices of the classes, then of hosts.
    prices: Vec<f64>,
    pivots: u64,
}

impl Simplex {
    /// One task per host, or all tasks left over if there are several rooms.
    pub fn new(problem: &Problem) -> Self {
        let classes = problem.times.len();
        let rooms = if problem.rooms.len() > 1 { problem.rooms.len() } else { 0 };
        let size = classes + rooms;
        let largest = problem.largest().max(1) as f64;
        let costs: Vec<f64> = problem.rooms.iter().map(|&room| room as f64 / largest).collect();
        let entry = |class: usize| {
            let left_over = LEFT_OVER * problem.times[class] as f64 / largest;
            let (place, cost) = if rooms > 0 { (None, left_over) } else { (Some(0), 1.0) };
            Entry { pattern: vec![(class as u32, 1)], place, cost }
        };
        let patterns: Vec<Entry> = (0..classes).map(entry).collect();
        let mut inverse = vec![0.0; size * size];
        let sign = |row: usize| if row < classes { 1.0 } else { -1.0 };
        (0..size).for_each(|row| inverse[row * size + row] = sign(row));
        let basic = |row: usize| match row < classes {
            true => Column::Pattern(row),
            false => Column::Surplus(row),
        };
        let mut prices: Vec<f64> = patterns.iter().map(|entry| entry.cost).collect();
        prices.resize(size, 0.0);
        Self {
            size,
            classes,
            costs,
            is_basic: vec![true; classes],
            basis: (0..size).map(basic).collect(),
            patterns,
            inverse,
            values: vec![0.0; size],
            prices,
            pivots: 0,
        }
    }

    pub fn prices(&self) -> &[f64] {
        &self.prices
    }

    /// Changes of the basis so far.
    pub fn pivots(&self) -> u64 {
        self.pivots
    }

    /// What a pattern of this room costs, with the price of a host.
    pub fn cost(&self, place: usize) -> f64 {
        let host = self.prices.get(self.classes + place).copied().unwrap_or(0.0);
        self.costs[place] + host.max(0.0)
    }

    /// The patterns in the basis with the places of their rooms, and how often they are used.
    pub fn in_use(&self) -> impl Iterator<Item = ((usize, &Pattern), f64)> {
        self.basis.iter().zip(&self.values).filter_map(|(column, &value)| match column {
            Column::Pattern(number) => {
                let entry = &self.patterns[*number];
                Some(((entry.place?, &entry.pattern), value))
            }
            Column::Surplus(_) => None,
        })
    }

    pub fn add(&mut self, place: usize, pattern: Pattern) -> Column {
        self.patterns.push(Entry { pattern, place: Some(place), cost: self.costs[place] });
        self.is_basic.push(false);
        Column::Pattern(self.patterns.len() - 1)
    }

    /// A row of numbers times a pattern.
    fn product(&self, row: &[f64], entry: &Entry) -> f64 {
        let term = |&(class, count): &(u32, u32)| row[class as usize] * f64::from(count);
        let host = entry.place.and_then(|place| row.get(self.classes + place));
        entry.pattern.iter().map(term).sum::<f64>() - host.copied().unwrap_or(0.0)
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.inverse[row * self.size..(row + 1) * self.size]
    }

    /// Sets how many tasks of each class and hosts of each room there are, and makes the basis
    /// feasible for them. False if that takes too long, or if rounding has made the basis useless.
    pub fn set_case(&mut self, case: &Case) -> bool {
        let counts = case.counts.iter().map(|&count| f64::from(count));
        let hosts = case.hosts.iter().map(|&hosts| -(hosts as f64));
        let sides: Vec<f64> = counts.chain(hosts).take(self.size).collect();
        let product = |row: &[f64]| row.iter().zip(&sides).map(|(a, side)| a * side).sum();
        self.values = self.inverse.chunks(self.size).map(product).collect();
        self.prices = vec![0.0; self.size];
        for row in 0..self.size {
            if let Column::Pattern(number) = self.basis[row] {
                let cost = self.patterns[number].cost;
                let start = row * self.size;
                let row = &self.inverse[start..start + self.size];
                self.prices.iter_mut().zip(row).for_each(|(price, value)| *price += cost * value);
            }
        }
        if self.values.iter().chain(&self.prices).any(|value| !value.is_finite()) {
            return false;
        }
        for _ in 0..4 * self.size {
            let lowest = (0..self.size).min_by(|&a, &b| self.values[a].total_cmp(&self.values[b]));
            match lowest.filter(|&row| self.values[row] < -1e-7) {
                None => return true,
                Some(row) => match self.entering_at(row) {
                    Some(column) => self.pivot(row, column),
                    None => return false,
                },
            }
        }
        false
    }

    /// The column that replaces the one of a row with a negative value, so that no price becomes
    /// too high (dual simplex).
    fn entering_at(&self, row: usize) -> Option<Column> {
        let row = self.row(row);
        let mut best = (f64::INFINITY, 0.0, None);
        let mut consider = |slope: f64, cost: f64, column: Column| {
            if slope < -EPSILON {
                let ratio = cost.max(0.0) / -slope;
                let is_tie = ratio <= best.0 + 1e-12 && slope < best.1;
                if ratio < best.0 - 1e-12 || is_tie {
                    best = (ratio, slope, Some(column));
                }
            }
        };
        for (number, entry) in self.patterns.iter().enumerate() {
            if !self.is_basic[number] {
                let cost = entry.cost - self.product(&self.prices, entry);
                consider(self.product(row, entry), cost, Column::Pattern(number));
            }
        }
        for (class, value) in row.iter().enumerate() {
            consider(-value, self.prices[class], Column::Surplus(class));
        }
        best.2
    }

    /// The known column with the largest gain, if any gains.
    pub fn entering(&self, counts: &[u32]) -> Option<Column> {
        let mut best = (1e-7, None);
        for (number, entry) in self.patterns.iter().enumerate() {
            let fits = |&(class, count): &(u32, u32)| count <= counts[class as usize].max(1);
            let gain = self.product(&self.prices, entry) - entry.cost;
            if gain > best.0 && !self.is_basic[number] && entry.pattern.iter().all(fits) {
                best = (gain, Some(Column::Pattern(number)));
            }
        }
        let lowest = (0..self.size).min_by(|&a, &b| self.prices[a].total_cmp(&self.prices[b]))?;
        match self.prices[lowest] < -EPSILON {
            true => Some(Column::Surplus(lowest)),
            false => best.1,
        }
    }

    /// Takes a column into the basis; false if no row limits it, which only rounding can cause.
    pub fn enter(&mut self, column: Column) -> bool {
        let slopes = self.slopes(column);
        let mut best: (f64, Option<usize>) = (f64::INFINITY, None);
        for (row, &slope) in slopes.iter().enumerate().filter(|&(_, &slope)| slope > EPSILON) {
            let ratio = self.values[row].max(0.0) / slope;
            let is_tie = ratio <= best.0 + 1e-12;
            if ratio < best.0 - 1e-12 || is_tie && best.1.is_none_or(|other| slope > slopes[other])
            {
                best = (ratio, Some(row));
            }
        }
        let Some(row) = best.1 else { return false };
        self.replace(row, column, &slopes);
        true
    }

    fn pivot(&mut self, row: usize, column: Column) {
        let slopes = self.slopes(column);
        self.replace(row, column, &slopes);
    }

    /// How the basis changes if a column enters: the inverse times the column.
    fn slopes(&self, column: Column) -> Vec<f64> {
        let rows = self.inverse.chunks(self.size);
        match column {
            Column::Surplus(class) => rows.map(|row| -row[class]).collect(),
            Column::Pattern(number) => {
                let entry = &self.patterns[number];
                rows.map(|row| self.product(row, entry)).collect()
            }
        }
    }

    fn replace(&mut self, row: usize, column: Column, slopes: &[f64]) {
        let size = self.size;
        let scale = 1.0 / slopes[row];
        let mut leaving: Vec<f64> = self.row(row).to_vec();
        leaving.iter_mut().for_each(|value| *value *= scale);
        let value = self.values[row] * scale;
        let gain = self.gain(column);
        for (other, &slope) in slopes.iter().enumerate() {
            let target = &mut self.inverse[other * size..(other + 1) * size];
            if other == row {
                target.copy_from_slice(&leaving);
                self.values[other] = value;
            } else if slope != 0.0 {
                target.iter_mut().zip(&leaving).for_each(|(a, b)| *a -= slope * b);
                self.values[other] -= slope * value;
            }
        }
        // The entering column's price constraint becomes tight.
        self.prices.iter_mut().zip(&leaving).for_each(|(price, b)| *price -= gain * b);
        self.mark(self.basis[row], false);
        self.mark(column, true);
        self.basis[row] = column;
        self.pivots += 1;
    }

    /// By how much the column's price exceeds its cost.
    fn gain(&self, column: Column) -> f64 {
        match column {
            Column::Surplus(class) => -self.prices[class],
            Column::Pattern(number) => {
                let entry = &self.patterns[number];
                self.product(&self.prices, entry) - entry.cost
            }
        }
    }

    fn mark(&mut self, column: Column, is_basic: bool) {
        if let Column::Pattern(number) = column {
            self.is_basic[number] = is_basic;
        }
    }
}
