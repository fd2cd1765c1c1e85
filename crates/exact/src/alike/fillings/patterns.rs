//! The best filling of one host by prices: a knapsack over the room, with counted classes.
//!
//! c equal tasks are c items of 1, 2, 4, … and a rest of them, so a class takes log c passes over
//! the table.

use super::case::{Case, Problem};

/// A filling with the number of tasks of each class, in order of classes.
pub(super) type Pattern = Vec<(u32, u32)>;

/// Items of several equal tasks each: class and number of tasks.
fn items(problem: &Problem, case: &Case, is_priced: impl Fn(usize) -> bool) -> Vec<(usize, u32)> {
    let mut items = Vec::new();
    for class in case.left().filter(|&class| is_priced(class)) {
        let fitting = problem.largest() / problem.times[class];
        let mut left = fitting.min(case.counts[class].into()) as u32;
        let mut part = 1;
        while left > 0 {
            let count = part.min(left);
            items.push((class, count));
            left -= count;
            part *= 2;
        }
    }
    items
}

/// How many entries the table for a case has.
pub(super) fn entries(problem: &Problem, case: &Case) -> u64 {
    items(problem, case, |_| true).len() as u64 * (problem.largest() + 1)
}

/// The largest total price of tasks left that fit one host, exactly; room by room.
pub(super) fn best_prices(problem: &Problem, case: &Case, prices: &[u64]) -> Vec<u64> {
    let room = problem.largest() as usize;
    let mut best = vec![0_u64; room + 1];
    for (class, count) in items(problem, case, |class| prices[class] > 0) {
        let time = problem.times[class] as usize * count as usize;
        let price = prices[class] * u64::from(count);
        for full in (time..=room).rev() {
            best[full] = best[full].max(best[full - time] + price);
        }
    }
    problem.rooms.iter().map(|&room| best[room as usize]).collect()
}

/// Seeks patterns; keeps its tables for the next time.
#[derive(Default)]
pub(super) struct Patterns {
    best: Vec<f64>,
    /// One bit per item and room: whether the item is in the best filling of the room.
    taken: Vec<u64>,
}

impl Patterns {
    /// For each room the filling with the largest total price, and that price.
    pub fn best(&mut self, problem: &Problem, case: &Case, prices: &[f64]) -> Vec<(f64, Pattern)> {
        let room = problem.largest() as usize;
        let items = items(problem, case, |class| prices[class] > 1e-12);
        let words = room / 64 + 1;
        self.best.clear();
        self.best.resize(room + 1, 0.0);
        self.taken.clear();
        self.taken.resize(items.len() * words, 0);
        for (&(class, count), taken) in items.iter().zip(self.taken.chunks_mut(words)) {
            let time = problem.times[class] as usize * count as usize;
            let price = prices[class] * f64::from(count);
            for full in (time..=room).rev() {
                let with = self.best[full - time] + price;
                if with > self.best[full] + 1e-12 {
                    self.best[full] = with;
                    taken[full / 64] |= 1 << (full % 64);
                }
            }
        }
        let rooms = problem.rooms.iter().map(|&room| room as usize);
        rooms.map(|room| (self.best[room], self.way_back(problem, room, &items, words))).collect()
    }

    fn way_back(
        &self,
        problem: &Problem,
        mut full: usize,
        items: &[(usize, u32)],
        words: usize,
    ) -> Pattern {
        let mut pattern: Pattern = Vec::new();
        for (&(class, count), taken) in items.iter().zip(self.taken.chunks(words)).rev() {
            if taken[full / 64] >> (full % 64) & 1 == 0 {
                continue;
            }
            full -= problem.times[class] as usize * count as usize;
            match pattern.last_mut() {
                Some((last, all)) if *last == class as u32 => *all += count,
                _ => pattern.push((class as u32, count)),
            }
        }
        pattern.reverse();
        pattern
    }
}
