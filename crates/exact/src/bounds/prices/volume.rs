//! Good prices quickly, and a fractional mapping: the volume algorithm (Barahona & Anbil 2000).
//!
//! A set of best packings gives a supergradient of L, `1 − (how many hosts packed t)`. Steps go
//! from the best prices so far in the direction of the *averaged* packings. These converge to a
//! fractional mapping in the interior, which is a better guide to an integral mapping than the
//! fractional mapping of the bundle.

use super::oracle::{Oracle, TOTAL, normalise};
use super::{Climb, Domain};
use gridsat_model::{Instance, Stop};

/// The gap aimed at, as a part of the total: any gap above zero refutes k.
const AIM: f64 = 0.002;
/// Steps without success after which steps get shorter.
const PATIENCE: usize = 5;
/// States visited per knapsack: packings that are averaged need not be the best.
const EFFORT: usize = 200_000;

/// The state of the algorithm: prices that are reused and improved from domain to domain.
#[derive(Clone, Debug)]
pub struct Volume {
    prices: Vec<f64>,
}

/// The averaged packings.
struct Average {
    hosts: usize,
    /// How often each pair is packed, task by task.
    pairs: Vec<f64>,
    /// The same, summed over the hosts.
    counts: Vec<f64>,
}

/// Prices, their gap on the domain, and the packings that attain it.
struct Point {
    prices: Vec<f64>,
    gap: f64,
    counts: Vec<f64>,
    pairs: Vec<(u32, u32)>,
}

impl Volume {
    /// Starts with each task's shortest time as its price.
    pub fn new(instance: &Instance) -> Self {
        Self { prices: instance.tasks().map(|task| instance.shortest(task).as_f64()).collect() }
    }

    /// Takes steps until the domain is refuted or `steps` are used up.
    pub fn climb(&mut self, domain: &Domain, steps: usize, stop: &Stop) -> Climb {
        let mut oracle = Oracle::new(domain, EFFORT);
        normalise(&mut self.prices, domain);
        let mut best = Point::new(&mut oracle, self.prices.clone());
        let mut average = Average::new(&best, domain.instance().host_count());
        let (mut factor, mut failures) = (0.5, 0);
        for _ in 0..steps {
            if best.gap > 0.0 || stop.is_due() {
                break;
            }
            let direction = average.direction(&oracle.is_open);
            let Some(prices) = step(&best, &direction, factor) else { break };
            let next = Point::new(&mut oracle, normalised(prices, domain));
            average.mix(&next);
            if next.gap > best.gap {
                let agrees: f64 =
                    direction.iter().zip(&next.counts).map(|(d, count)| d * (1.0 - count)).sum();
                factor *= if agrees > 0.0 { 1.3 } else { 1.0 };
                best = next;
                failures = 0;
            } else {
                failures += 1;
                factor *= if failures % PATIENCE == 0 { 0.7 } else { 1.0 };
            }
            factor = factor.clamp(1e-4, 2.0);
        }
        self.prices = best.prices;
        Climb { refuted: best.gap > 0.0, gap: best.gap / TOTAL, average: average.pairs }
    }
}

fn normalised(mut prices: Vec<f64>, domain: &Domain) -> Vec<f64> {
    normalise(&mut prices, domain);
    prices
}

/// The prices one step away. `None` if the average is a mapping already, so that the direction is
/// 0.
fn step(from: &Point, direction: &[f64], factor: f64) -> Option<Vec<f64>> {
    let norm: f64 = direction.iter().map(|d| d * d).sum();
    let length = factor * (AIM * TOTAL - from.gap) / norm;
    let moved = from.prices.iter().zip(direction).map(|(price, d)| (price + length * d).max(0.0));
    (norm > 1e-9).then(|| moved.collect())
}

impl Point {
    fn new(oracle: &mut Oracle, prices: Vec<f64>) -> Self {
        let mut counts = vec![0.0; prices.len()];
        let mut pairs = Vec::new();
        let gap = oracle.gap(&prices, &mut |host, names| {
            for &task in names {
                counts[task as usize] += 1.0;
                pairs.push((task, host.0));
            }
        });
        Self { prices, gap, counts, pairs }
    }
}

impl Average {
    fn new(first: &Point, hosts: usize) -> Self {
        let pairs = vec![0.0; first.prices.len() * hosts];
        let mut average = Self { hosts, pairs, counts: first.counts.clone() };
        average.add(first, 1.0);
        average
    }

    fn add(&mut self, point: &Point, share: f64) {
        for &(task, host) in &point.pairs {
            self.pairs[task as usize * self.hosts + host as usize] += share;
        }
    }

    fn direction(&self, is_open: &[bool]) -> Vec<f64> {
        let missing = |(count, is_open): (&f64, &bool)| if *is_open { 1.0 - count } else { 0.0 };
        self.counts.iter().zip(is_open).map(missing).collect()
    }

    /// Moves towards the newest packings, as far as brings the average closest to a mapping.
    fn mix(&mut self, newest: &Point) {
        let (mut up, mut down) = (0.0, 0.0);
        for (a, x) in self.counts.iter().zip(&newest.counts) {
            up += (1.0 - a) * (x - a);
            down += (x - a) * (x - a);
        }
        let share = if down > 0.0 { (up / down).clamp(0.02, 0.25) } else { 0.02 };
        self.counts.iter_mut().zip(&newest.counts).for_each(|(a, x)| *a += share * (x - *a));
        self.pairs.iter_mut().for_each(|a| *a *= 1.0 - share);
        self.add(newest, share);
    }
}
