//! SAT solvers behind one small trait.
//!
//! A [`SatSolver`] takes variables and clauses like any other sink, decides them under assumptions,
//! and can be stopped from outside. With a proof it works on a whole formula at once
//! ([`SatSolver::prove`]): no solver here can log a proof and solve incrementally.
//!
//! The back ends are private; [`SolverChoice::build`] creates them.

#[cfg(feature = "cadical")]
mod cadical;
mod choice;
mod error;
mod external;
mod lrat;
mod varisat;

use std::time::Duration;

use gridsat_encodings::{ClauseSink, Cnf, Lit, Var};
use gridsat_model::Stop;

pub use choice::SolverChoice;
pub use error::{AnswerFault, CommandFault, InternalFault, SolverError, Unusable};
pub use external::split_command;
pub use lrat::{LratStatistics, LratWriter};

/// The answer of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model; read it with [`SatSolver::value`].
    Sat,
    /// There is no model under the assumptions; [`SatSolver::core`] returns those that suffice.
    Unsat,
    /// Stopped before an answer. The solver can be used again.
    Unknown,
}

/// An answer, or why there is none.
pub type Answered = Result<Answer, SolverError>;

/// Work done so far, for reports; zero where a solver does not report it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Number of conflicts.
    pub conflicts: u64,
}

/// The model or the core of a solver's last answer.
#[derive(Clone, Debug, Default)]
pub struct Witness {
    /// The value of each variable if there is a model; variables beyond the end are false.
    model: Vec<bool>,
    /// Assumptions that suffice for unsatisfiability, if there is no model.
    core: Vec<Lit>,
}

impl Witness {
    fn clear(&mut self) {
        self.model.clear();
        self.core.clear();
    }
}

/// Receives a refutation clause by clause, in the terms of LRAT: the formula's clauses are
/// numbered from 1 in order, derived clauses have larger, increasing numbers, and the last derived
/// clause is empty.
pub trait ProofSink {
    /// `clause` follows by unit propagation over the clauses `hints`, in that order.
    fn derive(&mut self, id: u64, clause: &[Lit], hints: &[u64]) -> std::io::Result<()>;

    /// These clauses do not occur as hints any more.
    fn delete(&mut self, ids: &[u64]) -> std::io::Result<()>;
}

/// An incremental SAT solver.
pub trait SatSolver: ClauseSink {
    /// The solver's name and version, for reports.
    fn name(&self) -> String;

    /// Decides the clauses added so far under the assumptions, which hold for this call only.
    fn solve(&mut self, assumptions: &[Lit], stop: &Stop) -> Answered;

    /// Decides the clauses added so far, but gives up after about this many conflicts. A solver
    /// that cannot count conflicts gets one millisecond for each.
    fn solve_briefly(&mut self, conflicts: u64, stop: &Stop) -> Answered {
        self.solve(&[], &stop.within(Duration::from_millis(conflicts)))
    }

    /// The model or the core of the last answer.
    fn witness(&self) -> &Witness;

    /// The variable's value in the model of the last answer, if that was [`Answer::Sat`].
    fn value(&self, var: Var) -> bool {
        self.witness().model.get(var.index()).copied().unwrap_or(false)
    }

    /// Assumptions that suffice for the last answer, if that was [`Answer::Unsat`].
    fn core(&self) -> &[Lit] {
        &self.witness().core
    }

    /// Work done since the solver was created.
    fn statistics(&self) -> Statistics {
        Statistics::default()
    }

    /// Decides a whole formula in a fresh solver of the same kind and writes the refutation. If
    /// the formula contains the empty clause, that needs no solver.
    fn prove(&self, formula: &Cnf, proof: &mut dyn ProofSink, stop: &Stop) -> Answered {
        match formula.clauses().position(<[Lit]>::is_empty) {
            Some(index) => {
                proof.derive(formula.len() as u64 + 1, &[], &[index as u64 + 1])?;
                Ok(Answer::Unsat)
            }
            None => self.refute(formula, proof, stop),
        }
    }

    /// [`SatSolver::prove`] for a formula without the empty clause.
    fn refute(&self, formula: &Cnf, proof: &mut dyn ProofSink, stop: &Stop) -> Answered;
}
