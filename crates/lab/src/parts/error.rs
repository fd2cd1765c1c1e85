//! Errors of plans and their parts. Always one line.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::engine::EngineError;
use crate::campaign::CampaignError;
use crate::experiment::ExperimentError;

/// Why a plan cannot be made, worked on or merged.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum PartsError {
    #[error("{}: {error}; what is finished is kept, rerun the same command", .path.display())]
    Write { path: PathBuf, error: io::Error },
    #[error("{}: cannot read: {error}", .path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("{}: not a plan of gridsat: {what}", .path.display())]
    NoPlan { path: PathBuf, what: String },
    #[error("{}: there is no plan; make one with gridsat plan", .path.display())]
    Nothing { path: PathBuf },
    #[error("{}: has another plan; name another folder, or remove this one", .path.display())]
    OtherPlan { path: PathBuf },
    #[error(
        "{}: planned by gridsat {found}, this is {this}; run the same program everywhere, or \
        plan again in another folder", .path.display()
    )]
    OtherProgram { path: PathBuf, found: String, this: String },
    #[error("{}: has changed since the plan was made; restore it, or plan again in another \
        folder", .path.display())]
    ChangedInput { path: PathBuf },
    #[error("{}: another gridsat is at work on it", .path.display())]
    Locked { path: PathBuf },
    #[error("part {part}: the plan has parts 0 to {}", .of.saturating_sub(1))]
    NoPart { part: usize, of: usize },
    #[error("{what}")]
    Proof { what: String },
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    #[error(transparent)]
    Campaign(#[from] CampaignError),
    #[error(transparent)]
    Engine(EngineError),
}

impl From<EngineError> for PartsError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Part(error) => *error,
            error => Self::Engine(error),
        }
    }
}

impl PartsError {
    pub(super) fn read(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::Read { path: path.to_owned(), error }
    }

    pub(super) fn write(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::Write { path: path.to_owned(), error }
    }
}
