//! Errors of solvers.

use std::io;

use gridsat_encodings::Lit;
use thiserror::Error;

pub use super::external::Unusable;

/// Why a solver gave no answer.
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
    #[error("cannot run solver '{command}': {fault}")]
    Command { command: String, fault: CommandFault },
    #[error("solver '{command}' gave no usable answer: {fault}")]
    BadAnswer { command: String, fault: AnswerFault },
    #[error("{solver} failed: {fault}")]
    Internal { solver: String, fault: InternalFault },
    #[error("cannot write the proof: {0}")]
    Proof(#[from] io::Error),
}

/// Why a command line cannot be run.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum CommandFault {
    #[error("the command is empty")]
    Empty,
    #[error("it ends in a backslash")]
    Backslash,
    #[error("a quote is not closed")]
    Quote,
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Why the answer of a program is not accepted.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum AnswerFault {
    #[error("{answer} ({ending})")]
    Unusable { answer: Unusable, ending: String },
    #[error("{error} ({ending})")]
    Unreadable { error: io::Error, ending: String },
    #[error("its model violates clause {number}, {clause:?}")]
    BreaksClause { number: usize, clause: Vec<Lit> },
    #[error("its model violates the assumption {0:?}")]
    BreaksAssumption(Lit),
}

/// How an embedded solver violated its contract.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum InternalFault {
    #[error("{count} variables exceed its limit of {limit}")]
    TooManyVariables { count: usize, limit: usize },
    #[error("its proof ends before the empty clause")]
    NoEmptyClause,
    #[error("its proof needs more than unit propagation")]
    BeyondPropagation,
    #[error("it derives a clause with literal 0")]
    LiteralZero,
    #[error("it refers to an unknown clause")]
    UnknownHint,
    #[error("it deletes an unknown clause")]
    UnknownDeletion,
    #[error("its thread panicked")]
    Panicked,
    #[error(transparent)]
    Varisat(#[from] varisat::solver::SolverError),
}
