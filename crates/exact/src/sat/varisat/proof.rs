//! Refutations from varisat.
//!
//! varisat checks its own proof while it solves and reports every checked step with the clauses
//! that became unit, in order: the hints. It numbers clauses from 0, those of the formula first,
//! including repeated and tautological ones. Loading ends early, though, when two unit clauses of
//! the formula contradict each other; derived clauses then get smaller numbers, which are moved up
//! to begin after the whole formula.

use anyhow::Context;
use gridsat_encodings::{Cnf, Lit};
use varisat::ExtendFormula;
use varisat_checker::{CheckedProofStep, CheckerData, ProofProcessor};

use super::super::{Answer, Answered, InternalFault, ProofSink};
use super::{failed, from_varisat, translate};
use gridsat_model::Stop;

/// See [`SatSolver::refute`](super::SatSolver::refute).
pub(super) fn refute(formula: &Cnf, sink: &mut dyn ProofSink, stop: &Stop) -> Answered {
    let mut steps = Steps::new(formula, sink, stop);
    let answer = run(formula, &mut steps);
    match (answer, steps.error) {
        (_, Some(error)) => Err(error.into()),
        (Ok(true), _) => Ok(Answer::Sat),
        (Ok(false), _) if steps.refuted => Ok(Answer::Unsat),
        (Ok(false), _) => Err(failed(InternalFault::NoEmptyClause)),
        (Err(_), _) if stop.is_due() => Ok(Answer::Unknown),
        (Err(error), _) => Err(failed(error)),
    }
}

fn run(formula: &Cnf, steps: &mut Steps<'_>) -> Result<bool, varisat::solver::SolverError> {
    let mut solver = varisat::Solver::new();
    solver.add_proof_processor(steps);
    let mut lits = Vec::new();
    for clause in formula.clauses() {
        translate(clause, &mut lits);
        solver.add_clause(&lits);
    }
    solver.solve()
}

/// Passes checked steps on to a [`ProofSink`].
struct Steps<'a> {
    sink: &'a mut dyn ProofSink,
    stop: &'a Stop,
    /// Clauses of the formula.
    inputs: u64,
    /// How many clauses of the formula varisat has numbered.
    loaded: u64,
    refuted: bool,
    error: Option<std::io::Error>,
    clause: Vec<Lit>,
    hints: Vec<u64>,
}

impl<'a> Steps<'a> {
    fn new(formula: &Cnf, sink: &'a mut dyn ProofSink, stop: &'a Stop) -> Self {
        Self {
            sink,
            stop,
            inputs: formula.len() as u64,
            loaded: 0,
            refuted: false,
            error: None,
            clause: Vec::new(),
            hints: Vec::new(),
        }
    }

    fn number(&self, id: u64) -> u64 {
        if id < self.loaded { id + 1 } else { id - self.loaded + self.inputs + 1 }
    }

    fn derive(&mut self, id: u64, hints: &[u64]) -> std::io::Result<()> {
        let mut numbers = std::mem::take(&mut self.hints);
        numbers.clear();
        numbers.extend(hints.iter().map(|&hint| self.number(hint)));
        self.refuted = self.clause.is_empty();
        let id = self.number(id);
        let result = self.sink.derive(id, &self.clause, &numbers);
        self.hints = numbers;
        result
    }

    /// Keeps the sink's error, because varisat returns only its text.
    fn note(&mut self, result: std::io::Result<()>) -> Result<(), anyhow::Error> {
        result.map_err(|error| {
            let text = error.to_string();
            self.error = Some(error);
            anyhow::Error::msg(text)
        })
    }
}

impl ProofProcessor for Steps<'_> {
    fn process_step(
        &mut self,
        step: &CheckedProofStep<'_>,
        data: CheckerData<'_, '_>,
    ) -> Result<(), anyhow::Error> {
        anyhow::ensure!(!self.stop.is_due(), "stopped");
        if self.refuted {
            return Ok(());
        }
        match *step {
            CheckedProofStep::AddClause { .. }
            | CheckedProofStep::DuplicatedClause { .. }
            | CheckedProofStep::TautologicalClause { .. } => {
                self.loaded += 1;
                Ok(())
            }
            CheckedProofStep::AtClause { id, clause, propagations, .. } => {
                self.clause.clear();
                for lit in clause {
                    let var = data.user_from_proof_var(lit.var()).context("hidden variable")?;
                    self.clause.push(from_varisat(var.lit(lit.is_positive())));
                }
                let result = self.derive(id, propagations);
                self.note(result)
            }
            CheckedProofStep::DeleteClause { id, .. }
            | CheckedProofStep::DeleteAtClause { id, keep_as_redundant: false, .. } => {
                let result = self.sink.delete(&[self.number(id)]);
                self.note(result)
            }
            _ => Ok(()),
        }
    }
}
