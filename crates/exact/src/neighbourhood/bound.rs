//! The price bound by plain subgradient steps over all pairs.
//!
//! `KP_h(u, k)` is the value of the best knapsack of host h at prices u within makespan k. With
//! prices that sum to the value of the linear bound, `L(u, k) = Σ u − Σ_h KP_h(u, k)` falls by
//! about one when k grows by one. So the best L of a round of steps at one k predicts the bound:
//! about k + L. Prices found at a k above the bound prove far less than k + L, those found just
//! below it nearly all of it. Therefore the next k is chosen below the predicted bound where L ≤
//! 0.

use super::core::positive;
use super::has_many_tasks;
use super::market::{Market, Stall};
use crate::bounds;
use crate::knapsack::Packer;
use crate::reason::LowerBound;
use gridsat_model::{HostId, Instance, Stop, TaskId, Ticks};

/// Price steps per round. All steps of a round use the same k.
const ROUND: usize = 200;
/// Price steps per turn. A round is divided into turns so that other workers get time in between.
const TURN: usize = 40;
/// The length of the first step of the first round, as in [`Market::step`].
const FIRST: f64 = 0.3;
/// Within a round the step length falls geometrically to this fraction of its first value.
const WITHIN: f64 = 0.1;
/// Factor of the first step length from one round to the next.
const SHRINK: f64 = 0.4;
/// No round starts with a shorter step: it would gain too little for its time.
const LAST: f64 = 2e-4;

/// After a round with L > 0, k grows by L times this factor. The factor is above 1 because better
/// prices than those found would give a larger L.
const BEYOND: f64 = 1.3;
/// After a round with L ≤ 0, k changes by L times this factor, that is downwards …
const BELOW: f64 = 1.02;
/// … and falls further by this fraction of the linear bound, to end just below the price bound.
const MARGIN: f64 = 5e-5;

/// With many tasks per host, the price steps leave out pairs of large regret, the cost above that
/// of the task's cheapest pair: those above this many times the mean cost of cheapest pairs …
const REGRET: f64 = 1.0;
/// … and all but this many per host, beside the cheapest pairs. Many of those that stay are pairs
/// of short tasks, with which packings fill their last gaps.
const EXTRA: usize = 1500;

/// The bound that prices prove is computed with an error of at most this fraction of the linear
/// bound.
const PRECISION: f64 = 2e-6;
/// The total to which prices are scaled before they become integers. Certificates round them
/// further, to smaller totals.
const TOTAL: f64 = (1_u64 << 36) as f64;
/// States visited per knapsack, at most. If they do not suffice, an upper bound on the value of
/// the knapsack is used, which makes L smaller but keeps it valid.
const EFFORT: usize = 100_000;

/// The prices of all tasks, with the makespan and the step length of the present round.
pub(crate) struct PriceBound<'a> {
    instance: &'a Instance,
    market: Market,
    packer: Packer,
    /// The value of the linear bound, in ticks.
    linear: f64,
    /// The makespan of the present round, in ticks.
    k: f64,
    /// The length of the first step of the present round.
    step: f64,
    /// Steps done in this round.
    done: usize,
    /// The best prices of this round; before its first step, those of the round before.
    best: Vec<f64>,
    /// L divided by the sum of the prices, at the best prices of this round.
    most: f64,
}

impl<'a> PriceBound<'a> {
    /// Starts with the prices that the host weights of the linear bound give. `bounds` are the
    /// value of that bound and the makespan of a mapping. Pairs that end after this makespan are
    /// left out of the price steps, but not of the proof. With many tasks per host so are pairs
    /// that cost much more by the weights than another of the task.
    pub fn new(instance: &'a Instance, weights: &[u64], bounds: (Ticks, Ticks)) -> Self {
        let (lower, upper) = bounds;
        let (stalls, prices) = offers(instance, weights, upper);
        let prices = positive(prices);
        let best = prices.clone();
        let market = Market::new(stalls, prices, EFFORT);
        let linear = lower.as_f64();
        Self {
            instance,
            market,
            packer: Packer::default(),
            linear,
            k: linear,
            step: FIRST,
            done: 0,
            best,
            most: f64::NEG_INFINITY,
        }
    }

    /// Whether another round may still raise the bound.
    pub fn is_open(&self) -> bool {
        self.step >= LAST
    }

    /// About the work of one turn, in items of knapsacks.
    pub fn work(instance: &Instance) -> u64 {
        let pairs = instance.task_count() * instance.host_count();
        let is_limited = has_many_tasks(instance);
        (TURN * if is_limited { pairs.min(most_pairs(instance)) } else { pairs }) as u64
    }

    /// Takes the steps of one turn. At the end of a round, returns the bound that the best prices
    /// prove, if it is above `lower`; it is at most `upper`. `None` if stopped.
    pub fn turn(&mut self, lower: Ticks, upper: Ticks, stop: &Stop) -> Option<LowerBound> {
        if self.done == 0 {
            self.make_room();
            self.market.prices.clone_from(&self.best);
            self.most = f64::NEG_INFINITY;
        }
        for _ in 0..TURN {
            if stop.is_due() {
                return None;
            }
            self.climb();
        }
        if self.done < ROUND {
            return None;
        }
        self.end_round(lower, upper, stop)
    }

    /// One price step; keeps the prices before it if they are the best of this round.
    fn climb(&mut self) {
        let before = self.market.prices.clone();
        let length = self.step * WITHIN.powf(self.done as f64 / ROUND as f64);
        let gap = self.market.step(length, 0.0, &mut self.packer);
        if gap > self.most {
            (self.most, self.best) = (gap, before);
        }
        self.done += 1;
    }

    /// Returns the bound that the best prices prove, and prepares k and the step of the next round.
    fn end_round(&mut self, lower: Ticks, upper: Ticks, stop: &Stop) -> Option<LowerBound> {
        let gap = self.most * self.linear;
        let high = Ticks::truncated(self.k + 2.0 * gap.abs() + 2.0).min(upper);
        self.done = 0;
        self.step *= SHRINK;
        self.k += if gap > 0.0 { BEYOND * gap } else { BELOW * gap - MARGIN * self.linear };
        let sum: f64 = self.best.iter().sum();
        let whole: Vec<u64> = self.best.iter().map(|price| (price * TOTAL / sum) as u64).collect();
        let precision = Ticks::truncated(self.linear * PRECISION);
        bounds::bound_below(self.instance, &whole, lower, high.max(lower), precision, stop)
    }

    /// Sets the room of each host to its time until k; none if the host is ready later.
    fn make_room(&mut self) {
        let k = Ticks::truncated(self.k.max(0.0));
        for (host, stall) in self.instance.hosts().zip(&mut self.market.stalls) {
            stall.room = self.instance.capacity(host, k).map_or(0, |room| room.0);
        }
    }
}

/// The hosts with the pairs of the price steps, and the cost of each task's cheapest pair. Pairs
/// that end after `upper` are left out.
fn offers(instance: &Instance, weights: &[u64], upper: Ticks) -> (Vec<Stall>, Vec<f64>) {
    let cost = |host: HostId, time: Ticks| weights[host.index()] as f64 * time.as_f64();
    let pairs = |task: TaskId| {
        let times = instance.times(task).filter(|&(h, time)| instance.ready(h) + time <= upper);
        times.map(|(host, time)| (host, time, cost(host, time)))
    };
    let least = |task: TaskId| pairs(task).map(|(.., cost)| cost).reduce(f64::min).unwrap_or(0.0);
    let least: Vec<f64> = instance.tasks().map(least).collect();
    let regrets = |task: TaskId| {
        let least = least[task.index()];
        pairs(task).map(move |(host, time, cost)| (host, time, cost - least))
    };
    let mut most = f64::INFINITY;
    if has_many_tasks(instance) {
        let mean = least.iter().sum::<f64>() / instance.task_count() as f64;
        let regrets = instance.tasks().flat_map(regrets).map(|(.., regret)| regret);
        most = most_regret(instance, regrets.collect()).min(REGRET * mean);
    }
    let mut stalls: Vec<Stall> = instance.hosts().map(|h| Stall::new(h.index(), 0)).collect();
    for task in instance.tasks() {
        for (host, time, _) in regrets(task).filter(|&(.., regret)| regret <= most) {
            stalls[host.index()].offer(task.index(), time.0);
        }
    }
    (stalls, least)
}

/// The most pairs in the price steps with many tasks per host.
fn most_pairs(instance: &Instance) -> usize {
    instance.task_count() + EXTRA * instance.host_count()
}

/// The largest regret of a pair in the price steps, where all pairs would take too long.
fn most_regret(instance: &Instance, mut regrets: Vec<f64>) -> f64 {
    let kept = most_pairs(instance);
    if kept >= regrets.len() {
        return f64::INFINITY;
    }
    *regrets.select_nth_unstable_by(kept, f64::total_cmp).1
}
