//! The journal: completed runs, stored beside the result until all are complete.
//!
//! A journal is like a result without its last line, in any order.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::describe::Experiment;
use super::error::{ExperimentError, ResultError};
use super::id::RunId;
use super::result::{Header, Outcome, line, parse_line};
use crate::lines::{LineFile, NoLineFile};
use gridsat_model::VERSION;

pub(super) struct Journal(LineFile);

pub(super) type Done = BTreeMap<RunId, Outcome>;

/// Path of the journal of a result.
pub(super) fn path_of(result: &Path) -> PathBuf {
    let mut name = result.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

impl Journal {
    /// Creates a journal, or opens an existing one, with its completed runs.
    pub fn open(
        result: &Path,
        experiment: &Experiment,
        fresh: bool,
    ) -> Result<(Self, Done), ExperimentError> {
        let path = path_of(result);
        let file = LineFile::open(&path).map_err(|error| {
            let what = match error {
                NoLineFile::Io(error) => ResultError::Open(error),
                NoLineFile::Locked => ResultError::Locked,
            };
            ExperimentError::result(&path, what)
        })?;
        let mut journal = Self(file);
        let done = if fresh { None } else { journal.recover(experiment)? };
        if done.is_none() {
            journal.begin(experiment)?;
        }
        Ok((journal, done.unwrap_or_default()))
    }

    /// Reads the existing runs; `None` if the header is missing or incomplete.
    fn recover(&mut self, experiment: &Experiment) -> Result<Option<Done>, ExperimentError> {
        let lines = self.0.read();
        let fail = |what| ExperimentError::result(self.0.path(), what);
        let lines = lines.map_err(|error| fail(ResultError::Read(error)))?;
        let Some((first, runs)) = lines.split_first() else { return Ok(None) };
        let is_of = |header: Header| {
            header.gridsat == VERSION && experiment.has_runs_of(&header.experiment)
        };
        if !Header::parse(first).is_ok_and(is_of) {
            return Err(fail(ResultError::OtherJournal));
        }
        let run = |(place, text): (usize, &String)| {
            let wrong = |what: ResultError| ResultError::Journal(Box::new(what.at(place + 2)));
            parse_line(text, experiment).map_err(|what| fail(wrong(what)))
        };
        let done = runs.iter().enumerate().map(run).collect::<Result<Done, _>>()?;
        self.0.drop_rest().map_err(|error| ExperimentError::write(self.0.path(), error))?;
        Ok(Some(done))
    }

    fn begin(&mut self, experiment: &Experiment) -> Result<(), ExperimentError> {
        let begun = self.0.clear().and_then(|()| self.0.add(&Header::of(experiment).line()));
        begun.map_err(|error| ExperimentError::write(self.0.path(), error))
    }

    /// Stores a run.
    pub fn add(&mut self, run: RunId, outcome: &Outcome) -> Result<(), ExperimentError> {
        let written = self.0.add(&line(run, outcome));
        written.map_err(|error| ExperimentError::write(self.0.path(), error))
    }

    /// Deletes the journal once the result is written.
    pub fn remove(self) -> Result<(), ExperimentError> {
        let removed = std::fs::remove_file(self.0.path());
        removed.map_err(|error| ExperimentError::write(self.0.path(), error))
    }
}
