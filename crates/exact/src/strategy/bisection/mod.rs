//! Improves bounds from both sides until they meet.
//!
//! Strategy `auto`: prices and dives halve the interval, then all methods race (`race`). Strategy
//! `sat`: SAT decisions only (`questions`).

mod equal_hosts;
mod questions;

use std::time::Duration;

use super::extract::extract;
use super::race::{self, News};
use super::{Decision, EncodingChoice, Event, Found, Options, Origin, Strategy, StrategyError};
use crate::alike::Alike;
use crate::bounds::{self, Ascent, Domain, Volume};
use crate::cases::dive;
use crate::knapsack;
use crate::large;
use crate::neighbourhood;
use crate::reason::{LowerBound, Reason};
use crate::sat::Answer;
use crate::walk::{self, Times, Walk};
use gridsat_heuristics::{Heuristic, Heuristics, OnLine, improve, improve_to, map_by_weights};
use gridsat_model::{Instance, Mapping, Stop, Ticks, gap};

/// Bounds closer than makespan / PRECISION are not worth another ascent.
const PRECISION: Ticks = Ticks(1_000_000);

/// Why the search ends although time is left.
const TOO_LARGE: &str = "the instance is too large for prices and proofs by cases";

/// Why a search ends that has not proven the optimum.
const ROUNDED: &str = "the bounds differ by the rounding of times only";

/// From this many pairs on prices take long, and a first dive finds a good mapping before them.
const LARGE: usize = 5000;

/// From this many tasks on a single dive can take a minute.
const MANY: usize = 500;

/// With this many tasks on many hosts a walk is done sooner than a dive.
const SLOW_DIVES: usize = 300;

/// Steps of the ascent per k before the first dive at the lower bound, and after it. Prices that
/// refute k are mostly found soon; that there are none takes long to see.
const STEPS: (usize, usize) = (20, 400);

/// With at most this many values of k left, the lower bound is likely to be the optimum, and this
/// many dives look for it there.
const FEW: Ticks = Ticks(8);
const DIVES: u64 = 3;

/// States visited in a walk before the first dive, and how far above the lower bound each walk
/// aims, as a part of the interval: after one in vain, the next.
const WALK: u64 = 1_000_000;
const WALKS: [(u64, u64); 5] = [(1, 0), (4, 1), (2, 1), (4, 3), (1, 1)];

/// Steps of local search that are evaluated on large instances if the work is limited.
const STEPS_BRIEFLY: u64 = 2_000_000;

/// Work on large instances, as of [`knapsack::work()`], if the work is limited: without a mapping
/// to start from, and with one, which an earlier search has made mostly.
const WORK: (u64, u64) = (60_000_000, 6_000_000);

pub(super) fn run(
    instance: &Instance,
    options: &Options,
    stop: &Stop,
    watch: &mut dyn FnMut(&Event<'_>),
) -> Result<Found, StrategyError> {
    let given = options.start.as_ref().filter(|_| options.strategy == Strategy::Auto);
    let alike = Alike::of(instance).filter(|_| options.strategy == Strategy::Auto);
    let (mapping, by) = match (given, &alike) {
        (Some(mapping), _) => (mapping.clone(), Origin::Given),
        (None, Some(alike)) => (alike.start(instance), Origin::Packing),
        (None, None) if has_many_pairs(instance) => {
            (OnLine::Mct.map(instance), Origin::of(&OnLine::Mct))
        }
        (None, None) => start(instance, stop),
    };
    watch(&Event::Mapping { makespan: mapping.makespan(), by });
    let found = Found::start(mapping, by);
    let given = stop;
    let work = if options.start.is_some() { WORK.1 } else { WORK.0 };
    let brief = stop.within_work(knapsack::work, work);
    let stop = if options.rounds.is_some() && is_large(instance) { &brief } else { stop };
    let rounding = alike.as_ref().map_or(Ticks::ZERO, Alike::rounding);
    let mut bisection = Bisection { instance, options, stop, watch, found, rounding };
    bisection.raise(match &alike {
        Some(alike) => alike.bound(instance, bisection.upper(), stop),
        None => bounds::counting(instance, stop),
    });
    if options.strategy == Strategy::Auto {
        if alike.is_none_or(|alike| bisection.pack(&alike)) {
            bisection.close_gap();
        }
        bisection.keep_encoding_asked_for();
        bisection.note_rounding();
    } else {
        bisection.ask()?;
    }
    extract(bisection.found, instance, options, given)
}

/// The best mapping of the heuristics, improved by local search, and its origin.
fn start(instance: &Instance, stop: &Stop) -> (Mapping, Origin) {
    let starts = Heuristics::starts();
    let mapped = starts.iter().filter_map(|h| Some((h.map_unless(instance, stop)?, h)));
    let mapped = mapped.chain([(OnLine::Mct.map(instance), &OnLine::Mct as _)]);
    let (best, heuristic) =
        mapped.min_by_key(|(mapping, _)| mapping.makespan()).expect("MCT is not stopped");
    let before = best.makespan();
    let polished = improve(instance, best, stop);
    let is_improved = polished.makespan() < before;
    let (name, title) = (heuristic.name(), heuristic.title());
    let by = Origin::Heuristic { name, title, is_improved };
    (polished, by)
}

/// Whether heuristics that look at all pairs again and again take longer than better means.
fn has_many_pairs(instance: &Instance) -> bool {
    large::is_large(instance) || neighbourhood::suits(instance)
}

fn is_large(instance: &Instance) -> bool {
    instance.task_count() * instance.host_count() >= LARGE
}

struct Bisection<'a> {
    instance: &'a Instance,
    options: &'a Options,
    stop: &'a Stop,
    watch: &'a mut dyn FnMut(&Event<'_>),
    /// The best result so far.
    found: Found,
    /// Bounds that differ by no more than this differ by the rounding of times only.
    rounding: Ticks,
}

impl Bisection<'_> {
    fn lower(&self) -> Ticks {
        self.found.lower_bound.value()
    }

    fn upper(&self) -> Ticks {
        self.found.mapping.makespan()
    }

    fn is_done(&self) -> bool {
        let upper = self.upper();
        upper.saturating_sub(self.lower()) <= self.rounding
            || gap(self.lower(), upper) <= self.options.gap
    }

    fn raise(&mut self, bound: LowerBound) {
        if bound.value() > self.lower() {
            self.found.static_bound = bound.clone();
            self.found.lower_bound = bound;
            self.show_bound();
        }
    }

    fn show_bound(&mut self) {
        let bound = &self.found.lower_bound;
        (self.watch)(&Event::Bound { value: bound.value(), by: bound.title() });
    }

    /// Takes the mapping if it is better than the best so far.
    fn offer(&mut self, mapping: Mapping, by: Origin) {
        let makespan = mapping.makespan();
        if makespan < self.upper() {
            self.found.mapping = mapping;
            self.found.mapping_by = by;
            (self.watch)(&Event::Mapping { makespan, by });
        }
    }

    fn note_rounding(&mut self) {
        let left = self.upper().saturating_sub(self.lower());
        if Ticks::ZERO < left && left <= self.rounding {
            self.found.note = Some(ROUNDED.to_owned());
        }
    }

    /// Decisions by cases need no encoding, but a proof for VeriPB may.
    fn keep_encoding_asked_for(&mut self) {
        let choice = &self.options.encoding;
        if *choice != EncodingChoice::default() {
            let largest = self.upper().saturating_sub(Ticks(1));
            self.found.encoding = Some(choice.resolve_afresh(self.instance, largest, self.stop));
        }
    }

    fn offer_by_weights(&mut self, weights: &[u64]) {
        self.offer(map_by_weights(self.instance, weights, self.stop), Origin::Weights);
    }

    /// Strategy `auto`: prices, dives, local search and proofs by cases.
    fn close_gap(&mut self) {
        let weights = match has_many_pairs(self.instance) {
            true if self.is_limited() => self.relax_briefly(),
            true => self.relax_large(),
            false => self.relax(),
        };
        let Some(weights) = weights else { return };
        if large::is_huge(self.instance) {
            let is_open = !self.is_done() && !self.stop.is_due();
            self.found.note = is_open.then(|| TOO_LARGE.to_owned());
            return;
        }
        if self.is_done() || self.is_too_large() || self.stop.is_due() {
            return;
        }
        let ascent = match neighbourhood::suits(self.instance) {
            true => Ascent::new(self.instance, &weights, self.upper()),
            false => self.ascend(&weights),
        };
        if !self.is_done() {
            self.race(ascent, &weights);
        }
    }

    /// Raises the bound by host weights and improves the mapping. `None` if the search was done
    /// before weights were needed.
    fn relax(&mut self) -> Option<Vec<u64>> {
        if self.is_done() {
            return None;
        }
        self.raise(bounds::by_speeds(self.instance, self.stop));
        if self.options.start.is_some() && !self.is_done() {
            self.leave_start();
        }
        if self.is_done() {
            return None;
        }
        let linear = bounds::linear_roughly(self.instance, self.stop);
        self.raise(linear.bound);
        if !self.is_done() {
            self.offer_by_weights(&linear.weights);
        }
        Some(linear.weights)
    }

    /// The same for large instances, without methods whose time grows with the pairs of tasks.
    fn relax_large(&mut self) -> Option<Vec<u64>> {
        if self.is_done() {
            return None;
        }
        let weighed = large::weigh(self.instance, self.upper(), self.stop);
        self.raise(weighed.bound);
        if !self.is_done() {
            let level = large::level(self.instance, &weighed.weights, self.stop);
            self.offer(level, Origin::Weights);
        }
        Some(weighed.weights)
    }

    /// The same if the work is limited: levelling loads can take minutes where hosts are nearly
    /// equal.
    fn relax_briefly(&mut self) -> Option<Vec<u64>> {
        if self.is_done() {
            return None;
        }
        let weighed = large::weigh(self.instance, self.upper(), self.stop);
        self.raise(weighed.bound);
        self.offer(large::spread(self.instance), Origin::LocalSearch);
        if !self.is_done() {
            let (mapping, goal) = (self.found.mapping.clone(), self.within_gap());
            let improved = improve_to(self.instance, mapping, goal, STEPS_BRIEFLY, self.stop);
            self.offer(improved, Origin::LocalSearch);
        }
        Some(weighed.weights)
    }

    /// The largest makespan within the requested gap, but for rounding.
    fn within_gap(&self) -> Ticks {
        Ticks::truncated(self.lower().as_f64() / (1.0 - self.options.gap))
    }

    /// Whether the work is limited to a number of rounds.
    fn is_limited(&self) -> bool {
        self.options.rounds.is_some()
    }

    /// Prices that walks, dives and bisection have improved.
    fn ascend(&mut self, weights: &[u64]) -> Ascent {
        let mut ascent = self.first_ascent(weights);
        if is_large(self.instance) && self.instance.task_count() >= SLOW_DIVES {
            self.walk(weights);
        }
        self.bisect(&mut ascent);
        ascent
    }

    /// Short walks towards the lower bound, or towards values above it if that is too far, unless
    /// already one tick is too much: they are much sooner done than the first dive.
    fn walk(&mut self, weights: &[u64]) {
        let weights: Vec<f64> = weights.iter().map(|&weight| weight as f64).collect();
        let times = Times::new(self.instance);
        if self.is_done() || !self.walk_to(self.upper() - Ticks(1), &times, &weights) {
            return;
        }
        let mut failed = None;
        let mut parts = WALKS.into_iter().peekable();
        while let Some(&part) = parts.peek() {
            if self.is_done() || self.stop.is_due() {
                break;
            }
            let highest = self.upper() - Ticks(1);
            let k = self.lower() + Ticks((highest - self.lower()).0 / part.0 * part.1);
            if failed != Some(k) && self.walk_to(k, &times, &weights) {
                continue;
            }
            failed = Some(k);
            parts.next();
        }
    }

    /// Whether a short walk reaches k.
    fn walk_to(&mut self, k: Ticks, times: &Times, weights: &[f64]) -> bool {
        let (instance, mapping) = ((self.instance, times), &self.found.mapping);
        let walk = Walk::new(instance, k, mapping, weights, self.options.seed, self.stop);
        let found = walk.and_then(|mut walk| walk.go(times, WALK, self.stop));
        let is_found = found.is_some();
        found.into_iter().for_each(|mapping| self.offer(mapping, Origin::Repacking));
        is_found
    }

    /// Prices to start from: those of the relaxation with task counts where the lower bound fixes
    /// the counts, else those of the host weights.
    fn first_ascent(&mut self, weights: &[u64]) -> Ascent {
        let prices = walk::prices(self.instance, self.lower(), weights, self.stop);
        let Some(prices) = prices else {
            return Ascent::new(self.instance, weights, self.upper());
        };
        let ascent = Ascent::from_prices(prices);
        self.bound_below(&ascent, self.upper());
        ascent
    }

    /// Raises the lower bound to what the prices prove below `high`.
    fn bound_below(&mut self, ascent: &Ascent, high: Ticks) {
        let (instance, stop) = (self.instance, self.stop);
        let (low, precision) = (self.lower(), Ticks(high / PRECISION));
        let prices = ascent.prices();
        let bound = bounds::bound_below(instance, &prices, low, high, precision, stop);
        bound.into_iter().for_each(|bound| self.raise(bound));
    }

    /// Whether the work is limited to a number of rounds and a single dive would take too long.
    fn is_too_large(&self) -> bool {
        self.is_limited() && self.instance.task_count() >= MANY
    }

    /// Called when the given mapping is not good enough: improves it and, if that does not suffice,
    /// tries the heuristics.
    fn leave_start(&mut self) {
        let improved = improve(self.instance, self.found.mapping.clone(), self.stop);
        self.offer(improved, Origin::LocalSearch);
        if !self.is_done() && !self.is_too_large() {
            let (mapping, by) = start(self.instance, self.stop);
            self.offer(mapping, by);
        }
    }

    /// Prices first, then dives.
    fn bisect(&mut self, ascent: &mut Ascent) {
        if is_large(self.instance) {
            let upper = self.upper();
            self.dive(self.lower() + (upper - self.lower()) / 2, 0);
        }
        if self.upper() - self.lower() <= 4 * FEW {
            self.bisect_by_prices(ascent, STEPS.0);
            for seed in 0..DIVES {
                if !self.is_done() && self.upper() - self.lower() <= FEW {
                    self.dive(self.lower(), seed);
                }
            }
        }
        self.bisect_by_prices(ascent, STEPS.1);
        self.bisect_by_dives();
    }

    /// Dives at the lower bound, which mostly is the optimum, and where that fails in the middle of
    /// what is left.
    fn bisect_by_dives(&mut self) {
        let mut k = self.lower();
        let mut low = k;
        while !self.is_done() && !self.stop.is_due() {
            self.dive(k, 0);
            if self.upper() > k {
                low = k + Ticks(1);
            }
            let upper = self.upper();
            if upper <= low || upper - low <= Ticks(upper / PRECISION) {
                break;
            }
            k = low + (upper - Ticks(1) - low) / 2;
        }
    }

    /// Halves the interval as long as prices refute its middle; where they do not, continues with
    /// the lower half.
    fn bisect_by_prices(&mut self, ascent: &mut Ascent, steps: usize) {
        let mut high = self.upper();
        while !self.is_done() && high > self.lower() && !self.stop.is_due() {
            // Stop within the precision, or where a mapping would already satisfy the requested
            // gap.
            if high - self.lower() <= Ticks(high / PRECISION)
                || gap(self.lower(), high) <= self.options.gap
            {
                break;
            }
            let k = self.lower() + (high - self.lower()) / 2;
            let (instance, upper) = (self.instance, self.upper());
            match bounds::refute_by_prices(instance, ascent, k..upper, steps, self.stop) {
                Some(bound) => self.raise(bound),
                None => {
                    high = k;
                    self.bound_below(ascent, high);
                }
            }
            high = high.min(self.upper());
        }
    }

    fn dive(&mut self, k: Ticks, seed: u64) {
        let Ok(domain) = Domain::new(self.instance, k) else { return };
        if let Some(mapping) = dive(domain, Volume::new(self.instance), seed, self.stop) {
            let polished = improve(self.instance, mapping, self.stop);
            self.offer(polished, Origin::Dive);
        }
    }

    fn race(&mut self, ascent: Ascent, weights: &[u64]) {
        let Options { seed, threads, ref solver, rounds, .. } = *self.options;
        let rounds = rounds.unwrap_or(usize::MAX);
        let start =
            race::Start { instance: self.instance, ascent, weights, solver, seed, threads, rounds };
        let bounds = (self.lower(), self.found.mapping.clone());
        race::race(&start, bounds, self.stop, |news| {
            match news {
                News::Mapping(mapping, by) => self.offer(mapping, by),
                News::Bound(bound) => self.raise(bound),
                News::Refuted(reason, time) => self.refuted(reason, time),
            }
            (!self.is_done()).then(|| (self.lower(), self.found.mapping.clone()))
        });
    }

    fn refuted(&mut self, reason: Reason, time: Duration) {
        let (k, by) = (reason.k(), reason.rule().to_owned());
        self.found.decisions.push(Decision { k, answer: Answer::Unsat, time, by });
        if k >= self.lower() {
            let needs_sat = reason.needs_sat();
            self.found.lower_bound = reason.into();
            if !needs_sat {
                self.found.static_bound = self.found.lower_bound.clone();
            }
            self.show_bound();
        }
    }
}
