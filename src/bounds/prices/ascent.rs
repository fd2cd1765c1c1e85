//! Better prices on one domain: the volume algorithm (Barahona & Anbil 2000).
//!
//! The gap `L(u) = Σ u − Σ_h KP_h(u)` is concave in u; a set of best packings gives a supergradient,
//! `1 − (how many hosts packed t)`. Steps go from the best prices so far in the direction of the
//! *averaged* packings, which settle to a fractional mapping, so that the direction settles too.
//!
//! Prices are integers throughout, scaled to a large total, so L itself is exact; only directions and
//! step lengths are floating point.

use super::Domain;
use crate::knapsack::{Item, Packer, Worth};
use crate::model::{HostId, Instance, Ticks};

/// What prices add up to: large enough that rounding is lost in the noise.
const TOTAL: f64 = (1_u64 << 36) as f64;

/// States looked at in a knapsack. Beyond it an upper bound serves instead, which is as valid.
pub(super) const EFFORT: usize = 50_000;

/// Prices that improve from domain to domain.
#[derive(Clone, Debug)]
pub struct Ascent {
    prices: Vec<f64>,
}

/// What the steps came to.
#[derive(Clone, Debug)]
pub struct Climb {
    /// Whether the prices refute the domain.
    pub refuted: bool,
    /// `L` as a part of the total price.
    pub gap: f64,
    /// Task-major: how often each pair was packed of late, a fractional mapping.
    pub average: Vec<f64>,
}

/// Prices, what they say about the domain, and who is packed where.
struct Point {
    prices: Vec<f64>,
    gap: f64,
    packed: Vec<f64>,
    pairs: Vec<(u32, u32)>,
}

impl Ascent {
    /// Starts from the weights of the linear bound; tasks are priced where they fit by `upper`.
    pub fn new(instance: &Instance, weights: &[u64], upper: Ticks) -> Self {
        let cheapest = |task| {
            let fits = |&(h, time): &(HostId, Ticks)| instance.ready(h) + time <= upper;
            let costs = instance.times(task).filter(fits);
            let costs = costs.map(|(h, time)| weights[h.index()] as f64 * time as f64);
            costs.fold(f64::INFINITY, f64::min)
        };
        let prices = instance.tasks().map(cheapest).map(|p| if p.is_finite() { p } else { 0.0 });
        Self { prices: prices.collect() }
    }

    /// The prices, as integers.
    pub fn prices(&self) -> Vec<u64> {
        integers(&self.prices)
    }

    /// Climbs until the domain is refuted or the steps are used up.
    pub fn climb(
        &mut self,
        domain: &Domain,
        steps: usize,
        should_stop: &dyn Fn() -> bool,
    ) -> Climb {
        let mut packer = Packer::default();
        normalise(&mut self.prices, domain);
        let mut best = evaluate(domain, self.prices.clone(), &mut packer);
        let m = domain.instance().host_count();
        let mut average = vec![0.0; self.prices.len() * m];
        best.pairs.iter().for_each(|&(t, h)| average[t as usize * m + h as usize] = 1.0);
        let mut counts = best.packed.clone();
        let mut step_factor = 0.5;
        let mut failures = 0;
        for _ in 0..steps {
            if best.gap > 0.0 || should_stop() {
                break;
            }
            let direction: Vec<f64> = (counts.iter().zip(domain.instance().tasks()))
                .map(|(packed, t)| if domain.placed(t).is_some() { 0.0 } else { 1.0 - packed })
                .collect();
            let norm: f64 = direction.iter().map(|d| d * d).sum();
            if norm < 1e-9 {
                break;
            }
            // Aim a little above zero, which is all that is needed.
            let length = step_factor * (0.002 * TOTAL - best.gap) / norm;
            let mut prices: Vec<f64> = best.prices.clone();
            prices.iter_mut().zip(&direction).for_each(|(p, d)| *p = (*p + length * d).max(0.0));
            normalise(&mut prices, domain);
            let next = evaluate(domain, prices, &mut packer);
            let share = share(&counts, &next.packed);
            counts.iter_mut().zip(&next.packed).for_each(|(a, x)| *a += share * (x - *a));
            average.iter_mut().for_each(|a| *a *= 1.0 - share);
            next.pairs.iter().for_each(|&(t, h)| average[t as usize * m + h as usize] += share);
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
        let (refuted, gap) = (best.gap > 0.0, best.gap / TOTAL);
        self.prices = best.prices;
        Climb { refuted, gap, average }
    }
}

/// The most valuable open tasks that fit the host.
fn pack_host(domain: &Domain, prices: &[u64], host: HostId, packer: &mut Packer) -> Worth {
    let item = |&(task, weight): &(crate::model::TaskId, Ticks)| Item {
        name: task.0,
        value: prices[task.index()],
        weight,
    };
    let items: Vec<Item> = domain.open(host).iter().map(item).collect();
    packer.pack(&items, domain.room(host), EFFORT)
}

fn evaluate(domain: &Domain, prices: Vec<f64>, packer: &mut Packer) -> Point {
    let whole = integers(&prices);
    let mut gap = domain.unplaced_total(&whole);
    let mut packed = vec![0.0; prices.len()];
    let mut pairs = Vec::new();
    for host in domain.instance().hosts() {
        let worth = pack_host(domain, &whole, host, packer);
        gap -= i128::from(worth.at_most);
        for &task in packer.names() {
            packed[task as usize] += 1.0;
            pairs.push((task, host.0));
        }
    }
    Point { prices, gap: gap as f64, packed, pairs }
}

fn integers(prices: &[f64]) -> Vec<u64> {
    prices.iter().map(|&price| price as u64).collect()
}

/// Scales to the total, over the tasks not placed; placed ones keep a price for later relatives.
fn normalise(prices: &mut [f64], domain: &Domain) {
    let open = domain.instance().tasks().filter(|&t| domain.placed(t).is_none());
    let sum: f64 = open.map(|t| prices[t.index()]).sum();
    if sum > 0.0 {
        prices.iter_mut().for_each(|price| *price *= TOTAL / sum);
    }
}

/// How far to move the average towards the newest packings to make it most nearly a mapping.
fn share(average: &[f64], newest: &[f64]) -> f64 {
    let (mut up, mut down) = (0.0, 0.0);
    for (a, x) in average.iter().zip(newest) {
        up += (1.0 - a) * (x - a);
        down += (x - a) * (x - a);
    }
    if down > 0.0 { (up / down).clamp(0.02, 0.25) } else { 0.02 }
}
