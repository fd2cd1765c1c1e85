//! Errors of experiments and results. Always one line.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::axis::AxisError;
use super::describe::MOST_RUNS;
use super::key::KeyError;
use super::result::FORMAT;
use super::subject::SubjectError;
use gridsat_model::io::{Position, shown_name};
use gridsat_model::names::choices;
use gridsat_model::text::on_one_line;
use gridsat_scenario::{ScenarioError, templates};

/// An error, with file and position.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum ExperimentError {
    /// The experiment file, or its scenario, is invalid.
    #[error(transparent)]
    File(#[from] ScenarioError),
    /// A value of the file is invalid.
    #[error("{file}:{} {}", shown_position(*.position), on_one_line(&.what.to_string()))]
    Bad { file: String, position: Option<Position>, what: Box<FileError> },
    /// The experiment is impossible; without a file name, because it may have no file.
    #[error("{}", on_one_line(&.0.to_string()))]
    Impossible(#[from] PlanError),
    /// A program that is an algorithm (`cmd:`) did not answer as it should.
    #[error("{0}")]
    Program(String),
    /// A result that cannot be used.
    #[error("{}: {}", shown_name(.path), on_one_line(&.what.to_string()))]
    Result { path: PathBuf, what: Box<ResultError> },
}

impl ExperimentError {
    pub(crate) fn result(path: &Path, what: ResultError) -> Self {
        Self::Result { path: path.to_owned(), what: Box::new(what) }
    }
}

/// `LINE:COLUMN:`, or nothing.
fn shown_position(position: Option<Position>) -> String {
    position.map_or(String::new(), |Position { line, column }| format!("{line}:{column}:"))
}

/// An invalid value of an experiment file.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum FileError {
    #[error("{table}.set: {error}")]
    Set { table: &'static str, key: String, error: KeyError },
    #[error("sweep[{index}]: {what}")]
    Sweep { index: usize, what: AxisError },
    #[error("{key}: \"{name}\" is not among the algorithms")]
    NoAlgorithm { key: &'static str, name: String },
    #[error("base: needs exactly one of scenario, template, subject")]
    WhichBase,
    #[error("base: no template \"{0}\"; {all}", all = choices(.0, templates().map(|one| one.name)))]
    NoTemplate(String),
    #[error("base: no subject \"{name}\"; {}", choices(.name, .known))]
    NoSubject { name: String, known: Vec<&'static str> },
    #[error("metrics: no \"{name}\" in {subject}; {}", choices(.name, .known))]
    NoMetric { name: String, subject: &'static str, known: Vec<String> },
}

/// Why an experiment cannot be run.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum PlanError {
    #[error("no subject \"{0}\"")]
    NoSubject(String),
    #[error("sweep \"{title}\": {what}")]
    Sweep { title: String, what: AxisError },
    #[error("{0} runs, must be 1 to {MOST_RUNS}")]
    Runs(u64),
    #[error("no metrics")]
    NoMetrics,
    #[error("algorithm \"{0}\" is listed twice")]
    Twice(String),
    /// `algorithm` is the one that is wrong; otherwise it is a setting.
    #[error("{}{error}", at(.label))]
    Point { label: String, algorithm: Option<String>, error: Box<SubjectError> },
}

/// Empty for the only point of an experiment.
fn at(label: &str) -> String {
    if label.is_empty() { String::new() } else { format!("at {label}: ") }
}

/// An invalid result, or unfinished parts of one.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum ResultError {
    #[error("cannot read: {0}")]
    Read(io::Error),
    #[error("not a result of gridsat experiment")]
    NoResult,
    #[error("format version {0}, this gridsat reads version {FORMAT}")]
    Format(u32),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error("there is no such run")]
    NoRun,
    #[error("{found} values of {of} metrics")]
    Values { found: usize, of: usize },
    #[error("needs either values or error")]
    ValuesOrError,
    #[error("the end is missing")]
    NoEnd,
    #[error("{found} runs, should be {expected}")]
    Runs { found: usize, expected: usize },
    #[error("run {found} where run {expected} should be")]
    Order { found: usize, expected: usize },
    #[error("line {line}: {what}")]
    Line { line: usize, what: Box<ResultError> },
    #[error("a result of another experiment or version; --fresh replaces it")]
    OtherResult,
    #[error("started by another experiment or version; --fresh starts over")]
    OtherParts,
}

impl ResultError {
    pub(super) fn at(self, line: usize) -> Self {
        Self::Line { line, what: Box::new(self) }
    }
}
