//! Prices of classes for one case: those of the linear program, rounded to integers.

use super::case::{Case, Problem};
use super::patterns::{self, Pattern, Patterns};
use super::simplex::Simplex;
use gridsat_model::Stop;
use std::collections::HashSet;

/// A host holds about this price.
const SCALE: f64 = 1e6;

/// Changes of the basis per class and case.
const PIVOTS_PER_CLASS: u64 = 200;

/// Integer prices by class, and what they prove.
pub(super) struct Prices {
    pub of_class: Vec<u64>,
    /// The total price of the tasks left.
    total: u128,
    /// The largest price that fits a host.
    best: u64,
}

impl Prices {
    pub fn of(problem: &Problem, case: &Case, of_class: Vec<u64>) -> Self {
        let best = patterns::best_price(problem, case, &of_class);
        let product = |class: usize| u128::from(of_class[class]) * u128::from(case.counts[class]);
        Self { total: case.left().map(product).sum(), best, of_class }
    }

    pub fn refute(&self, hosts: usize) -> bool {
        self.total > hosts as u128 * u128::from(self.best)
    }

    /// A host has at least this price if all others have as much as they can.
    pub fn least(&self, hosts: usize) -> u64 {
        let others = (hosts as u128).saturating_sub(1) * u128::from(self.best);
        u64::try_from(self.total.saturating_sub(others)).unwrap_or(u64::MAX)
    }

    /// The prices of the classes left.
    pub fn list(&self, case: &Case) -> Vec<u64> {
        case.left().map(|class| self.of_class[class]).collect()
    }
}

/// Makes prices, case by case; patterns and the basis are kept for the next case.
pub(super) struct Pricer {
    simplex: Simplex,
    patterns: Patterns,
    known: HashSet<Pattern>,
    /// Entries of matrices and tables that were looked at.
    pub work: u64,
}

impl Pricer {
    pub fn new(classes: usize) -> Self {
        let simplex = Simplex::new(classes);
        Self { simplex, patterns: Patterns::default(), known: HashSet::new(), work: 0 }
    }

    /// How often each pattern is used.
    pub fn in_use(&self) -> impl Iterator<Item = (&Pattern, f64)> {
        self.simplex.in_use()
    }

    /// Prices that refute the case if the linear program does.
    pub fn prices(&mut self, problem: &Problem, case: &Case, stop: &Stop) -> Prices {
        let classes = problem.times.len();
        if let Some(longest) = case.left().next().filter(|&one| problem.times[one] > problem.room) {
            let mut of_class = vec![0; classes];
            of_class[longest] = 1;
            return Prices::of(problem, case, of_class);
        }
        if !self.simplex.set_counts(&case.counts) {
            self.simplex = Simplex::new(classes);
            self.known.clear();
            self.simplex.set_counts(&case.counts);
        }
        let entries = patterns::entries(problem, case);
        let first = self.simplex.pivots();
        let most = first + PIVOTS_PER_CLASS * classes as u64;
        let mut best = (0.0, Vec::new());
        while self.simplex.pivots() < most && !stop.is_due() {
            let column = match self.simplex.entering(&case.counts) {
                Some(column) => column,
                None => {
                    self.work += 2 * entries;
                    let prices: Vec<f64> =
                        self.simplex.prices().iter().map(|price| price.max(0.0)).collect();
                    let (value, pattern) = self.patterns.best(problem, case, &prices);
                    let total: f64 = case
                        .left()
                        .map(|class| prices[class] * f64::from(case.counts[class]))
                        .sum();
                    let bound = total / value.max(1.0);
                    if bound > best.0 {
                        best = (bound, prices.iter().map(|price| price / value.max(1.0)).collect());
                    }
                    let is_done = value <= 1.0 + 1e-7 || best.0 > case.hosts as f64 + 1e-3;
                    if is_done || !self.known.insert(pattern.clone()) {
                        break;
                    }
                    self.simplex.add(pattern)
                }
            };
            self.work += (classes * classes) as u64;
            if !self.simplex.enter(column) {
                break;
            }
        }
        let rounded = |price: &f64| (price * SCALE).max(0.0) as u64;
        let mut of_class: Vec<u64> = best.1.iter().map(rounded).collect();
        of_class.resize(classes, 0);
        Prices::of(problem, case, of_class)
    }
}
