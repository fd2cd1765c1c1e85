//! Errors of campaigns. Always one line.

use std::io;
use std::path::{Path, PathBuf};

use gridsat_exact::sat::CommandFault;
use gridsat_model::text::excerpt;
use thiserror::Error;

/// Why a campaign cannot be run or reported.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum CampaignError {
    #[error("{}: {what}", .path.display())]
    Argument { path: PathBuf, what: ListError },
    #[error("{}:{line}: {what}", .path.display())]
    List { path: PathBuf, line: usize, what: ListError },
    #[error("two instances are called {name}: {}, {}; rename a folder or a file",
        .one.display(), .other.display())]
    SameName { name: String, one: PathBuf, other: PathBuf },
    #[error("--peer '{}': {what}", excerpt(.text))]
    Peer { text: String, what: PeerError },
    #[error("{}: {what}", .path.display())]
    Results { path: PathBuf, what: ResultsError },
    #[error("{}:{line}: {what}", .path.display())]
    Line { path: PathBuf, line: usize, what: ResultsError },
    #[error("{}: {what}", .path.display())]
    Known { path: PathBuf, what: String },
    /// Finished runs are kept, but no more can be stored.
    #[error("{}: {error}; finished runs are kept, rerun the same command to resume",
        .path.display())]
    Write { path: PathBuf, error: io::Error },
    /// No temporary folder, or the program itself cannot be started.
    #[error("{what}: {error}")]
    System { what: String, error: io::Error },
}

impl CampaignError {
    pub(super) fn argument(path: &Path, what: ListError) -> Self {
        Self::Argument { path: path.to_owned(), what }
    }

    pub(super) fn results(path: &Path, what: ResultsError) -> Self {
        Self::Results { path: path.to_owned(), what }
    }

    /// Whether the user can correct the cause.
    pub fn is_input(&self) -> bool {
        !matches!(self, Self::System { .. })
    }
}

/// Why an argument or a line of a list names no instances.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum ListError {
    #[error("no such file, folder or pattern with matches")]
    Missing,
    #[error("no instances (files whose names end in .json, .csv, .txt, .hcsp, .rcmax, .0 or .etc)")]
    Nothing,
    #[error("the list has no instances")]
    Empty,
    #[error("the pattern is wrong: {0}")]
    Pattern(&'static str),
    #[error("'{}' is neither an optimum nor bounds, such as 117 or 113..117", excerpt(.0))]
    Known(String),
    #[error("cannot read: {0}")]
    Read(io::Error),
}

/// Why a peer cannot be run.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum PeerError {
    #[error("expected NAME='COMMAND'")]
    NoName,
    #[error("the name may have letters, digits, '-', '_' and '.', and is not 'gridsat'")]
    Name,
    #[error("two peers have this name")]
    Twice,
    #[error(transparent)]
    Command(#[from] CommandFault),
    #[error("the command needs {{instance}} where the file name belongs")]
    NoInstance,
    #[error("no program '{0}' in the PATH; install it or give its path")]
    NoProgram(String),
}

/// Why a file of results cannot be used.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum ResultsError {
    #[error("cannot open: {0}")]
    Open(io::Error),
    #[error("cannot read: {0}")]
    Read(io::Error),
    #[error("another gridsat is writing it")]
    Locked,
    #[error("not a result of gridsat campaign: {0}")]
    NotARow(String),
    #[error("no results in it")]
    Empty,
    #[error(
        "has results of gridsat {found}, this is {this}; name another file with --out, or run \
        the other program as a --peer"
    )]
    OtherProgram { found: String, this: String },
    #[error("peer {name} ran as '{}' before; give the other command another name",
        excerpt(.found))]
    OtherCommand { name: String, found: String },
    #[error("{instance} has changed since its result was written; name another file with --out")]
    OtherInstance { instance: String },
}
