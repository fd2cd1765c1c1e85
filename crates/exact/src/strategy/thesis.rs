//! The search of Rhodes' thesis, section 5.5, as printed.
//!
//! Start at half of MCT's makespan and halve while the answer is yes; then bisect between the
//! largest no and the smallest yes. Only yes and no are used, each from a fresh formula in the
//! thesis' literal encoding, so the number of decisions can be compared with the published
//! ⌈log₂(n·E_max)⌉.

use super::extract::extract;
use super::{Event, Found, Options, Origin, StrategyError, decide_once};
use crate::reason::{OpenFormula, Reason};
use crate::sat::Answer;
use gridsat_check::formula::Encoding;
use gridsat_heuristics::{Heuristic, OnLine};
use gridsat_model::{Instance, Stop, Ticks, gap};

pub(super) fn run(
    instance: &Instance,
    options: &Options,
    stop: &Stop,
    watch: &mut dyn FnMut(&Event<'_>),
) -> Result<Found, StrategyError> {
    let mct = OnLine::Mct.map(instance);
    let (yes, by) = (mct.makespan(), Origin::of(&OnLine::Mct));
    watch(&Event::Mapping { makespan: yes, by });
    let mut found = Found::start(mct, by);
    found.encoding = Some(Encoding::THESIS);
    let mut halving = Halving { instance, options, yes, no: None, found };
    halving.found.note = halving.run(stop, watch).or_else(StrategyError::note)?;
    extract(halving.found, instance, options, stop)
}

struct Halving<'a> {
    instance: &'a Instance,
    options: &'a Options,
    /// The smallest k known to be feasible, in ticks.
    yes: Ticks,
    /// The largest k known to be infeasible, in ticks.
    no: Option<Ticks>,
    found: Found,
}

impl Halving<'_> {
    /// Runs until the bounds meet. Returns no note; an error becomes the note or is passed on.
    fn run(
        &mut self,
        stop: &Stop,
        watch: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Option<String>, StrategyError> {
        while self.lower_bound() < self.yes && gap(self.lower_bound(), self.yes) > self.options.gap
        {
            let k = match self.no {
                None => self.yes / 2,
                Some(no) => no + (self.yes - no) / 2,
            };
            watch(&Event::Deciding { k });
            let Options { solver, budget, .. } = self.options;
            let encoding = Encoding::THESIS;
            let (decision, mapping) =
                decide_once(self.instance, k, &encoding, solver, *budget, stop)?;
            watch(&Event::Decided(&decision));
            let answer = decision.answer;
            self.found.decisions.push(decision);
            match answer {
                Answer::Unknown => break,
                Answer::Unsat => {
                    self.no = Some(k);
                    self.found.lower_bound = Reason::Unsat(OpenFormula { k, encoding }).into();
                    let by = self.found.lower_bound.title();
                    watch(&Event::Bound { value: k + Ticks(1), by });
                }
                Answer::Sat => {
                    self.yes = k;
                    self.found.mapping = mapping.expect("a yes comes with a checked model");
                    self.found.mapping_by = Origin::Sat;
                    watch(&Event::Mapping { makespan: k, by: Origin::Sat });
                }
            }
        }
        Ok(None)
    }

    fn lower_bound(&self) -> Ticks {
        self.no.map_or(Ticks(0), |no| no + Ticks(1))
    }
}
