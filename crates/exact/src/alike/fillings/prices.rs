//! Prices of classes for one case: those of the linear program, rounded to integers.

use super::case::{Case, Problem};
use super::patterns::{self, Pattern, Patterns};
use super::simplex::{Column, Simplex};
use gridsat_model::Stop;
use std::collections::HashSet;

/// A host holds about this price.
const SCALE: f64 = 1e6;

/// A pattern that gains less is not worth its place.
const GAIN: f64 = 1e-7;

/// Changes of the basis per class and case.
const PIVOTS_PER_CLASS: u64 = 200;

/// Integer prices by class, and what they prove.
pub(super) struct Prices {
    pub of_class: Vec<u64>,
    /// The total price of the tasks left.
    total: u128,
    /// The largest price that fits a host, room by room.
    best: Vec<u64>,
    /// What all hosts left can hold.
    packed: u128,
}

impl Prices {
    pub fn of(problem: &Problem, case: &Case, of_class: Vec<u64>) -> Self {
        let best = patterns::best_prices(problem, case, &of_class);
        let product = |class: usize| u128::from(of_class[class]) * u128::from(case.counts[class]);
        let total = case.left().map(product).sum();
        let hosts = best.iter().zip(&case.hosts);
        let packed = hosts.map(|(&best, &hosts)| u128::from(best) * hosts as u128).sum();
        Self { total, best, packed, of_class }
    }

    /// Whether all prices together are more than the hosts can hold.
    pub fn refute(&self) -> bool {
        self.total > self.packed
    }

    /// A host of this room has at least this price if all others have as much as they can.
    pub fn least(&self, place: usize) -> u64 {
        let others = self.packed.saturating_sub(u128::from(self.best[place]));
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
    known: HashSet<(usize, Pattern)>,
    /// Entries of matrices and tables that were looked at.
    pub work: u64,
}

impl Pricer {
    pub fn new(problem: &Problem) -> Self {
        let simplex = Simplex::new(problem);
        Self { simplex, patterns: Patterns::default(), known: HashSet::new(), work: 0 }
    }

    /// How often each pattern is used, and in which room.
    pub fn in_use(&self) -> impl Iterator<Item = ((usize, &Pattern), f64)> {
        self.simplex.in_use()
    }

    /// Prices that refute the case if the linear program does.
    pub fn prices(&mut self, problem: &Problem, case: &Case, stop: &Stop) -> Prices {
        let classes = problem.times.len();
        let largest = case.places().next().map_or(0, |place| problem.rooms[place]);
        if let Some(longest) = case.left().next().filter(|&one| problem.times[one] > largest) {
            let mut of_class = vec![0; classes];
            of_class[longest] = 1;
            return Prices::of(problem, case, of_class);
        }
        if !self.simplex.set_case(case) {
            self.simplex = Simplex::new(problem);
            self.known.clear();
            self.simplex.set_case(case);
        }
        let entries = patterns::entries(problem, case);
        let size = classes + problem.rooms.len();
        let first = self.simplex.pivots();
        let most = first + PIVOTS_PER_CLASS * size as u64;
        let mut best = (f64::NEG_INFINITY, Vec::new());
        while self.simplex.pivots() < most && !stop.is_due() {
            let column = match self.simplex.entering(&case.counts) {
                Some(column) => column,
                None => {
                    self.work += 2 * entries;
                    let prices: Vec<f64> =
                        self.simplex.prices().iter().map(|price| price.max(0.0)).collect();
                    let found = self.patterns.best(problem, case, &prices);
                    let value = Value::of(case, &prices, &found);
                    if value.ratio() > best.0 {
                        best = (value.ratio(), value.scaled(&prices));
                    }
                    if value.is_refuted() {
                        break;
                    }
                    match self.add(found) {
                        Some(column) => column,
                        None => break,
                    }
                }
            };
            self.work += (size * size) as u64;
            if !self.simplex.enter(column) {
                break;
            }
        }
        let rounded = |price: &f64| (price * SCALE).max(0.0) as u64;
        let mut of_class: Vec<u64> = best.1.iter().map(rounded).collect();
        of_class.resize(classes, 0);
        Prices::of(problem, case, of_class)
    }

    /// Adds the patterns that gain, and returns the one that gains most; `None` if none is new.
    fn add(&mut self, found: Vec<(f64, Pattern)>) -> Option<Column> {
        let mut best = (GAIN, None);
        for (place, (value, pattern)) in found.into_iter().enumerate() {
            let gain = value - self.simplex.cost(place);
            if gain > GAIN && self.known.insert((place, pattern.clone())) {
                let column = self.simplex.add(place, pattern);
                if gain > best.0 {
                    best = (gain, Some(column));
                }
            }
        }
        best.1
    }
}

/// What prices that are no integers yet are worth.
struct Value {
    /// Of the tasks left.
    total: f64,
    /// Of what the hosts left can hold.
    packed: f64,
    /// Of what a host of the largest room can hold.
    most: f64,
}

impl Value {
    fn of(case: &Case, prices: &[f64], found: &[(f64, Pattern)]) -> Self {
        let total = case.left().map(|class| prices[class] * f64::from(case.counts[class])).sum();
        let hosts = found.iter().zip(&case.hosts);
        let packed = hosts.map(|((value, _), &hosts)| value * hosts as f64).sum();
        let most = case.places().map(|place| found[place].0).fold(1e-9, f64::max);
        Self { total, packed, most }
    }

    fn ratio(&self) -> f64 {
        self.total / self.packed.max(1e-9)
    }

    /// Whether the hosts lack room by a thousandth of a host.
    fn is_refuted(&self) -> bool {
        self.total > self.packed + 1e-3 * self.most
    }

    /// The prices such that a host can hold 1.
    fn scaled(&self, prices: &[f64]) -> Vec<f64> {
        prices.iter().map(|price| price / self.most).collect()
    }
}
