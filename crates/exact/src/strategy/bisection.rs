//! Bounds from both sides until they meet.
//!
//! Strategy `auto`: prices and dives halve the interval, then everything races (`race`). Strategy
//! `sat`: SAT decisions on one incremental formula.

use std::time::Duration;

use super::extract::extract;
use super::race::{self, News};
use super::{Decider, Decision, Event, Found, Options, Order, Strategy, StrategyError};
use crate::bounds::{self, Ascent, Domain, Volume};
use crate::cases::dive;
use crate::reason::{LowerBound, OpenFormula, Reason};
use crate::sat::Answer;
use gridsat_check::formula::Encoding;
use gridsat_heuristics::{Heuristics, improve, map_by_weights};
use gridsat_model::{Instance, Mapping, Stop, Ticks, gap};

/// Bounds closer together than this part of the makespan are not worth another ascent.
const PRECISION: Ticks = Ticks(1_000_000);

/// With this many pairs prices take long, and a good mapping is sooner found without waiting for
/// them.
const LARGE: usize = 5000;

/// With this many tasks a single dive can take a minute.
const MANY: usize = 500;

pub(super) fn run(
    instance: &Instance,
    options: &Options,
    stop: &Stop,
    watch: &mut dyn FnMut(&Event<'_>),
) -> Result<Found, StrategyError> {
    let given = options.start.as_ref().filter(|_| options.strategy == Strategy::Auto);
    let (mapping, by) = match given {
        Some(mapping) => (mapping.clone(), "given".to_owned()),
        None => start(instance, stop),
    };
    watch(&Event::Mapping { makespan: mapping.makespan(), by: &by });
    let mut bisection = Bisection {
        instance,
        options,
        mapping,
        mapping_by: by,
        lower_bound: LowerBound::default(),
        static_bound: LowerBound::default(),
        decisions: Vec::new(),
    };
    bisection.raise(bounds::counting(instance), "counting", watch);
    if options.strategy == Strategy::Auto {
        let encoding = bisection.close_gap(stop, watch);
        return bisection.finish(&encoding, None, stop);
    }
    let encoding = bisection.find_encoding(stop, watch);
    let note = bisection.decide_all(&encoding, stop, watch)?;
    bisection.finish(&encoding, note, stop)
}

/// The best mapping of the heuristics to start from, polished, and where it came from.
fn start(instance: &Instance, stop: &Stop) -> (Mapping, String) {
    let starts = Heuristics::starts();
    let mapped = starts.iter().map(|h| (h.map(instance), h.title()));
    let (best, title) =
        mapped.min_by_key(|(mapping, _)| mapping.makespan()).expect("there are heuristics");
    let before = best.makespan();
    let polished = improve(instance, best, stop);
    let by = match polished.makespan() < before {
        true => format!("{title} + local search"),
        false => title.to_owned(),
    };
    (polished, by)
}

struct Bisection<'a> {
    instance: &'a Instance,
    options: &'a Options,
    mapping: Mapping,
    mapping_by: String,
    lower_bound: LowerBound,
    /// The best lower bound that needs no solver.
    static_bound: LowerBound,
    decisions: Vec<Decision>,
}

impl Bisection<'_> {
    fn lower(&self) -> Ticks {
        self.lower_bound.value()
    }

    fn is_done(&self) -> bool {
        let upper = self.mapping.makespan();
        self.lower() >= upper || gap(self.lower(), upper) <= self.options.gap
    }

    fn raise(&mut self, bound: LowerBound, by: &str, watch: &mut dyn FnMut(&Event<'_>)) {
        if bound.value() > self.lower() {
            watch(&Event::Bound { value: bound.value(), by });
            self.static_bound = bound.clone();
            self.lower_bound = bound;
        }
    }

    /// Takes a mapping if it is better.
    fn offer(&mut self, mapping: Mapping, by: &str, watch: &mut dyn FnMut(&Event<'_>)) {
        if mapping.makespan() < self.mapping.makespan() {
            self.mapping = mapping;
            self.mapping_by = by.to_owned();
            watch(&Event::Mapping { makespan: self.mapping.makespan(), by });
        }
    }

    /// What SAT decisions will be made with.
    fn find_encoding(&mut self, stop: &Stop, watch: &mut dyn FnMut(&Event<'_>)) -> Encoding {
        let choice = &self.options.encoding;
        if self.is_done() {
            return choice.resolve(self.instance, Ticks(0), &[]);
        }
        let weights = bounds::linear(self.instance, stop).weights;
        self.offer(self.by_weights(&weights, stop), "LP weights", watch);
        choice.resolve(self.instance, self.mapping.makespan().saturating_sub(Ticks(1)), &weights)
    }

    fn by_weights(&self, weights: &[u64], stop: &Stop) -> Mapping {
        map_by_weights(self.instance, weights, stop)
    }

    /// Everything: prices, dives, local search and proofs by cases.
    fn close_gap(&mut self, stop: &Stop, watch: &mut dyn FnMut(&Event<'_>)) -> Encoding {
        let choice = &self.options.encoding;
        let Some(weights) = self.relax(stop, watch) else {
            return choice.resolve(self.instance, Ticks(0), &[]);
        };
        let upper = self.mapping.makespan();
        let encoding = choice.resolve(self.instance, upper.saturating_sub(Ticks(1)), &weights);
        if self.is_done() || self.is_too_large() {
            return encoding;
        }
        let mut ascent = Ascent::new(self.instance, &weights, upper);
        self.bisect(&mut ascent, stop, watch);
        if !self.is_done() {
            self.race(ascent, stop, watch);
        }
        encoding
    }

    /// What host weights prove and what local search finds; `None` if the speeds of hosts were
    /// enough.
    fn relax(&mut self, stop: &Stop, watch: &mut dyn FnMut(&Event<'_>)) -> Option<Vec<u64>> {
        if self.is_done() {
            return None;
        }
        self.raise(bounds::by_speeds(self.instance), "host speeds", watch);
        if self.options.start.is_some() && !self.is_done() {
            self.leave_start(stop, watch);
        }
        if self.is_done() {
            return None;
        }
        let linear = bounds::linear_roughly(self.instance, stop);
        self.raise(linear.bound, "LP", watch);
        if !self.is_done() {
            self.offer(self.by_weights(&linear.weights, stop), "LP weights", watch);
        }
        Some(linear.weights)
    }

    /// For the little work that is allowed.
    fn is_too_large(&self) -> bool {
        self.options.rounds.is_some() && self.instance.task_count() >= MANY
    }

    /// The mapping given is not good enough: it is improved and, if that does not do, others are
    /// looked at.
    fn leave_start(&mut self, stop: &Stop, watch: &mut dyn FnMut(&Event<'_>)) {
        let improved = improve(self.instance, self.mapping.clone(), stop);
        self.offer(improved, "local search", watch);
        if !self.is_done() && !self.is_too_large() {
            let (mapping, by) = start(self.instance, stop);
            self.offer(mapping, &by, watch);
        }
    }

    /// Halves the interval of the bounds as long as prices refute its middle or a dive finds a
    /// mapping there; where neither, the lower half.
    fn bisect(&mut self, ascent: &mut Ascent, stop: &Stop, watch: &mut dyn FnMut(&Event<'_>)) {
        if self.instance.task_count() * self.instance.host_count() >= LARGE {
            let upper = self.mapping.makespan();
            self.dive(self.lower() + (upper - self.lower()) / 2, stop, watch);
        }
        let mut high = self.mapping.makespan();
        while !self.is_done() && high > self.lower() && !stop.is_due() {
            // A mapping nearer than the gap is not asked for.
            if high - self.lower() <= Ticks(high / PRECISION)
                || gap(self.lower(), high) <= self.options.gap
            {
                break;
            }
            let k = self.lower() + (high - self.lower()) / 2;
            let limit = self.mapping.makespan();
            match bounds::refute_by_prices(self.instance, ascent, k, limit, stop) {
                Some(bound) => self.raise(bound, "prices", watch),
                None => {
                    high = k;
                    let (low, prices) = (self.lower(), ascent.prices());
                    let precision = high / PRECISION;
                    let below =
                        bounds::bound_below(self.instance, &prices, low, high, Ticks(precision));
                    below.into_iter().for_each(|bound| self.raise(bound, "prices", watch));
                    self.dive(k, stop, watch);
                }
            }
            high = high.min(self.mapping.makespan());
        }
    }

    fn dive(&mut self, k: Ticks, stop: &Stop, watch: &mut dyn FnMut(&Event<'_>)) {
        let Ok(domain) = Domain::new(self.instance, k) else { return };
        if let Some(mapping) = dive(domain, Volume::new(self.instance), 0, stop) {
            let polished = improve(self.instance, mapping, stop);
            self.offer(polished, "dive", watch);
        }
    }

    fn race(&mut self, ascent: Ascent, stop: &Stop, watch: &mut dyn FnMut(&Event<'_>)) {
        let Options { seed, threads, ref solver, rounds, .. } = *self.options;
        let rounds = rounds.unwrap_or(usize::MAX);
        let start = race::Start { instance: self.instance, ascent, solver, seed, threads, rounds };
        let bounds = (self.lower(), self.mapping.clone());
        race::race(&start, bounds, stop, |news| {
            match news {
                News::Mapping(mapping, by) => self.offer(mapping, by, watch),
                News::Refuted(reason, time) => self.refuted(reason, time, watch),
            }
            (!self.is_done()).then(|| (self.lower(), self.mapping.clone()))
        });
    }

    fn refuted(&mut self, reason: Reason, time: Duration, watch: &mut dyn FnMut(&Event<'_>)) {
        let (k, by) = (reason.k(), "cases");
        self.decisions.push(Decision { k, answer: Answer::Unsat, time, by: by.to_owned() });
        if k >= self.lower() {
            let needs_sat = reason.needs_sat();
            self.lower_bound = reason.into();
            if !needs_sat {
                self.static_bound = self.lower_bound.clone();
            }
            watch(&Event::Bound { value: self.lower(), by });
        }
    }

    /// Runs to the end; a formula too large ends it with a note.
    fn decide_all(
        &mut self,
        encoding: &Encoding,
        stop: &Stop,
        watch: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Option<String>, StrategyError> {
        if self.is_done() {
            return Ok(None);
        }
        match self.decide_until_done(encoding, stop, watch) {
            Ok(()) => Ok(None),
            Err(error) => error.note(),
        }
    }

    fn decide_until_done(
        &mut self,
        encoding: &Encoding,
        stop: &Stop,
        watch: &mut dyn FnMut(&Event<'_>),
    ) -> Result<(), StrategyError> {
        let Options { solver, budget, .. } = self.options;
        let max_k = self.mapping.makespan() - Ticks(1);
        let is_due = || stop.is_due();
        let budget = budget.until(&is_due);
        let mut decider = Decider::new(self.instance, max_k, encoding, solver, budget)?;
        while !self.is_done() && !stop.is_due() {
            let k = self.next_k();
            watch(&Event::Deciding { k });
            let (decision, mapping) = decider.decide(k, stop)?;
            watch(&Event::Decided(&decision));
            let answer = decision.answer;
            self.decisions.push(decision);
            match (answer, mapping) {
                (Answer::Unsat, _) => {
                    let encoding = encoding.clone();
                    self.lower_bound = Reason::Unsat(OpenFormula { k, encoding }).into();
                    watch(&Event::Bound { value: k + Ticks(1), by: "SAT" });
                }
                (_, Some(mapping)) => {
                    let polished = improve(self.instance, mapping, stop);
                    self.offer(polished, "SAT", watch);
                }
                (_, None) => break,
            }
        }
        Ok(())
    }

    fn next_k(&self) -> Ticks {
        let upper = self.mapping.makespan();
        match self.options.order {
            Order::Descend => upper - Ticks(1),
            Order::Bisect => self.lower() + (upper - Ticks(1) - self.lower()) / 2,
        }
    }

    fn finish(
        self,
        encoding: &Encoding,
        note: Option<String>,
        stop: &Stop,
    ) -> Result<Found, StrategyError> {
        let found = Found {
            mapping: self.mapping,
            mapping_by: self.mapping_by,
            lower_bound: self.lower_bound,
            encoding: encoding.clone(),
            static_bound: self.static_bound,
            decisions: self.decisions,
            oracle_calls: 0,
            note,
        };
        extract(found, self.instance, encoding, self.options, stop)
    }
}
