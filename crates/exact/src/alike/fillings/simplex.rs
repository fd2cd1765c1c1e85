//! The linear program of fillings: as few hosts as possible that hold all tasks left, where a
//! pattern may be used for parts of a host (Gilmore and Gomory 1961).
//!
//! `min Σ_p x_p` such that `Σ_p a_cp·x_p ≥ count_c` for every class c. Its dual values are the prices
//! of the classes. Patterns are added as they are found; the inverse of the basis is kept as a full
//! matrix. All numbers are floats: they guide the search and propose prices, which are rounded and
//! used exactly.

use super::patterns::Pattern;

/// Smaller numbers are taken for 0.
const EPSILON: f64 = 1e-9;

/// A pattern by its number, or what a class has too many of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Pattern(usize),
    Surplus(usize),
}

/// The program with the patterns known so far, and a basis.
pub(super) struct Simplex {
    size: usize,
    patterns: Vec<Pattern>,
    is_basic: Vec<bool>,
    basis: Vec<Column>,
    /// The inverse of the basis, row by row.
    inverse: Vec<f64>,
    /// The values of the basis.
    values: Vec<f64>,
    /// The prices of the classes.
    prices: Vec<f64>,
    pivots: u64,
}

impl Simplex {
    /// One task per host, for this many classes.
    pub fn new(size: usize) -> Self {
        let patterns: Vec<Pattern> = (0..size as u32).map(|class| vec![(class, 1)]).collect();
        let mut inverse = vec![0.0; size * size];
        (0..size).for_each(|row| inverse[row * size + row] = 1.0);
        Self {
            size,
            is_basic: vec![true; size],
            basis: (0..size).map(Column::Pattern).collect(),
            patterns,
            inverse,
            values: vec![0.0; size],
            prices: vec![1.0; size],
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

    /// The patterns in the basis and how often they are used.
    pub fn in_use(&self) -> impl Iterator<Item = (&Pattern, f64)> {
        self.basis.iter().zip(&self.values).filter_map(|(column, &value)| match column {
            Column::Pattern(number) => Some((&self.patterns[*number], value)),
            Column::Surplus(_) => None,
        })
    }

    pub fn add(&mut self, pattern: Pattern) -> Column {
        self.patterns.push(pattern);
        self.is_basic.push(false);
        Column::Pattern(self.patterns.len() - 1)
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.inverse[row * self.size..(row + 1) * self.size]
    }

    /// Sets how many tasks of each class there are, and makes the basis feasible for them. False if
    /// that takes too long, or if rounding has made the basis useless.
    pub fn set_counts(&mut self, counts: &[u32]) -> bool {
        let product = |row: &[f64]| row.iter().zip(counts).map(|(a, &c)| a * f64::from(c)).sum();
        self.values = self.inverse.chunks(self.size).map(product).collect();
        self.prices = vec![0.0; self.size];
        for row in 0..self.size {
            if matches!(self.basis[row], Column::Pattern(_)) {
                let start = row * self.size;
                let row = &self.inverse[start..start + self.size];
                self.prices.iter_mut().zip(row).for_each(|(price, value)| *price += value);
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
        for (number, pattern) in self.patterns.iter().enumerate() {
            if !self.is_basic[number] {
                let (mut slope, mut cost) = (0.0, 1.0);
                for &(class, count) in pattern {
                    slope += row[class as usize] * f64::from(count);
                    cost -= self.prices[class as usize] * f64::from(count);
                }
                consider(slope, cost, Column::Pattern(number));
            }
        }
        for (class, value) in row.iter().enumerate() {
            consider(-value, self.prices[class], Column::Surplus(class));
        }
        best.2
    }

    /// The known column with the largest gain, if any gains.
    pub fn entering(&self, counts: &[u32]) -> Option<Column> {
        let mut best = (1.0 + 1e-7, None);
        for (number, pattern) in self.patterns.iter().enumerate() {
            let price =
                |&(class, count): &(u32, u32)| self.prices[class as usize] * f64::from(count);
            let fits = |&(class, count): &(u32, u32)| count <= counts[class as usize].max(1);
            let value: f64 = pattern.iter().map(price).sum();
            if value > best.0 && !self.is_basic[number] && pattern.iter().all(fits) {
                best = (value, Some(Column::Pattern(number)));
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
                let pattern = &self.patterns[number];
                let term = |row: &[f64], &(class, count): &(u32, u32)| {
                    row[class as usize] * f64::from(count)
                };
                rows.map(|row| pattern.iter().map(|entry| term(row, entry)).sum()).collect()
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
                let price =
                    |&(class, count): &(u32, u32)| self.prices[class as usize] * f64::from(count);
                self.patterns[number].iter().map(price).sum::<f64>() - 1.0
            }
        }
    }

    fn mark(&mut self, column: Column, is_basic: bool) {
        if let Column::Pattern(number) = column {
            self.is_basic[number] = is_basic;
        }
    }
}
