//! The price bound by plain steps over all pairs.
//!
//! With prices scaled to the value of the linear bound, `L(u, k) = Σ u − Σ_h KP_h(u, k)` falls by
//! about one when k grows by one. So a round of steps at one k tells the next: about k + L. Prices
//! found at a k above the bound certify far less than L says, those found just below it nearly all:
//! k is approached from below.

use super::core::positive;
use super::market::{Market, Stall};
use crate::bounds;
use crate::knapsack::Packer;
use crate::reason::LowerBound;
use gridsat_model::{Instance, Stop, TaskId, Ticks};

/// Steps a round.
const ROUND: usize = 200;
/// Steps a turn, a part of a round.
const TURN: usize = 40;
/// The length of the first step, what becomes of it within a round, and from round to round.
const FIRST: f64 = 0.3;
const WITHIN: f64 = 0.1;
const SHRINK: f64 = 0.4;
/// Rounds with shorter steps are not worth their time.
const LAST: f64 = 2e-4;

/// The next k after a round with L > 0, and with L ≤ 0, as a part of L …
const BEYOND: f64 = 1.3;
const BELOW: f64 = 1.02;
/// … and further down by this part of the linear bound.
const MARGIN: f64 = 5e-5;

/// The bound is computed to this part of itself.
const PRECISION: f64 = 2e-6;
/// What prices add up to as integers, before they are made smaller for certificates.
const TOTAL: f64 = (1_u64 << 36) as f64;
/// States looked at in a knapsack; beyond it an upper bound serves.
const EFFORT: usize = 100_000;

/// See the module.
pub(crate) struct PriceBound<'a> {
    instance: &'a Instance,
    market: Market,
    packer: Packer,
    /// The linear bound.
    linear: f64,
    k: f64,
    step: f64,
    /// Steps of this round done.
    done: usize,
    /// The best prices of this round, and their gap as a part of all prices.
    best: Vec<f64>,
    most: f64,
}

impl<'a> PriceBound<'a> {
    /// From the weights of the linear bound and its value. Pairs that end after `upper` are left
    /// out of the steps, not of the proof.
    pub fn new(instance: &'a Instance, weights: &[u64], bounds: (Ticks, Ticks)) -> Self {
        let (lower, upper) = bounds;
        let mut stalls: Vec<Stall> = instance.hosts().map(|h| Stall::new(h.index(), 0)).collect();
        let mut price = |task: TaskId| {
            let mut least = f64::INFINITY;
            for (host, time) in instance.times(task) {
                if instance.ready(host) + time <= upper {
                    stalls[host.index()].offer(task.index(), time.0);
                    least = least.min(weights[host.index()] as f64 * time.as_f64());
                }
            }
            if least.is_finite() { least } else { 0.0 }
        };
        let prices = positive(instance.tasks().map(&mut price).collect());
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

    /// Whether more steps may bring something.
    pub fn is_open(&self) -> bool {
        self.step >= LAST
    }

    /// About what a turn takes, in items of knapsacks.
    pub fn work(instance: &Instance) -> u64 {
        (TURN * instance.task_count() * instance.host_count()) as u64
    }

    /// A part of a round; at its end a bound above `lower` if the prices prove one, at most
    /// `upper`.
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

    fn climb(&mut self) {
        let before = self.market.prices.clone();
        let length = self.step * WITHIN.powf(self.done as f64 / ROUND as f64);
        let gap = self.market.step(length, 0.0, &mut self.packer);
        if gap > self.most {
            (self.most, self.best) = (gap, before);
        }
        self.done += 1;
    }

    /// What the best prices prove; the next k.
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

    /// The room of each host at k.
    fn make_room(&mut self) {
        let k = Ticks::truncated(self.k.max(0.0));
        for (host, stall) in self.instance.hosts().zip(&mut self.market.stalls) {
            stall.room = self.instance.capacity(host, k).map_or(0, |room| room.0);
        }
    }
}
