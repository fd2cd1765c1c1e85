//! A lower bound on the cost of all mappings in a domain, by prices of the tasks.
//!
//! Let c be the cost of each pair and give every task t a price u_t ≥ 0. A mapping x pays
//!
//! ```text
//! Σ c·x = Σ_t u_t − Σ_h (value of the tasks of h),   value of t on h = u_t − c_th,
//! ```
//!
//! and the tasks of h fit into its room together, so they are worth at most `KP_h`, the most
//! valuable set that fits. Hence every mapping costs at least `L(u) = Σ u − Σ_h KP_h`: the
//! Lagrangian bound of the generalised assignment problem. Costs are multiplied by `scale` so that
//! prices can be integers, and L is exact; only the search for prices uses floating point (steps
//! of the volume algorithm, Barahona & Anbil 2000).
//!
//! A set of h that is worth δ less than `KP_h` raises the cost by δ. With t on h, h loses what the
//! best set with t is worth less, and every other host loses what its best set without t is worth
//! less: the *loss* of the pair. A pair whose loss takes L above the limit is in no mapping that is
//! cheap enough (Posta, Ferland & Michelon 2012).

use gridsat_model::{HostId, Stop, TaskId, Ticks};

use super::Then;
use crate::bounds::Domain;
use crate::knapsack::{Item, Packer};

/// States visited per knapsack; beyond it its upper bound is used, which is just as valid.
const EFFORT: usize = 200_000;
/// Steps without success after which steps get shorter.
const PATIENCE: usize = 5;
/// The part of the newest packings in the averaged direction.
const NEWEST: f64 = 0.2;

/// Prices that are improved from domain to domain, in costs times `scale`.
#[derive(Clone, Debug)]
pub(super) struct Prices {
    scale: u64,
    prices: Vec<f64>,
}

/// Prices with their bound, and the packings that attain it.
pub(super) struct Point {
    prices: Vec<f64>,
    /// L(u), in costs times the scale.
    pub bound: i128,
    /// For each task the hosts that packed it.
    pub packed_by: Vec<Vec<HostId>>,
}

/// What a pair adds to the bound at least, in costs times the scale.
pub(super) struct Loss {
    pub task: TaskId,
    pub host: HostId,
    pub loss: i128,
}

impl Prices {
    /// Prices 0, for costs that add up to at most `most` in a mapping.
    pub fn new(tasks: usize, most: u64) -> Self {
        // Values stay far below the largest total of a knapsack.
        let scale = ((1_u64 << 44) / most.max(1)).clamp(1, 1 << 20);
        Self { scale, prices: vec![0.0; tasks] }
    }

    pub fn scale(&self) -> i128 {
        self.scale.into()
    }

    /// Takes steps until the bound exceeds the limit or `steps` are used up; the best point.
    pub fn climb(
        &mut self,
        domain: &Domain,
        then: &Then,
        limit: i128,
        steps: usize,
        stop: &Stop,
    ) -> Point {
        let mut packer = Packer::default();
        let mut best = self.at(domain, then, self.prices.clone(), &mut packer);
        let mut direction = best.gradient(domain);
        let (mut factor, mut failures) = (1.0, 0);
        for _ in 0..steps {
            let norm: f64 = direction.iter().map(|part| part * part).sum();
            if best.bound > limit || norm < 1e-9 || stop.is_due() {
                break;
            }
            let length = factor * (limit + self.scale() - best.bound) as f64 / norm;
            let moved = best.prices.iter().zip(&direction);
            let prices = moved.map(|(price, part)| (price + length * part).max(0.0)).collect();
            let next = self.at(domain, then, prices, &mut packer);
            for (part, newest) in direction.iter_mut().zip(next.gradient(domain)) {
                *part += NEWEST * (newest - *part);
            }
            if next.bound > best.bound {
                best = next;
                failures = 0;
            } else {
                failures += 1;
                factor *= if failures % PATIENCE == 0 { 0.7 } else { 1.0 };
            }
        }
        self.prices.clone_from(&best.prices);
        best
    }

    fn at(&self, domain: &Domain, then: &Then, prices: Vec<f64>, packer: &mut Packer) -> Point {
        let instance = domain.instance();
        let whole = whole(&prices);
        let mut bound = domain.unplaced_total(&whole) + self.placed(domain, then);
        let mut packed_by = vec![Vec::new(); prices.len()];
        for host in instance.hosts() {
            let items = self.items(domain, then, &whole, host);
            bound -= i128::from(packer.pack(&items, domain.room(host).0, EFFORT).at_most);
            packer.names().iter().for_each(|&task| packed_by[task as usize].push(host));
        }
        Point { prices, bound, packed_by }
    }

    /// The cost of the placed tasks.
    fn placed(&self, domain: &Domain, then: &Then) -> i128 {
        let cost = |task| {
            let host = domain.placed(task)?;
            Some(i128::from(then.cost(domain.instance(), task, host)) * self.scale())
        };
        domain.instance().tasks().filter_map(cost).sum()
    }

    /// The open tasks of the host, each with its price less its cost there.
    fn items(&self, domain: &Domain, then: &Then, prices: &[u64], host: HostId) -> Vec<Item> {
        let item = |&(task, weight): &(TaskId, Ticks)| {
            let cost = then.cost(domain.instance(), task, host).saturating_mul(self.scale);
            let value = prices[task.index()].saturating_sub(cost);
            Item { name: task.0, value, weight: weight.0 }
        };
        domain.open(host).iter().map(item).collect()
    }

    /// The bound of the present prices, and the losses of all open pairs. A loss is exact where it
    /// does not take the bound above the limit, unless the effort of a knapsack was used up.
    pub fn losses(&self, domain: &Domain, then: &Then, limit: i128) -> (i128, Vec<Loss>) {
        let (instance, whole) = (domain.instance(), whole(&self.prices));
        let mut packer = Packer::default();
        let point = self.at(domain, then, self.prices.clone(), &mut packer);
        let slack = u64::try_from((limit - point.bound).max(0)).unwrap_or(u64::MAX);
        let mut lost_without = vec![0; self.prices.len()];
        let mut losses = Vec::with_capacity(domain.pairs());
        for host in instance.hosts() {
            let items = self.items(domain, then, &whole, host);
            let room = domain.room(host).0;
            let most = packer.pack(&items, room, EFFORT).at_most;
            let threshold = most.saturating_sub(slack);
            let (_, forced) = packer.forced(&items, room, threshold, EFFORT);
            for (&(task, _), values) in domain.open(host).iter().zip(forced) {
                let cost = i128::from(then.cost(instance, task, host)) * self.scale();
                // An item whose cost exceeds its price has the value 0 instead of less.
                let shortfall = (cost - i128::from(whole[task.index()])).max(0);
                let without = i128::from(most.saturating_sub(values.without));
                lost_without[task.index()] += without;
                let with = i128::from(most.saturating_sub(values.with)) + shortfall;
                losses.push(Loss { task, host, loss: with - without });
            }
        }
        losses.iter_mut().for_each(|pair| pair.loss += lost_without[pair.task.index()]);
        (point.bound, losses)
    }
}

impl Point {
    /// How many hosts each task lacks in the packings; 0 for placed tasks.
    fn gradient(&self, domain: &Domain) -> Vec<f64> {
        let part = |task: TaskId| match domain.placed(task) {
            Some(_) => 0.0,
            None => 1.0 - self.packed_by[task.index()].len() as f64,
        };
        domain.instance().tasks().map(part).collect()
    }
}

/// Prices as integers, which is what the bound is computed with.
fn whole(prices: &[f64]) -> Vec<u64> {
    prices.iter().map(|&price| price as u64).collect()
}
