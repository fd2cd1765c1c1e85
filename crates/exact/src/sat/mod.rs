//! SAT solvers behind one small trait.
//!
//! A [`SatSolver`] takes variables and clauses like any other sink, decides them under assumptions,
//! and can be stopped from outside. With a proof it works on a whole formula at once
//! ([`SatSolver::prove`]): no solver here can log a proof and solve incrementally.
//!
//! The back ends are private; [`SolverChoice`] makes them.

#[cfg(feature = "cadical")]
mod cadical;
mod choice;
mod external;
mod lrat;
mod varisat;

use std::time::Duration;

use gridsat_encodings::{ClauseSink, Cnf, Lit, Var};
use gridsat_model::Stop;
use thiserror::Error;

pub use choice::SolverChoice;
pub use lrat::{LratStatistics, LratWriter};

/// What a solver found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model; ask [`SatSolver::value`].
    Sat,
    /// There is none under the assumptions; ask [`SatSolver::core`].
    Unsat,
    /// Stopped before an answer. The solver can be used again.
    Unknown,
}

/// A solver could not do its work.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum SolverError {
    #[error("{solver} cannot write proofs")]
    NoProofs { solver: String },
    #[error(
        "solver '{solver}' is neither compiled in (rebuild with --features {solver}) \
         nor a program on the PATH"
    )]
    NotCompiledIn { solver: &'static str },
    #[error("cannot run solver '{command}': {reason}")]
    Command { command: String, reason: String },
    #[error("solver '{command}' gave no usable answer: {reason}")]
    BadAnswer { command: String, reason: String },
    #[error("{solver} failed: {reason}")]
    Internal { solver: String, reason: String },
    #[error("cannot write the proof: {0}")]
    Proof(#[from] std::io::Error),
}

/// Work done, for reports; zero where a solver does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Conflicts met.
    pub conflicts: u64,
}

/// Receives a refutation clause by clause, in the terms of LRAT: the formula's clauses are
/// numbered from 1 in order, derived clauses have larger, increasing numbers, and the last derived
/// clause is empty.
pub trait ProofSink {
    /// `clause` follows by unit propagation over the clauses `hints`, in that order.
    fn derive(&mut self, id: u64, clause: &[Lit], hints: &[u64]) -> std::io::Result<()>;

    /// These clauses are not hinted at any more.
    fn delete(&mut self, ids: &[u64]) -> std::io::Result<()>;
}

/// An incremental SAT solver.
pub trait SatSolver: ClauseSink {
    /// Its name and version, for reports.
    fn name(&self) -> String;

    /// Decides the clauses so far under the assumptions, which hold for this call only.
    fn solve(&mut self, assumptions: &[Lit], stop: &Stop) -> Result<Answer, SolverError>;

    /// Decides the clauses so far, but gives up after about this many conflicts. A solver that
    /// cannot count them is given a millisecond each.
    fn solve_briefly(&mut self, conflicts: u64, stop: &Stop) -> Result<Answer, SolverError> {
        self.solve(&[], &stop.within(Duration::from_millis(conflicts)))
    }

    /// The variable's value in the model of the last answer, if that was [`Answer::Sat`].
    fn value(&self, var: Var) -> bool;

    /// Assumptions that suffice for the last answer, if that was [`Answer::Unsat`].
    fn core(&self) -> &[Lit];

    /// Work done so far.
    fn statistics(&self) -> Statistics {
        Statistics::default()
    }

    /// Decides a whole formula in a fresh solver of the same kind and writes the refutation.
    fn prove(
        &self,
        formula: &Cnf,
        proof: &mut dyn ProofSink,
        stop: &Stop,
    ) -> Result<Answer, SolverError>;
}

/// The proof of a formula that contains the empty clause needs no solver. Says whether it does.
fn refute_by_empty_clause(formula: &Cnf, proof: &mut dyn ProofSink) -> std::io::Result<bool> {
    let Some(index) = formula.clauses().position(<[Lit]>::is_empty) else {
        return Ok(false);
    };
    proof.derive(formula.len() as u64 + 1, &[], &[index as u64 + 1])?;
    Ok(true)
}
