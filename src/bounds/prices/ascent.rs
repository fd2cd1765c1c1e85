//! Better prices for one k: the volume algorithm (Barahona & Anbil 2000).
//!
//! The gap `L(u) = Σ u − Σ_h KP_h(u)` is concave in u; a set of best packings gives a supergradient,
//! `1 − (how many hosts packed t)`. Steps go from the best prices so far in the direction of the
//! *averaged* packings, which settle to a fractional mapping, so that the direction settles too.
//!
//! Prices are integers throughout, scaled to a large total, so L itself is exact; only directions and
//! step lengths are floating point.

use super::pack_host;
use crate::model::{Instance, Ticks};

/// What prices add up to: large enough that rounding is lost in the noise.
const TOTAL: f64 = (1_u64 << 36) as f64;
/// Steps for one k.
const STEPS: usize = 400;

/// Prices that improve from k to k.
pub(super) struct Ascent<'a> {
    instance: &'a Instance,
    prices: Vec<f64>,
}

/// Prices, what they say about k, and how often each task is packed.
struct Point {
    prices: Vec<f64>,
    gap: f64,
    packed: Vec<f64>,
}

impl<'a> Ascent<'a> {
    /// Starts from the weights of the linear bound; tasks are priced where they fit by `upper`.
    pub fn new(instance: &'a Instance, weights: &[u64], upper: Ticks) -> Self {
        let cheapest = |task| {
            let fits =
                |&(h, time): &(crate::model::HostId, Ticks)| instance.ready(h) + time <= upper;
            let costs = instance.times(task).filter(fits);
            let costs = costs.map(|(h, time)| weights[h.index()] as f64 * time as f64);
            costs.fold(f64::INFINITY, f64::min)
        };
        let prices = instance.tasks().map(cheapest).map(|p| if p.is_finite() { p } else { 0.0 });
        let mut ascent = Self { instance, prices: prices.collect() };
        normalise(&mut ascent.prices);
        ascent
    }

    /// Integer prices that refute k, if the steps find any.
    pub fn refute(&mut self, k: Ticks, should_stop: &dyn Fn() -> bool) -> Option<Vec<u64>> {
        let mut best = self.evaluate(self.prices.clone(), k)?;
        let mut average = best.packed.clone();
        let mut step_factor = 0.5;
        let mut failures = 0;
        for _ in 0..STEPS {
            if best.gap > 0.0 || should_stop() {
                break;
            }
            let direction: Vec<f64> = average.iter().map(|packed| 1.0 - packed).collect();
            let norm: f64 = direction.iter().map(|d| d * d).sum();
            if norm < 1e-9 {
                break;
            }
            // Aim a little above zero, which is all that is needed.
            let length = step_factor * (0.002 * TOTAL - best.gap) / norm;
            let mut prices: Vec<f64> = best.prices.clone();
            prices.iter_mut().zip(&direction).for_each(|(p, d)| *p = (*p + length * d).max(0.0));
            normalise(&mut prices);
            let next = self.evaluate(prices, k)?;
            mix(&mut average, &next.packed);
            if next.gap > best.gap {
                let agrees: f64 =
                    direction.iter().zip(&next.packed).map(|(d, p)| d * (1.0 - p)).sum();
                step_factor *= if agrees > 0.0 { 1.3 } else { 1.0 };
                best = next;
                failures = 0;
            } else {
                failures += 1;
                if failures % 5 == 0 {
                    step_factor *= 0.7;
                }
            }
            step_factor = step_factor.clamp(1e-4, 2.0);
        }
        let found = best.gap > 0.0;
        self.prices = best.prices;
        found.then(|| integers(&self.prices))
    }

    /// `None` if some host is not ready by k, which bounds of another kind know already.
    fn evaluate(&self, prices: Vec<f64>, k: Ticks) -> Option<Point> {
        let whole = integers(&prices);
        let mut gap: i128 = whole.iter().map(|&price| i128::from(price)).sum();
        let mut packed = vec![0.0; prices.len()];
        for host in self.instance.hosts() {
            let packing = pack_host(self.instance, &whole, host, k)?;
            gap -= i128::from(packing.at_most);
            packing.names.iter().for_each(|&task| packed[task as usize] += 1.0);
        }
        Some(Point { prices, gap: gap as f64, packed })
    }
}

fn integers(prices: &[f64]) -> Vec<u64> {
    prices.iter().map(|&price| price as u64).collect()
}

fn normalise(prices: &mut [f64]) {
    let sum: f64 = prices.iter().sum();
    if sum > 0.0 {
        prices.iter_mut().for_each(|price| *price *= TOTAL / sum);
    }
}

/// Moves the average towards the newest packings, by how much makes it most nearly a mapping.
fn mix(average: &mut [f64], newest: &[f64]) {
    let (mut up, mut down) = (0.0, 0.0);
    for (a, x) in average.iter().zip(newest) {
        up += (1.0 - a) * (x - a);
        down += (x - a) * (x - a);
    }
    let share = if down > 0.0 { (up / down).clamp(0.02, 0.25) } else { 0.02 };
    average.iter_mut().zip(newest).for_each(|(a, x)| *a += share * (x - *a));
}
