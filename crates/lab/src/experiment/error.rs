//! Why there is no experiment, or no result. Always one line.

use std::path::Path;

use thiserror::Error;

use gridsat_scenario::ScenarioError;

/// What went wrong, with the file and the place.
#[derive(Debug, Error)]
pub enum ExperimentError {
    /// The experiment, or the scenario it is about.
    #[error(transparent)]
    File(#[from] ScenarioError),
    /// A value of the file makes no sense.
    #[error("{0}")]
    Bad(String),
    /// The experiment cannot be made, or a point of its sweep; said without a file, as it may have none.
    #[error("{0}")]
    Impossible(String),
    /// A result that cannot be used.
    #[error("{0}")]
    Result(String),
    /// What is done is kept, but no more can be.
    #[error("{path}: {error}; what is done is kept, the same command goes on from there")]
    Write {
        /// The file.
        path: String,
        /// As the system says.
        error: std::io::Error,
    },
}

impl ExperimentError {
    pub(super) fn result(path: &Path, what: impl std::fmt::Display) -> Self {
        Self::Result(format!("{}: {what}", path.display()))
    }

    pub(super) fn write(path: &Path, error: std::io::Error) -> Self {
        Self::Write { path: path.display().to_string(), error }
    }
}
