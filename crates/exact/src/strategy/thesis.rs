//! Chapter 5, section 5.5, as printed.
//!
//! Start at half of MCT's makespan and halve while the answer is yes; then bisect between the
//! largest no and the smallest yes. Only yes and no are used, each from a fresh literal formula, so
//! the number of decisions can be compared with the published ⌈log₂(n·E_max)⌉.

use super::extract::extract;
use super::{Decision, Event, Found, Options, StrategyError, decide_once};
use crate::reason::{LowerBound, OpenFormula, Reason};
use crate::sat::Answer;
use gridsat_check::formula::Encoding;
use gridsat_heuristics::{Heuristic, OnLine};
use gridsat_model::Stop;
use gridsat_model::{Instance, Mapping, Ticks, gap};

pub(super) fn run(
    instance: &Instance,
    options: &Options,
    stop: &Stop,
    watch: &mut dyn FnMut(&Event<'_>),
) -> Result<Found, StrategyError> {
    let mct = OnLine::Mct.map(instance);
    watch(&Event::Mapping { makespan: mct.makespan(), by: "MCT" });
    let mut halving = Halving {
        instance,
        options,
        yes: mct.makespan(),
        no: None,
        mapping: mct,
        mapping_by: "MCT".to_owned(),
        decisions: Vec::new(),
    };
    let note = halving.run(stop, watch)?;
    halving.finish(note, stop)
}

struct Halving<'a> {
    instance: &'a Instance,
    options: &'a Options,
    /// The smallest k known to be feasible.
    yes: Ticks,
    /// The largest k known to be infeasible.
    no: Option<Ticks>,
    mapping: Mapping,
    mapping_by: String,
    decisions: Vec<Decision>,
}

impl Halving<'_> {
    /// Runs to the end; a formula too large ends it with a note.
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
            let decided = decide_once(self.instance, k, &Encoding::THESIS, solver, *budget, stop);
            let (decision, mapping) = match decided {
                Ok(decided) => decided,
                Err(error) => return error.note(),
            };
            watch(&Event::Decided(&decision));
            let answer = decision.answer;
            self.decisions.push(decision);
            match answer {
                Answer::Unknown => break,
                Answer::Unsat => {
                    self.no = Some(k);
                    watch(&Event::Bound { value: k + Ticks(1), by: "SAT" });
                }
                Answer::Sat => {
                    self.yes = k;
                    self.mapping = mapping.expect("a yes comes with a checked model");
                    self.mapping_by = "SAT".to_owned();
                    watch(&Event::Mapping { makespan: k, by: "SAT" });
                }
            }
        }
        Ok(None)
    }

    fn lower_bound(&self) -> Ticks {
        self.no.map_or(Ticks(0), |no| no + Ticks(1))
    }

    fn finish(self, note: Option<String>, stop: &Stop) -> Result<Found, StrategyError> {
        let encoding = Encoding::THESIS;
        let reason = self.no.map(|k| Reason::Unsat(OpenFormula { k, encoding }));
        let found = Found {
            mapping: self.mapping,
            mapping_by: self.mapping_by,
            lower_bound: reason.map(LowerBound::from).unwrap_or_default(),
            encoding: Encoding::THESIS,
            static_bound: LowerBound::default(),
            decisions: self.decisions,
            oracle_calls: 0,
            note,
        };
        extract(found, self.instance, &Encoding::THESIS, self.options, stop)
    }
}
