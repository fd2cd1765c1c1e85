//! Strategy `sat`: yes/no questions to a SAT solver until the bounds meet.
//!
//! With windows ([`Load::Window`](gridsat_check::formula::Load)) questions just above the lower
//! bound are easy, and those well above it, where prices say little, can be hard. A question that
//! is not answered soon is therefore put off, and the search continues below it; when all are put
//! off, each gets more time. Other encodings use one formula for all k and keep what was learnt.

use super::super::decide::decide_briefly;
use super::super::prices::PriceSearch;
use super::super::{Decider, Decision, Event, Options, Order, Origin, StrategyError};
use super::Bisection;
use crate::bounds;
use crate::reason::{OpenFormula, Reason};
use crate::sat::Answer;
use gridsat_check::formula::Encoding;
use gridsat_heuristics::improve;
use gridsat_model::{Mapping, Ticks};

/// Conflicts after which a question is put off at first, and the factor by which the limit grows.
const CONFLICTS: u64 = 2000;
const GROWTH: u64 = 4;

impl Bisection<'_> {
    /// Decides values of k until done; a formula that is too large ends this with a note.
    pub(super) fn ask(&mut self) -> Result<(), StrategyError> {
        let weights = match self.is_done() {
            true => Vec::new(),
            false => bounds::linear(self.instance, self.stop).weights,
        };
        if !self.is_done() {
            self.offer_by_weights(&weights);
        }
        let largest = self.upper().saturating_sub(Ticks(1));
        let encoding = self.options.encoding.resolve(self.instance, largest, &weights);
        self.found.encoding = Some(encoding.clone());
        if self.is_done() {
            return Ok(());
        }
        let asked = match self.options.encoding.allows_windows() {
            true => self.ask_by_windows(&weights),
            false => self.ask_incrementally(&encoding),
        };
        self.found.note = asked.map(|()| None).or_else(StrategyError::note)?;
        Ok(())
    }

    fn ask_incrementally(&mut self, encoding: &Encoding) -> Result<(), StrategyError> {
        let Options { solver, budget, .. } = self.options;
        let is_due = || self.stop.is_due();
        let budget = budget.until(&is_due);
        let max_k = self.upper() - Ticks(1);
        let mut decider = Decider::new(self.instance, max_k, encoding, solver, budget)?;
        while !self.is_done() && !self.stop.is_due() {
            let k = self.next_k(self.upper());
            (self.watch)(&Event::Deciding { k });
            let decided = decider.decide(k, self.stop)?;
            if self.take(decided, encoding) == Answer::Unknown {
                break;
            }
        }
        Ok(())
    }

    fn ask_by_windows(&mut self, weights: &[u64]) -> Result<(), StrategyError> {
        let mut prices = PriceSearch::new(self.instance, weights, self.upper());
        let mut conflicts = CONFLICTS;
        // Questions from here on are put off.
        let mut high = self.upper();
        while !self.is_done() && !self.stop.is_due() {
            high = high.min(self.upper());
            if high <= self.lower() {
                high = self.upper();
                conflicts = conflicts.saturating_mul(GROWTH);
            }
            let k = self.next_k(high);
            if self.ask_one(k, &mut prices, weights, conflicts)? == Answer::Unknown {
                high = if self.options.order == Order::Bisect { k } else { self.lower() };
            }
        }
        Ok(())
    }

    /// Asks for one k: by windows that leave the decision to the solver, then, if that takes too
    /// long, by prices that refute k, if there are any.
    fn ask_one(
        &mut self,
        k: Ticks,
        prices: &mut PriceSearch,
        weights: &[u64],
        conflicts: u64,
    ) -> Result<Answer, StrategyError> {
        (self.watch)(&Event::Deciding { k });
        let (instance, choice) = (self.instance, &self.options.encoding);
        let prices = prices.at(k, self.stop);
        let mut encodings = choice.by_prices(instance, k, &prices);
        if encodings.is_empty() {
            encodings.push(choice.resolve(instance, k, weights));
        }
        for encoding in encodings {
            let decided =
                decide_briefly(instance, k, &encoding, self.options, conflicts, self.stop)?;
            let answer = self.take(decided, &encoding);
            if answer != Answer::Unknown || self.stop.is_due() {
                return Ok(answer);
            }
        }
        Ok(Answer::Unknown)
    }

    /// Records a decision and what follows from it.
    fn take(
        &mut self,
        (decision, mapping): (Decision, Option<Mapping>),
        encoding: &Encoding,
    ) -> Answer {
        (self.watch)(&Event::Decided(&decision));
        let (k, answer) = (decision.k, decision.answer);
        self.found.decisions.push(decision);
        self.found.encoding = Some(encoding.clone());
        if answer == Answer::Unsat {
            let encoding = encoding.clone();
            self.found.lower_bound = Reason::Unsat(OpenFormula { k, encoding }).into();
            self.show_bound();
        }
        if let Some(mapping) = mapping {
            let polished = improve(self.instance, mapping, self.stop);
            self.offer(polished, Origin::Sat);
        }
        answer
    }

    /// The next k to ask for below `high`.
    fn next_k(&self, high: Ticks) -> Ticks {
        match self.options.order {
            Order::Descend => self.upper() - Ticks(1),
            Order::Bisect => self.lower() + (high - Ticks(1) - self.lower()) / 2,
        }
    }
}
