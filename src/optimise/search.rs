//! Bounds from both sides, then SAT decisions in between on one incremental formula.

use super::extract::extract;
use super::{
    Decider, Decision, Event, Found, OptimiseError, Options, Order, Reason, Strategy, relative_gap,
};
use crate::bounds::{self, LowerBound};
use crate::formula::Encoding;
use crate::heuristics;
use crate::model::{Instance, Mapping, Ticks};
use crate::sat::{Answer, Stop};

/// Up to about so many tasks SAT decisions tend to be answered.
const DECIDABLE_TASKS: usize = 32;

pub(super) fn search(
    instance: &Instance,
    options: &Options,
    stop: &Stop,
    watch: &mut dyn FnMut(&Event<'_>),
) -> Result<Found, OptimiseError> {
    let (mapping, by) = start(instance, stop);
    watch(&Event::Mapping { makespan: mapping.makespan(), by: &by });
    let mut search = Search {
        instance,
        options,
        mapping,
        mapping_by: by,
        lower_bound: 0,
        reason: Reason::Nothing,
        decisions: Vec::new(),
    };
    search.raise(bounds::counting(instance), "counting", watch);
    let mut encoding = None;
    let mut linear_bound = (search.lower_bound, search.reason.clone());
    if !search.is_done() {
        let linear = bounds::linear(instance, &|| stop.is_due());
        search.offer(
            heuristics::map_by_weights(instance, &linear.weights, &|| stop.is_due()),
            "LP weights",
            watch,
        );
        if options.strategy == Strategy::Auto {
            search.raise(linear.bound, "LP", watch);
        }
        linear_bound = (search.lower_bound, search.reason.clone());
        if options.strategy == Strategy::Auto && !search.is_done() {
            let (lower, upper) = (search.lower_bound, search.mapping.makespan());
            let is_due = || stop.is_due();
            if let Some(bound) = bounds::prices(instance, &linear.weights, lower, upper, &is_due) {
                search.raise(bound, "prices", watch);
            }
        }
        let max_k = search.mapping.makespan().saturating_sub(1);
        encoding = Some(options.encoding.resolve(instance, max_k, &linear.weights));
    }
    if options.strategy == Strategy::Auto {
        search.repack(stop, watch);
    }
    let static_bound = (search.lower_bound, search.reason.clone());
    let encoding = encoding.unwrap_or_else(|| options.encoding.resolve(instance, 0, &[]));
    let note = search.decide_all(&encoding, stop, watch)?;
    search.finish(&encoding, (static_bound, linear_bound), note, stop)
}

/// The best mapping of all heuristics, polished, and where it came from.
fn start(instance: &Instance, stop: &Stop) -> (Mapping, String) {
    let mapped = heuristics::all().iter().map(|h| (h.map(instance), h.title()));
    let (best, title) =
        mapped.min_by_key(|(mapping, _)| mapping.makespan()).expect("there are heuristics");
    let before = best.makespan();
    let polished = heuristics::improve(instance, best, &|| stop.is_due());
    let by = match polished.makespan() < before {
        true => format!("{title} + local search"),
        false => title.to_owned(),
    };
    (polished, by)
}

struct Search<'a> {
    instance: &'a Instance,
    options: &'a Options,
    mapping: Mapping,
    mapping_by: String,
    lower_bound: Ticks,
    reason: Reason,
    decisions: Vec<Decision>,
}

impl Search<'_> {
    fn is_done(&self) -> bool {
        let upper = self.mapping.makespan();
        self.lower_bound >= upper || relative_gap(self.lower_bound, upper) <= self.options.gap
    }

    fn raise(&mut self, bound: LowerBound, by: &str, watch: &mut dyn FnMut(&Event<'_>)) {
        if bound.value > self.lower_bound {
            self.lower_bound = bound.value;
            self.reason = Reason::Bound(bound.reason);
            watch(&Event::Bound { value: bound.value, by });
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

    /// Re-packs hosts towards half of what is missing, and when that fails towards a tick less; when
    /// both fail, again from another seed, the longer the less SAT decisions can be hoped for.
    fn repack(&mut self, stop: &Stop, watch: &mut dyn FnMut(&Event<'_>)) {
        let mut rounds = if self.instance.task_count() <= DECIDABLE_TASKS { 1 } else { 12 };
        let mut seed = self.options.seed;
        while rounds > 0 && !self.is_done() && !stop.is_due() {
            let (lower, upper) = (self.lower_bound, self.mapping.makespan());
            let mut targets = vec![lower + (upper - 1 - lower) / 2, upper - 1];
            targets.dedup();
            let try_target = |k| {
                seed = seed.wrapping_add(1);
                heuristics::repack(self.instance, &self.mapping, k, seed, &|| stop.is_due())
            };
            match targets.into_iter().find_map(try_target) {
                Some(mapping) => self.offer(mapping, "re-packing", watch),
                None => rounds -= 1,
            }
        }
    }

    /// Runs to the end; a formula too large ends it with a note.
    fn decide_all(
        &mut self,
        encoding: &Encoding,
        stop: &Stop,
        watch: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Option<String>, OptimiseError> {
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
    ) -> Result<(), OptimiseError> {
        let Options { solver, budget, .. } = self.options;
        let max_k = self.mapping.makespan() - 1;
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
                    self.lower_bound = k + 1;
                    self.reason = Reason::Unsat(encoding.clone());
                    watch(&Event::Bound { value: k + 1, by: "SAT" });
                }
                (_, Some(mapping)) => {
                    let polished = heuristics::improve(self.instance, mapping, &|| stop.is_due());
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
            Order::Descend => upper - 1,
            Order::Bisect => self.lower_bound + (upper - 1 - self.lower_bound) / 2,
        }
    }

    fn finish(
        self,
        encoding: &Encoding,
        (static_bound, linear_bound): ((Ticks, Reason), (Ticks, Reason)),
        note: Option<String>,
        stop: &Stop,
    ) -> Result<Found, OptimiseError> {
        let found = Found {
            mapping: self.mapping,
            mapping_by: self.mapping_by,
            lower_bound: self.lower_bound,
            reason: self.reason,
            encoding: encoding.clone(),
            static_bound,
            linear_bound,
            decisions: self.decisions,
            oracle_calls: 0,
            note,
        };
        extract(found, self.instance, encoding, self.options, stop)
    }
}
