//! The files on which an experiment depends beside its own.
//!
//! Settings name traces, tables and other files in many places. Every text in them that is the path
//! of a file counts as an input: one too many does no harm.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::PartsError;
use crate::campaign::digest;
use crate::experiment::Experiment;

/// A file and its SHA-256.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Input {
    pub path: PathBuf,
    pub sha256: String,
}

impl Input {
    pub fn new(path: PathBuf) -> Result<Self, PartsError> {
        let sha256 = digest(&path).map_err(PartsError::read(&path))?;
        Ok(Self { path, sha256 })
    }

    /// Refuses a file that is not what it was when the plan was made.
    pub fn check(&self) -> Result<(), PartsError> {
        let now = digest(&self.path).map_err(PartsError::read(&self.path))?;
        let is_same = now == self.sha256;
        if is_same { Ok(()) } else { Err(PartsError::ChangedInput { path: self.path.clone() }) }
    }
}

/// All files that the settings of the experiment name.
pub(super) fn of(experiment: &Experiment) -> Result<Vec<Input>, PartsError> {
    let mut paths = Vec::new();
    let swept = experiment.axes.iter().flat_map(|axis| &axis.values);
    for value in [&experiment.base].into_iter().chain(swept) {
        find(value, &experiment.folder, &mut paths);
    }
    paths.sort();
    paths.dedup();
    paths.into_iter().map(Input::new).collect()
}

/// Adds the files that the texts in a value name.
fn find(value: &Value, folder: &Path, paths: &mut Vec<PathBuf>) {
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        match value {
            Value::String(text) => {
                let path = folder.join(text);
                if path.is_file() {
                    paths.push(path);
                }
            }
            Value::Array(values) => left.extend(values),
            Value::Object(fields) => left.extend(fields.values()),
            _ => {}
        }
    }
}
