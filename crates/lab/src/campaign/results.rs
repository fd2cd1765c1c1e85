//! The file of results: one row per line, appended as soon as it is known.

use std::collections::BTreeMap;
use std::path::Path;

use gridsat_model::io::open;

use super::error::{CampaignError, ResultsError};
use super::row::{Key, Row};
use super::run::Run;
use super::solver::{Program, Solver};
use crate::lines::{LineFile, NoLineFile};

/// A file of results, open for appending.
pub struct Rows {
    file: LineFile,
    rows: BTreeMap<Key, Row>,
}

impl Rows {
    /// Opens the file, or creates it. A partial last line, left by a killed process, is removed.
    pub fn open(path: &Path) -> Result<Self, CampaignError> {
        let fail = |what| CampaignError::results(path, what);
        let mut file = LineFile::open(path).map_err(|error| match error {
            NoLineFile::Io(error) => fail(ResultsError::Open(error)),
            NoLineFile::Locked => fail(ResultsError::Locked),
        })?;
        let lines = file.read().map_err(|error| fail(ResultsError::Read(error)))?;
        let rows = parsed(path, lines.iter().map(String::as_str))?;
        let cut = file.drop_rest();
        cut.map_err(|error| CampaignError::Write { path: path.to_owned(), error })?;
        let rows = rows.into_iter().map(|row| (row.key(), row)).collect();
        Ok(Self { file, rows })
    }

    /// Refuses results that do not belong to these runs of this program.
    pub fn check(&self, runs: &[Run], program: &Program) -> Result<(), CampaignError> {
        let fail = |what| Err(CampaignError::results(self.file.path(), what));
        let other = self.rows.values().find(|row| row.gridsat != program.version);
        if let Some(row) = other {
            let (found, this) = (row.gridsat.clone(), program.version.clone());
            return fail(ResultsError::OtherProgram { found, this });
        }
        for run in runs {
            let row = self.rows.get(&run.key());
            if row.is_some_and(|row| row.sha256 != run.instance.sha256) {
                let instance = run.instance.name.clone();
                return fail(ResultsError::OtherInstance { instance });
            }
            let Solver::Peer(peer) = &run.solver else { continue };
            let is_other = |row: &&Row| row.solver == peer.name && row.options != peer.command;
            if let Some(row) = self.rows.values().find(is_other) {
                let (name, found) = (peer.name.clone(), row.options.clone());
                return fail(ResultsError::OtherCommand { name, found });
            }
        }
        Ok(())
    }

    /// The row of a run, if it was executed before.
    pub fn of(&self, run: &Run) -> Option<&Row> {
        self.rows.get(&run.key())
    }

    /// Stores a row, on the disk before this returns; false if the file has one of the same run
    /// that did not fail, or the same one.
    pub fn add(&mut self, row: Row) -> Result<bool, CampaignError> {
        let there = self.rows.get(&row.key());
        if there.is_some_and(|there| !there.has_failed() || *there == row) {
            return Ok(false);
        }
        let written = self.file.add(&row.line()).and_then(|()| self.file.sync());
        let path = self.file.path();
        written.map_err(|error| CampaignError::Write { path: path.to_owned(), error })?;
        self.rows.insert(row.key(), row);
        Ok(true)
    }
}

/// The rows of files of results, in their order. Of several rows of the same run the last counts,
/// which is a repeated run. A partial last line is ignored.
pub fn read(paths: &[impl AsRef<Path>]) -> Result<Vec<Row>, CampaignError> {
    let mut rows: Vec<Row> = Vec::new();
    let mut places = BTreeMap::new();
    for path in paths.iter().map(AsRef::as_ref) {
        let fail = |what| CampaignError::results(path, what);
        let text = open(path).and_then(std::io::read_to_string);
        let text = text.map_err(|error| fail(ResultsError::Read(error)))?;
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let found = parsed(path, whole.lines())?;
        if found.is_empty() {
            return Err(fail(ResultsError::Empty));
        }
        for row in found {
            let place = *places.entry((row.key(), row.gridsat.clone())).or_insert(rows.len());
            match rows.get_mut(place) {
                Some(earlier) => *earlier = row,
                None => rows.push(row),
            }
        }
    }
    Ok(rows)
}

fn parsed<'a>(
    path: &Path,
    lines: impl Iterator<Item = &'a str>,
) -> Result<Vec<Row>, CampaignError> {
    let row = |(place, line): (usize, &str)| {
        Row::parse(line).map_err(|what| CampaignError::Line {
            path: path.to_owned(),
            line: place + 1,
            what: ResultsError::NotARow(what),
        })
    };
    lines.enumerate().map(row).collect()
}
