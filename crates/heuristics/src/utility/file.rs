//! The file of dimensions and wishes (TOML); `docs/heuristics.md` has an example.
//!
//! Unknown keys are errors. Messages name the table by its number, from 1, and the key.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;
use thiserror::Error;

use super::{Dimension, Level, Matrix, NotALevel, Utility, UtilityError, Wish, apply};
use gridsat_model::io::{self, ReadOptions};
use gridsat_model::{Instance, TaskId};

/// Decimals of a matrix of times, unless the file sets another number.
const DECIMALS: u32 = 3;

/// The name of the dimension that always exists.
const TIME: &str = "time";

/// An error in a file, as a message of one line.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{file}: {what}")]
pub struct UtilityFileError {
    /// The name of the file.
    pub file: String,
    /// The line or key, and what is wrong there.
    pub what: UtilityFault,
}

/// What is wrong in a file.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum UtilityFault {
    #[error("{0}")]
    Unreadable(String),
    #[error("times: {0}")]
    Times(String),
    #[error("decimals: losses have six")]
    Decimals,
    #[error("dimension {number}: {fault}")]
    Dimension { number: usize, fault: Box<Self> },
    #[error("wish {number}: {fault}")]
    Wish { number: usize, fault: Box<Self> },
    #[error("name: '{}' is taken", .0.escape_debug())]
    NameTaken(String),
    #[error("hosts: {found} levels for {expected} hosts")]
    WrongLevelCount { found: usize, expected: usize },
    #[error("{key}: {error}")]
    NotALevel { key: &'static str, error: NotALevel },
    #[error("dimension: unknown '{}'; known: {known}", .name.escape_debug())]
    NoSuchDimension { name: String, known: String },
    #[error("tasks: there is no task '{}'", .0.escape_debug())]
    NoSuchTask(String),
    #[error("full: the same as none, {0}; use at_least or at_most")]
    Step(Level),
    #[error("weight: {0} is not from 0 to 1")]
    Weight(f64),
    #[error("needs at_least, or at_most, or full and none (and weight)")]
    NoUtility,
    #[error(transparent)]
    Utility(#[from] UtilityError),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Instance file with the times, relative to this file unless absolute.
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

/// Reads the file, or standard input if the path is `-`, and the instance of times it names, and
/// computes the matrix. Its [notes](Instance::notes) are those of the times.
pub fn read_file(path: &Path) -> Result<Instance, UtilityFileError> {
    read(path).map_err(|what| UtilityFileError { file: io::shown_name(path), what })
}

fn read(path: &Path) -> Result<Instance, UtilityFault> {
    let unreadable = |error: std::io::Error| UtilityFault::Unreadable(error.to_string());
    let text = io::open(path).and_then(std::io::read_to_string).map_err(unreadable)?;
    let file: Result<File, _> = toml::from_str(&text);
    let file = file.map_err(|error| UtilityFault::Unreadable(describe(&text, &error)))?;
    let beside = path.parent().unwrap_or(Path::new("")).join(&file.times);
    let times = io::read_file(&beside, &ReadOptions::default());
    let times = times.map_err(|error| UtilityFault::Times(error.to_string()))?;
    Ok(file.matrix(&times)?.with_notes(times.notes().to_vec()))
}

fn describe(text: &str, error: &toml::de::Error) -> String {
    let what = error.message().replace('\n', " ");
    let line = error.span().and_then(|span| text.get(..span.start));
    line.map_or(what.clone(), |before| format!("line {}: {what}", before.matches('\n').count() + 1))
}

impl File {
    fn matrix(&self, times: &Instance) -> Result<Instance, UtilityFault> {
        let (names, dimensions) = self.dimensions(times)?;
        let mut wishes = Vec::new();
        for (index, table) in self.wish.iter().enumerate() {
            let wish = table.wish(&names, times);
            let number = index + 1;
            let fail = |fault| UtilityFault::Wish { number, fault: Box::new(fault) };
            wishes.push(wish.map_err(fail)?);
        }
        let matrix = match (self.matrix, self.decimals) {
            (MatrixKey::Time, decimals) => Matrix::Time { decimals: decimals.unwrap_or(DECIMALS) },
            (MatrixKey::Loss, None) => Matrix::Loss,
            (MatrixKey::Loss, Some(_)) => return Err(UtilityFault::Decimals),
        };
        Ok(apply(times, &dimensions, &wishes, matrix)?)
    }

    /// The dimension of time, then those of the file.
    fn dimensions(&self, times: &Instance) -> Result<(Vec<&str>, Vec<Dimension>), UtilityFault> {
        let (mut names, mut dimensions) = (vec![TIME], vec![Dimension::Time]);
        for (index, table) in self.dimension.iter().enumerate() {
            let number = index + 1;
            let fail = |fault| UtilityFault::Dimension { number, fault: Box::new(fault) };
            let name = table.name.as_str();
            if names.contains(&name) {
                return Err(fail(UtilityFault::NameTaken(name.to_owned())));
            }
            let (found, expected) = (table.hosts.len(), times.host_count());
            if found != expected {
                return Err(fail(UtilityFault::WrongLevelCount { found, expected }));
            }
            let levels = table.hosts.iter().map(|&value| level("hosts", value));
            let levels = levels.collect::<Result<_, _>>();
            dimensions.push(Dimension::Offered(levels.map_err(fail)?));
            names.push(name);
        }
        Ok((names, dimensions))
    }
}

impl WishTable {
    fn wish(&self, names: &[&str], times: &Instance) -> Result<Wish, UtilityFault> {
        let dimension = names.iter().position(|name| *name == self.dimension);
        let dimension = dimension.ok_or_else(|| {
            let (name, known) = (self.dimension.clone(), names.join(", "));
            UtilityFault::NoSuchDimension { name, known }
        })?;
        let tasks = self.tasks.as_ref().map(|names| tasks(names, times)).transpose()?;
        Ok(Wish { tasks, dimension, utility: self.utility()? })
    }

    fn utility(&self) -> Result<Utility, UtilityFault> {
        match (self.at_least, self.at_most, self.full, self.none, self.weight) {
            (Some(least), None, None, None, None) => {
                Ok(Utility::AtLeast(level("at_least", least)?))
            }
            (None, Some(most), None, None, None) => Ok(Utility::AtMost(level("at_most", most)?)),
            (None, None, Some(full), Some(none), weight) => {
                let (full, none) = (level("full", full)?, level("none", none)?);
                if full == none {
                    return Err(UtilityFault::Step(full));
                }
                Ok(Utility::Soft { full, none, weight: millionths(weight.unwrap_or(1.0))? })
            }
            _ => Err(UtilityFault::NoUtility),
        }
    }
}

fn level(key: &'static str, value: f64) -> Result<Level, UtilityFault> {
    Level::new(value).map_err(|error| UtilityFault::NotALevel { key, error })
}

fn millionths(weight: f64) -> Result<u32, UtilityFault> {
    if (0.0..=1.0).contains(&weight) {
        Ok((weight * 1e6).round() as u32)
    } else {
        Err(UtilityFault::Weight(weight))
    }
}

fn tasks(names: &[String], times: &Instance) -> Result<Vec<TaskId>, UtilityFault> {
    let known: HashMap<&str, TaskId> =
        times.tasks().map(|task| (times.task_name(task), task)).collect();
    let find = |name: &String| {
        let task = known.get(name.as_str()).copied();
        task.ok_or_else(|| UtilityFault::NoSuchTask(name.clone()))
    };
    names.iter().map(find).collect()
}
