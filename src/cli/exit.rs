//! Exit codes, on which scripts rely.

use std::fmt;
use std::io;

use gridsat_exact::sat::SolverError;
use gridsat_exact::strategy::StrategyError;
use gridsat_model::text::in_plain_words;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// The question was answered: optimal, within the gap, accepted, written.
    Answered,
    /// An internal error; for `verify`: rejected.
    Internal,
    /// Invalid input or usage.
    BadInput,
    /// Stopped at a limit; the best mapping is printed.
    Stopped,
    /// `decide`: there is such a mapping.
    Satisfiable,
    /// `decide`: there is no such mapping.
    Unsatisfiable,
}

impl Exit {
    /// The more important of two exit codes: an error before invalid input, invalid input before a
    /// stop.
    pub fn worse(self, other: Self) -> Self {
        let rank = |exit| match exit {
            Self::Answered | Self::Satisfiable | Self::Unsatisfiable => 0,
            Self::Stopped => 1,
            Self::BadInput => 2,
            Self::Internal => 3,
        };
        if rank(other) > rank(self) { other } else { self }
    }

    /// The number that scripts see.
    pub fn code(self) -> u8 {
        match self {
            Self::Answered => 0,
            Self::Internal => 1,
            Self::BadInput => 2,
            Self::Stopped => 3,
            Self::Satisfiable => 10,
            Self::Unsatisfiable => 20,
        }
    }
}

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The user can correct the cause.
    BadInput(anyhow::Error),
    /// The user cannot correct the cause.
    Internal(anyhow::Error),
}

impl Failure {
    /// A failure that the user can correct.
    pub fn input(error: impl Into<anyhow::Error>) -> Self {
        Self::BadInput(error.into())
    }

    /// A failure that the user cannot correct.
    pub fn internal(error: impl Into<anyhow::Error>) -> Self {
        Self::Internal(error.into())
    }

    /// A solver that cannot be run or a formula that is too large is for the user to correct.
    pub fn of_search(error: StrategyError) -> Self {
        let command = matches!(
            error,
            StrategyError::OverBudget { .. }
                | StrategyError::Solver(
                    SolverError::Command { .. } | SolverError::NotCompiledIn { .. }
                )
        );
        if command { Self::input(error) } else { Self::internal(error) }
    }

    /// The exit code of this failure.
    pub fn exit(&self) -> Exit {
        match self {
            Self::BadInput(_) => Exit::BadInput,
            Self::Internal(_) => Exit::Internal,
        }
    }

    /// Whether the reader closed the pipe, as in `gridsat … | head`.
    pub fn is_broken_pipe(&self) -> bool {
        let (Self::BadInput(error) | Self::Internal(error)) = self;
        let io = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>());
        io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for Failure {
    /// Prints one line, whatever the causes contain.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::BadInput(error) | Self::Internal(error)) = self;
        let mut text = String::new();
        for cause in error.chain().map(|cause| in_plain_words(&cause.to_string())) {
            // Many errors already contain the message of their cause.
            if !text.contains(&cause) {
                let colon = if text.is_empty() { "" } else { ": " };
                text = format!("{text}{colon}{cause}");
            }
        }
        f.write_str(&text.replace(['\n', '\r'], " "))
    }
}
