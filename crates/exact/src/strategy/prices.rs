//! Task prices for the windows of one question "makespan ≤ k?".
//!
//! The smaller the slack of the prices, the narrower the windows. Prices of negative slack refute
//! k by themselves and leave nothing to a solver. To have it decide, they are mixed with weaker
//! ones until the slack is just not negative.

use crate::bounds::{Ascent, Domain, scaled, slack};
use gridsat_check::formula::TaskPrices;
use gridsat_model::{Instance, Stop, Ticks};

/// Steps of the ascent for one k.
const STEPS: usize = 400;
/// The total of the prices, except for tasks with a single host: the precision of the slack.
const TOTAL: u64 = 1_000_000;
/// Halvings of the interval in which the slack becomes negative.
const HALVINGS: usize = 24;

/// Prices for one k.
pub(super) struct Prices {
    /// Prices of small slack that do not refute k, the best first.
    pub open: Vec<TaskPrices>,
    /// Prices that refute k, if some were found.
    pub refuting: Option<TaskPrices>,
}

/// Looks for prices, from one k to the next.
pub(super) struct PriceSearch<'a> {
    instance: &'a Instance,
    /// Prices from the weights of the linear bound.
    first: Vec<u64>,
    ascent: Ascent,
}

impl<'a> PriceSearch<'a> {
    /// Starts from the weights of the linear bound; tasks end by `upper`.
    pub fn new(instance: &'a Instance, weights: &[u64], upper: Ticks) -> Self {
        let ascent = Ascent::new(instance, weights, upper);
        Self { instance, first: ascent.prices(), ascent }
    }

    /// The best prices found for k.
    pub fn at(&mut self, k: Ticks, stop: &Stop) -> Prices {
        let domain = Domain::new(self.instance, k).ok();
        if let Some(domain) = &domain {
            self.ascent.climb(domain, STEPS, stop);
        }
        let placed = |prices: Vec<u64>| with_placed(&prices, domain.as_ref());
        let best = placed(self.ascent.prices());
        match slack(self.instance, &best, k) {
            None => Prices { open: Vec::new(), refuting: None },
            Some(slack) if slack >= 0 => {
                let open = TaskPrices::new(self.instance, best).into_iter().collect();
                Prices { open, refuting: None }
            }
            Some(_) => {
                let starts = [self.first.clone(), vec![1; best.len()]].map(placed);
                let mixed = starts.iter().filter_map(|start| self.mixed(start, &best, k, stop));
                let open = mixed.filter_map(|prices| TaskPrices::new(self.instance, prices));
                let open = open.collect();
                Prices { open, refuting: TaskPrices::new(self.instance, best) }
            }
        }
    }

    /// A mixture that just does not refute k, of prices that do not and prices that do. `None` if
    /// the first ones refute k, too.
    fn mixed(&self, weak: &[u64], strong: &[u64], k: Ticks, stop: &Stop) -> Option<Vec<u64>> {
        let is_open = |prices: &[u64]| slack(self.instance, prices, k).is_some_and(|s| s >= 0);
        let mut best = is_open(weak).then(|| weak.to_vec())?;
        let (mut low, mut high) = (0, 1_u64 << HALVINGS);
        while high - low > 1 && !stop.is_due() {
            let part = low + (high - low) / 2;
            let mix = |(&weak, &strong): (&u64, &u64)| mean(weak, strong, part);
            let prices: Vec<u64> = weak.iter().zip(strong).map(mix).collect();
            match is_open(&prices) {
                true => (low, best) = (part, prices),
                false => high = part,
            }
        }
        Some(best)
    }
}

/// The mean of two prices, with `part` of 2^HALVINGS for the second.
fn mean(first: u64, second: u64, part: u64) -> u64 {
    let whole = 1_u128 << HALVINGS;
    let sum =
        u128::from(first) * (whole - u128::from(part)) + u128::from(second) * u128::from(part);
    (sum >> HALVINGS) as u64
}

/// The prices in the same proportion. A task with a single host gets a price that no packing of
/// that host can do without, so that the others compete for the room beside it.
fn with_placed(prices: &[u64], domain: Option<&Domain>) -> Vec<u64> {
    let Some(domain) = domain else { return scaled(prices, TOTAL) };
    let tasks = || domain.instance().tasks();
    let is_placed = |task| domain.placed(task).is_some();
    let open = |task| if is_placed(task) { 0 } else { prices[task.index()] };
    let whole = scaled(&tasks().map(open).collect::<Vec<u64>>(), TOTAL);
    tasks().map(|task| if is_placed(task) { TOTAL + 1 } else { whole[task.index()] }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bounds::linear;
    use gridsat_heuristics::generate::{EtcSpec, generate};

    /// From far below the optimum to far above: prices are open or refuting, as they claim.
    #[test]
    fn prices_are_what_they_claim() {
        let (mut open, mut refuting) = (0, 0);
        for class in ["U1-100", "jobcorr", "u_c_lolo", "u_i_hihi"] {
            let spec = EtcSpec::plain(class.parse().expect("known"), 12, 3, 4);
            let instance = generate(&spec).expect("valid");
            let (bound, weights) = {
                let linear = linear(&instance, &Stop::never());
                (linear.bound.value(), linear.weights)
            };
            let mut search = PriceSearch::new(&instance, &weights, bound * 2);
            for percent in [60, 90, 98, 100, 102, 130] {
                let k = Ticks(bound.0 * percent / 100);
                let prices = search.at(k, &Stop::never());
                let slack = |prices: &TaskPrices| slack(&instance, prices.as_slice(), k);
                assert!(prices.open.iter().all(|p| slack(p) >= Some(0)), "{class} {k}");
                assert!(prices.refuting.iter().all(|p| slack(p) < Some(0)), "{class} {k}");
                open += prices.open.len();
                refuting += usize::from(prices.refuting.is_some());
            }
        }
        assert!(open > 10 && refuting > 5, "one-sided test: {open} {refuting}");
    }
}
