//! Improves the prices of one domain.
//!
//! The gap `L(u) = Σ u − Σ_h KP_h(u)` is concave in u, and the best packings at u bound it
//! everywhere. `bundle` keeps these packings as a model of L and proposes prices. Better prices
//! become the centre of the next proposal (a *serious* step); otherwise their packings refine the
//! model (a *null* step).
//!
//! As L(c·u) = c·L(u), prices are scaled to a fixed, large total. They are integers when L is
//! computed, so L itself is exact; only the search for prices uses floating point.

use super::Domain;
use super::bundle::{Bundle, Centre};
use super::oracle::{EFFORT, Oracle, TOTAL, integers, normalise};
use gridsat_model::{HostId, Instance, Stop, TaskId, Ticks};

/// The first trust radius, in multiples of the average price times the spread.
const RADIUS: f64 = 0.05;

/// How far prices differ from each other where the domain fixes the number of tasks of each host,
/// relative to prices elsewhere.
///
/// Equal prices count tasks, so there they have the gap 0 exactly. Prices with a larger gap are
/// nearly equal: a large part that makes every host take its number of tasks, and small
/// differences. Steps as long as elsewhere would miss them.
const NARROW: f64 = 1e-3;

/// The ascent ends when at most `PRECISION` of the total plus `ENOUGH` of the gap is left to gain.
const PRECISION: f64 = 1e-8;
const ENOUGH: f64 = 0.01;

/// Progress is slow if `PATIENCE` steps bring the gap closer to 0 by less than the part `PROGRESS`.
const PATIENCE: usize = 40;
const PROGRESS: f64 = 0.02;

/// Steps in a row without a proposal after which no more are tried.
const VAIN: usize = 2;

/// Rounding a price to an integer costs about this part of the unit.
const ROUNDING: f64 = 0.3;

/// The state of an ascent: prices that are reused and improved from domain to domain.
#[derive(Clone, Debug)]
pub struct Ascent {
    prices: Vec<f64>,
    bundle: Bundle,
    /// Trust radius, in multiples of the average price times the spread.
    radius: f64,
    /// 1, or `NARROW`.
    spread: f64,
    /// How prices differed from their average when they were brought together: used again where the
    /// prices of the tasks left have become equal.
    apart: Vec<f64>,
    /// How the prices of open tasks differ now, if they are nearly equal; see [`Centre`].
    direction: Vec<f64>,
    /// Null steps in a row: proposals that were not better.
    nulls: usize,
    /// Steps in a row without a proposal.
    vain: usize,
}

/// The result of some steps.
#[derive(Clone, Debug)]
pub struct Climb {
    /// Whether the prices refute the domain.
    pub refuted: bool,
    /// The gap `L`, as a part of the total price.
    pub gap: f64,
    /// For each pair, task by task: how often it is packed in the fractional mapping that belongs
    /// to the prices.
    pub average: Vec<f64>,
}

impl Ascent {
    /// Starts from the weights of the linear bound; a task is priced by its cheapest host on which
    /// it ends by `upper`.
    pub fn new(instance: &Instance, weights: &[u64], upper: Ticks) -> Self {
        let cheapest = |task| {
            let fits = |&(h, time): &(HostId, Ticks)| instance.ready(h) + time <= upper;
            let costs = instance.times(task).filter(fits);
            let costs = costs.map(|(h, time)| weights[h.index()] as f64 * time.as_f64());
            costs.fold(f64::INFINITY, f64::min)
        };
        let prices = instance.tasks().map(cheapest).map(|p| if p.is_finite() { p } else { 0.0 });
        Self::from_prices(prices.collect())
    }

    /// Starts from these prices, which are scaled so that rounding to integers does not matter.
    pub fn from_prices(mut prices: Vec<f64>) -> Self {
        let sum: f64 = prices.iter().sum();
        if sum > 0.0 {
            prices.iter_mut().for_each(|price| *price *= TOTAL / sum);
        }
        Self {
            prices,
            bundle: Bundle::default(),
            radius: RADIUS,
            spread: 1.0,
            apart: Vec::new(),
            direction: Vec::new(),
            nulls: 0,
            vain: 0,
        }
    }

    /// The prices, as integers.
    pub fn prices(&self) -> Vec<u64> {
        integers(&self.prices)
    }

    /// Takes steps until the domain is refuted, little is left to gain, or `steps` are used up.
    pub fn climb(&mut self, domain: &Domain, steps: usize, stop: &Stop) -> Climb {
        let enough = rounding(domain, domain.price_total());
        self.enter(domain, domain.fixes_counts());
        self.climb_while(domain, steps, stop, |state| {
            let little = PRECISION * state.spread * TOTAL + ENOUGH * state.gap.abs();
            state.gap < enough && state.limit - state.gap > little
        })
    }

    /// Like `climb`, but gives up when no prices can refute the domain or progress is slow, and
    /// continues until the gap is large enough to survive rounding the prices to integers that add
    /// up to `total`.
    pub(super) fn refute(
        &mut self,
        domain: &Domain,
        steps: usize,
        total: u64,
        stop: &Stop,
    ) -> Climb {
        let enough = rounding(domain, total);
        let mut before = f64::NEG_INFINITY;
        // These prices must refute k without knowing which tasks the domain has placed.
        let is_whole = domain.unplaced() == self.prices.len();
        self.enter(domain, is_whole && domain.fixes_counts());
        self.climb_while(domain, steps, stop, |state| {
            if state.step % PATIENCE == PATIENCE - 1 {
                let is_slow = state.gap - before < PROGRESS * state.gap.abs();
                before = state.gap;
                return !is_slow;
            }
            state.limit > 0.2 * enough && state.gap < enough
        })
    }

    fn climb_while(
        &mut self,
        domain: &Domain,
        steps: usize,
        stop: &Stop,
        mut goes_on: impl FnMut(&State) -> bool,
    ) -> Climb {
        let mut oracle = Oracle::new(domain, EFFORT);
        (self.radius, self.nulls, self.vain) = (RADIUS, 0, 0);
        let mut gap = evaluate(&mut oracle, &self.prices, &mut self.bundle);
        for step in 0..steps {
            let limit = self.limit(&oracle.is_open);
            if stop.is_due()
                || self.vain >= VAIN
                || !goes_on(&State { step, gap, limit, spread: self.spread })
            {
                break;
            }
            gap = self.step(&mut oracle, gap);
        }
        Climb { refuted: gap > 0.0, gap: gap / TOTAL, average: self.average(domain) }
    }

    /// An upper bound on the gap of any prices: `L(u) ≤ Σ u_t·(1 − c_t)` for the fractional
    /// mapping c.
    fn limit(&self, is_open: &[bool]) -> f64 {
        let counts = self.bundle.counts(self.prices.len());
        let open = counts.iter().zip(is_open).filter(|(_, is_open)| **is_open);
        TOTAL * open.map(|(count, _)| 1.0 - count).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Tries the model's proposal; returns the gap of the best prices afterwards.
    fn step(&mut self, oracle: &mut Oracle, gap: f64) -> f64 {
        self.radius = self.radius.clamp(1e-5, 1e5);
        let average = TOTAL / oracle.unplaced().max(1) as f64;
        let radius = self.radius * self.spread * average;
        let direction = (self.spread < 1.0).then_some(&*self.direction);
        let centre = Centre { prices: &self.prices, direction };
        let proposal = self.bundle.solve(&centre, gap, radius, &oracle.is_open);
        let promise = proposal.promised - gap;
        if promise <= 0.0 {
            // The model could not be solved at this radius.
            self.radius *= 0.5;
            self.vain += 1;
            return gap;
        }
        self.vain = 0;
        let mut prices = proposal.prices;
        normalise(&mut prices, oracle.domain);
        let next = evaluate(oracle, &prices, &mut self.bundle);
        let kept = (next - gap) / promise;
        // The radius grows where the model predicts well, and where it promises no gain nearby.
        if proposal.is_solved && (kept > 0.5 || promise < 0.01 * gap.abs()) {
            self.radius *= 1.5;
        }
        if next > gap {
            self.prices = prices;
            self.nulls = 0;
            if self.spread < 1.0 {
                self.direction = centred(&self.prices, oracle.domain).0;
            }
            return next;
        }
        self.nulls += 1;
        if kept < -1.0 && self.nulls > 2 {
            self.radius *= 0.7;
        }
        gap
    }

    /// Adapts prices and packings to the domain. If it fixes the number of tasks of each host,
    /// prices are nearly equal.
    fn enter(&mut self, domain: &Domain, fixes_counts: bool) {
        normalise(&mut self.prices, domain);
        self.spread_out(domain, fixes_counts);
        let m = domain.instance().host_count();
        self.bundle.adapt(m, |h, tasks| {
            let host = HostId(h as u32);
            let is_open = |&&t: &&u32| {
                domain.is_possible(TaskId(t), host) && domain.placed(TaskId(t)).is_none()
            };
            let tasks: Vec<u32> = tasks.iter().filter(is_open).copied().collect();
            let time = |&t: &u32| domain.instance().time(TaskId(t), host).unwrap_or(Ticks(0));
            (tasks.iter().map(time).sum::<Ticks>() <= domain.room(host)).then_some(tasks)
        });
    }

    /// Brings prices closer together if the domain fixes the number of tasks of each host, or back
    /// if it does not.
    fn spread_out(&mut self, domain: &Domain, fixes_counts: bool) {
        let spread = if fixes_counts { NARROW } else { 1.0 };
        let factor = spread / self.spread;
        if factor != 1.0 {
            let average = TOTAL / domain.unplaced().max(1) as f64;
            self.apart = self.prices.iter().map(|price| price - average).collect();
            let scale = |price: &mut f64| *price = (average + (*price - average) * factor).max(0.0);
            self.prices.iter_mut().for_each(scale);
            self.spread = spread;
            normalise(&mut self.prices, domain);
        }
        if spread < 1.0 {
            let (first, length) = centred(&self.apart, domain);
            let (now, left) = centred(&self.prices, domain);
            let length = spread * length;
            self.direction = if left > 0.1 * length { now } else { first };
            let average = TOTAL / domain.unplaced().max(1) as f64;
            let apart = |d: &f64| (average + length * d).max(0.0);
            self.prices = self.direction.iter().map(apart).collect();
        }
    }

    fn average(&self, domain: &Domain) -> Vec<f64> {
        let m = domain.instance().host_count();
        let mut average = vec![0.0; self.prices.len() * m];
        for (h, packings) in self.bundle.hosts.iter().enumerate() {
            for (tasks, share) in packings.shared() {
                tasks.iter().for_each(|&t| average[t as usize * m + h] += share);
            }
        }
        average
    }
}

/// The vector with its entries for open tasks shifted to the sum 0 and scaled to the length 1, and
/// its length before.
fn centred(vector: &[f64], domain: &Domain) -> (Vec<f64>, f64) {
    let is_open = |t: usize| domain.placed(TaskId(t as u32)).is_none();
    let open = || (0..vector.len()).filter(|&t| is_open(t));
    let mean = open().map(|t| vector[t]).sum::<f64>() / domain.unplaced().max(1) as f64;
    let length = open().map(|t| (vector[t] - mean).powi(2)).sum::<f64>().sqrt();
    let part = |t| if is_open(t) && length > 0.0 { (vector[t] - mean) / length } else { 0.0 };
    ((0..vector.len()).map(part).collect(), length)
}

/// A gap at least this large stays positive when prices are rounded to add up to `total`.
fn rounding(domain: &Domain, total: u64) -> f64 {
    ROUNDING * domain.unplaced() as f64 / total as f64 * TOTAL
}

/// The progress of one climb.
struct State {
    step: usize,
    gap: f64,
    limit: f64,
    spread: f64,
}

/// The gap at these prices; the packings that attain it are added to the bundle.
fn evaluate(oracle: &mut Oracle, prices: &[f64], bundle: &mut Bundle) -> f64 {
    let tasks_per_host = oracle.unplaced() / bundle.hosts.len();
    oracle.gap(prices, &mut |host, names| {
        let mut tasks = names.to_vec();
        tasks.sort_unstable();
        bundle.hosts[host.index()].add(tasks, tasks_per_host);
    })
}
