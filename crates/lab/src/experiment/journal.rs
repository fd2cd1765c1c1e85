//! The journal: completed runs, stored beside the result until all are complete.
//!
//! A journal is like a result without its last line, in any order. Each run is written in one
//! operation, so an aborted process leaves complete lines and perhaps a partial one, which is
//! removed when the experiment is resumed. The file is locked while it is in use, so that two
//! processes do not write the same result.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io::{BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::describe::Experiment;
use super::error::{ExperimentError, ResultError};
use super::id::RunId;
use super::result::{Header, Outcome, line, next_line, parse_line};

pub(super) struct Journal {
    path: PathBuf,
    file: File,
}

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
        let options =
            File::options().read(true).write(true).create(true).truncate(false).open(&path);
        let file =
            options.map_err(|error| ExperimentError::result(&path, ResultError::Open(error)))?;
        match file.try_lock() {
            // Some file systems do not support locks; that is ignored.
            Ok(()) | Err(TryLockError::Error(_)) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(ExperimentError::result(&path, ResultError::Locked));
            }
        }
        let mut journal = Self { path, file };
        let done = if fresh { None } else { journal.recover(experiment)? };
        if done.is_none() {
            journal.begin(experiment)?;
        }
        Ok((journal, done.unwrap_or_default()))
    }

    /// Reads the existing runs; `None` if the header is missing or incomplete.
    fn recover(&mut self, experiment: &Experiment) -> Result<Option<Done>, ExperimentError> {
        let read = |error| ExperimentError::result(&self.path, ResultError::Read(error));
        let mut lines = BufReader::new((&self.file).take(u64::MAX));
        let Some(first) = next_line(&mut lines).map_err(read)? else { return Ok(None) };
        if first + "\n" != Header::of(experiment).line() {
            return Err(ExperimentError::result(&self.path, ResultError::OtherJournal));
        }
        let mut whole = Header::of(experiment).line().len() as u64;
        let mut done = Done::new();
        while let Some(text) = next_line(&mut lines).map_err(read)? {
            let (run, outcome) = parse_line(&text, experiment).map_err(|what| {
                let what = ResultError::Journal(Box::new(what.at(done.len() + 2)));
                ExperimentError::result(&self.path, what)
            })?;
            whole += text.len() as u64 + 1;
            done.insert(run, outcome);
        }
        drop(lines);
        let cut = self.file.set_len(whole).and_then(|()| self.file.seek(SeekFrom::End(0)));
        cut.map_err(|error| ExperimentError::write(&self.path, error))?;
        Ok(Some(done))
    }

    fn begin(&mut self, experiment: &Experiment) -> Result<(), ExperimentError> {
        let header = Header::of(experiment).line();
        let begun = self.file.set_len(0).and_then(|()| self.file.seek(SeekFrom::Start(0)));
        let begun = begun.and_then(|_| self.file.write_all(header.as_bytes()));
        begun.map_err(|error| ExperimentError::write(&self.path, error))
    }

    /// Stores a run.
    pub fn add(&mut self, run: RunId, outcome: &Outcome) -> Result<(), ExperimentError> {
        let written = self.file.write_all(line(run, outcome).as_bytes());
        written.map_err(|error| ExperimentError::write(&self.path, error))
    }

    /// Deletes the journal once the result is written.
    pub fn remove(self) -> Result<(), ExperimentError> {
        let removed = std::fs::remove_file(&self.path);
        removed.map_err(|error| ExperimentError::write(&self.path, error))
    }
}
