//! The file of dimensions and wishes (TOML); `docs/heuristics.md` has an example.
//!
//! Unknown keys are mistakes. Messages name the table by its number from 1, and the key.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use thiserror::Error;

use super::{Dimension, Level, Matrix, Utility, Wish, apply};
use gridsat_model::io::{self, ReadOptions};
use gridsat_model::{Instance, TaskId};

/// Decimals of a matrix of times unless the file says otherwise.
const DECIMALS: u32 = 3;

/// The dimension that is always there.
const TIME: &str = "time";

/// What is wrong with a file, in one line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}: {what}")]
pub struct UtilityFileError {
    /// The file's name.
    pub file: String,
    /// Line or key, and what is wrong there.
    pub what: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Instance file with the times, beside this one unless absolute.
    times: String,
    #[serde(default)]
    matrix: MatrixKey,
    decimals: Option<u32>,
    #[serde(default)]
    dimension: Vec<DimensionTable>,
    #[serde(default)]
    wish: Vec<WishTable>,
}

#[derive(Clone, Copy, Default, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum MatrixKey {
    #[default]
    Time,
    Loss,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DimensionTable {
    name: String,
    hosts: Vec<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WishTable {
    dimension: String,
    tasks: Option<Vec<String>>,
    at_least: Option<f64>,
    at_most: Option<f64>,
    full: Option<f64>,
    none: Option<f64>,
    weight: Option<f64>,
}

/// Reads the file and the times it names, and makes the matrix.
pub fn read_file(path: &Path) -> Result<Instance, UtilityFileError> {
    let fail = |what: String| UtilityFileError { file: path.display().to_string(), what };
    let text = fs::read_to_string(path).map_err(|error| fail(error.to_string()))?;
    let file: File = toml::from_str(&text).map_err(|error| fail(describe(&text, &error)))?;
    let beside = path.parent().unwrap_or(Path::new("")).join(&file.times);
    let times = io::read_file(&beside, &ReadOptions::default());
    let times = times.map_err(|error| fail(format!("times: {error}")))?;
    file.matrix(&times).map_err(fail)
}

fn describe(text: &str, error: &toml::de::Error) -> String {
    let what = error.message().replace('\n', " ");
    let line = error.span().and_then(|span| text.get(..span.start));
    line.map_or(what.clone(), |before| format!("line {}: {what}", before.matches('\n').count() + 1))
}

impl File {
    fn matrix(&self, times: &Instance) -> Result<Instance, String> {
        let (names, dimensions) = self.dimensions(times)?;
        let mut wishes = Vec::new();
        for (index, table) in self.wish.iter().enumerate() {
            let wish = table.wish(&names, times);
            wishes.push(wish.map_err(|what| format!("wish {}: {what}", index + 1))?);
        }
        let matrix = match (self.matrix, self.decimals) {
            (MatrixKey::Time, decimals) => Matrix::Time { decimals: decimals.unwrap_or(DECIMALS) },
            (MatrixKey::Loss, None) => Matrix::Loss,
            (MatrixKey::Loss, Some(_)) => return Err("decimals: losses have six".to_owned()),
        };
        apply(times, &dimensions, &wishes, matrix).map_err(|error| error.to_string())
    }

    /// Time, then those of the file.
    fn dimensions(&self, times: &Instance) -> Result<(Vec<&str>, Vec<Dimension>), String> {
        let (mut names, mut dimensions) = (vec![TIME], vec![Dimension::Time]);
        for (index, table) in self.dimension.iter().enumerate() {
            let fail = |what: String| format!("dimension {}: {what}", index + 1);
            let name = table.name.as_str();
            if names.contains(&name) {
                return Err(fail(format!("name: '{}' is taken", name.escape_debug())));
            }
            let (found, expected) = (table.hosts.len(), times.host_count());
            if found != expected {
                return Err(fail(format!("hosts: {found} levels for {expected} hosts")));
            }
            let levels = table.hosts.iter().map(|&value| Level::new(value));
            let levels = levels.collect::<Result<_, _>>();
            dimensions.push(Dimension::Offered(levels.map_err(|e| fail(format!("hosts: {e}")))?));
            names.push(name);
        }
        Ok((names, dimensions))
    }
}

impl WishTable {
    fn wish(&self, names: &[&str], times: &Instance) -> Result<Wish, String> {
        let dimension = names.iter().position(|name| *name == self.dimension);
        let dimension = dimension.ok_or_else(|| {
            let known = names.join(", ");
            format!("dimension: '{}' is none of {known}", self.dimension.escape_debug())
        })?;
        let tasks = self.tasks.as_ref().map(|names| tasks(names, times)).transpose()?;
        Ok(Wish { tasks, dimension, utility: self.utility()? })
    }

    fn utility(&self) -> Result<Utility, String> {
        let level =
            |key: &str, value: f64| Level::new(value).map_err(|error| format!("{key}: {error}"));
        match (self.at_least, self.at_most, self.full, self.none, self.weight) {
            (Some(least), None, None, None, None) => {
                Ok(Utility::AtLeast(level("at_least", least)?))
            }
            (None, Some(most), None, None, None) => Ok(Utility::AtMost(level("at_most", most)?)),
            (None, None, Some(full), Some(none), weight) => {
                let (full, none) = (level("full", full)?, level("none", none)?);
                if full == none {
                    return Err(format!("full: the same as none, {full}; a step is a hard wish"));
                }
                Ok(Utility::Soft { full, none, weight: millionths(weight.unwrap_or(1.0))? })
            }
            _ => Err("needs at_least, or at_most, or full and none (and weight)".to_owned()),
        }
    }
}

fn millionths(weight: f64) -> Result<u32, String> {
    if (0.0..=1.0).contains(&weight) {
        Ok((weight * 1e6).round() as u32)
    } else {
        Err(format!("weight: {weight} is not from 0 to 1"))
    }
}

fn tasks(names: &[String], times: &Instance) -> Result<Vec<TaskId>, String> {
    let known: HashMap<&str, TaskId> =
        times.tasks().map(|task| (times.task_name(task), task)).collect();
    let find = |name: &String| {
        let task = known.get(name.as_str()).copied();
        task.ok_or_else(|| format!("tasks: there is no task '{}'", name.escape_debug()))
    };
    names.iter().map(find).collect()
}
