//! Rounds: the open cases that parts begin with, and those that parts left open.

use std::fs;
use std::path::{Path, PathBuf};

use gridsat_exact::reason::OpenCase;
use gridsat_files as files;
use serde::{Deserialize, Serialize};

use super::super::error::PartsError;

/// Open cases, dealt out to parts in turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in super::super) struct Round {
    /// Number of parts before this round.
    pub begin: usize,
    /// Number of parts of this round.
    pub parts: usize,
    pub cases: Vec<OpenCase>,
}

impl Round {
    /// Whether every part has a case.
    pub fn is_whole(&self) -> bool {
        (1..=self.cases.len()).contains(&self.parts)
    }

    /// Whether the part with this number belongs to the round.
    pub fn has(&self, part: usize) -> bool {
        (self.begin..self.begin + self.parts).contains(&part)
    }

    /// The cases of a part of this round.
    pub fn of(&self, part: usize) -> impl Iterator<Item = &OpenCase> {
        self.cases.iter().skip(part - self.begin).step_by(self.parts.max(1))
    }
}

/// The first round and those that merges have planned, in order.
pub(super) fn all(first: &Round, folder: &Path) -> Result<Vec<Round>, PartsError> {
    let mut rounds = vec![first.clone()];
    loop {
        let path = path(folder, rounds.len() + 1);
        if !path.exists() {
            return Ok(rounds);
        }
        let text = fs::read_to_string(&path).map_err(PartsError::read(&path))?;
        let end = rounds.last().map_or(0, |last| last.begin + last.parts);
        match serde_json::from_str::<Round>(&text) {
            Ok(round) if round.begin == end && round.is_whole() => rounds.push(round),
            _ => {
                let what = "not a round of this plan".to_owned();
                return Err(PartsError::NoPlan { path, what });
            }
        }
    }
}

/// Writes a further round; the same one may be there already.
pub(super) fn save(folder: &Path, number: usize, round: &Round) -> Result<(), PartsError> {
    let path = path(folder, number);
    let folder = folder.join("rounds");
    fs::create_dir_all(&folder).map_err(PartsError::write(&folder))?;
    let text = serde_json::to_string(round).expect("plain data with text keys is JSON");
    files::write_with(&path, |out| writeln!(out, "{text}")).map_err(PartsError::write(&path))
}

fn path(folder: &Path, number: usize) -> PathBuf {
    folder.join("rounds").join(format!("{number}.json"))
}
