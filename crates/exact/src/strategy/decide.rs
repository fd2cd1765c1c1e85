//! Decides one question: is there a mapping with makespan ≤ k?

use std::time::Instant;

use gridsat_encodings::{Budget, OverBudget};

use super::{Decision, Options, StrategyError};
use crate::sat::{Answer, Answered, SatSolver, SolverChoice};
use gridsat_check::formula::{self, Encoding, IncrementalFormula, Load};
use gridsat_model::{Instance, Mapping, Stop, Ticks};

/// Decides one k in a fresh solver.
pub fn decide_once(
    instance: &Instance,
    k: Ticks,
    encoding: &Encoding,
    choice: &SolverChoice,
    budget: Budget,
    stop: &Stop,
) -> Result<(Decision, Option<Mapping>), StrategyError> {
    decide_with(instance, k, encoding, choice, budget, stop, &|solver| solver.solve(&[], stop))
}

/// The same, but gives up after about this many conflicts.
pub(super) fn decide_briefly(
    instance: &Instance,
    k: Ticks,
    encoding: &Encoding,
    options: &Options,
    conflicts: u64,
    stop: &Stop,
) -> Result<(Decision, Option<Mapping>), StrategyError> {
    let Options { solver, budget, .. } = options;
    decide_with(instance, k, encoding, solver, *budget, stop, &|solver| {
        solver.solve_briefly(conflicts, stop)
    })
}

fn decide_with(
    instance: &Instance,
    k: Ticks,
    encoding: &Encoding,
    choice: &SolverChoice,
    budget: Budget,
    stop: &Stop,
    solve: &dyn Fn(&mut dyn SatSolver) -> Answered,
) -> Result<(Decision, Option<Mapping>), StrategyError> {
    let start = Instant::now();
    let mut solver = choice.build()?;
    let is_due = || stop.is_due();
    let by = format!("{} {encoding}", solver.name());
    let encoded = formula::encode(instance, k, encoding, &mut *solver, &mut budget.until(&is_due));
    let pairs = match encoded {
        Err(OverBudget::Stopped) => {
            let decision = Decision { k, answer: Answer::Unknown, time: start.elapsed(), by };
            return Ok((decision, None));
        }
        encoded => encoded.map_err(too_large(encoding, k))?,
    };
    let answer = solve(&mut *solver)?;
    let mapping = match answer {
        Answer::Sat => {
            let mapping = pairs.read_model(instance, |var| solver.value(var));
            Some(checked(mapping, k)?)
        }
        Answer::Unsat | Answer::Unknown => None,
    };
    Ok((Decision { k, answer, time: start.elapsed(), by }, mapping))
}

/// The mapping, if there is one and its makespan is at most k; else the model was bad.
fn checked(mapping: Option<Mapping>, k: Ticks) -> Result<Mapping, StrategyError> {
    mapping.filter(|mapping| mapping.makespan() <= k).ok_or(StrategyError::BadModel { k })
}

/// Decides many values of k: on one growing formula where the encoding allows it, else on a new
/// formula each time.
pub(super) struct Decider<'a> {
    instance: &'a Instance,
    encoding: &'a Encoding,
    choice: &'a SolverChoice,
    budget: Budget<'a>,
    growing: Option<Growing<'a>>,
}

struct Growing<'a> {
    solver: Box<dyn SatSolver>,
    formula: IncrementalFormula<'a>,
}

impl<'a> Decider<'a> {
    /// Prepares for all k up to `max_k`.
    pub(super) fn new(
        instance: &'a Instance,
        max_k: Ticks,
        encoding: &'a Encoding,
        choice: &'a SolverChoice,
        mut budget: Budget<'a>,
    ) -> Result<Self, StrategyError> {
        let growing = match encoding.load {
            // Every bit of the formula of Rhodes' thesis depends on k, and every node of a window,
            // so they cannot be reused.
            Load::Thesis | Load::Window => None,
            Load::Engineered(load) => {
                let mut solver = choice.build()?;
                let formula = IncrementalFormula::new(
                    instance,
                    max_k,
                    encoding,
                    load,
                    &mut *solver,
                    &mut budget,
                )
                .map_err(too_large(encoding, max_k))?;
                Some(Growing { solver, formula })
            }
        };
        Ok(Self { instance, encoding, choice, budget, growing })
    }

    /// Decides one k.
    pub(super) fn decide(
        &mut self,
        k: Ticks,
        stop: &Stop,
    ) -> Result<(Decision, Option<Mapping>), StrategyError> {
        let Some(Growing { solver, formula }) = &mut self.growing else {
            return decide_once(self.instance, k, self.encoding, self.choice, self.budget, stop);
        };
        let start = Instant::now();
        let guard = formula
            .limit(k, &mut **solver, &mut self.budget)
            .map_err(too_large(self.encoding, k))?;
        let answer = solver.solve(&[guard], stop)?;
        let mapping = match answer {
            Answer::Sat => {
                let mapping = formula.pairs().read_model(self.instance, |var| solver.value(var));
                // Only smaller values of k can follow, so the limit may stay.
                solver.add_clause(&[guard]);
                Some(checked(mapping, k)?)
            }
            Answer::Unsat => {
                solver.add_clause(&[!guard]);
                None
            }
            Answer::Unknown => None,
        };
        let by = format!("{} {}", solver.name(), self.encoding);
        Ok((Decision { k, answer, time: start.elapsed(), by }, mapping))
    }
}

pub(super) fn too_large(encoding: &Encoding, k: Ticks) -> impl Fn(OverBudget) -> StrategyError {
    move |source| StrategyError::OverBudget { encoding: encoding.to_string(), k, source }
}
