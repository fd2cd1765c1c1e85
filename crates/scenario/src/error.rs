//! Errors in a scenario, each in one line.
//!
//! `FILE:LINE:COLUMN: …` for a syntax error, `FILE:LINE:COLUMN: KEY: …` for an invalid value;
//! without the position if the value is not in the file.

use std::fmt;

use thiserror::Error;

use gridsat_model::io::Position;
use gridsat_model::names::choices;
use gridsat_model::text::{excerpt, on_one_line, shortened};

/// A file that is not a valid scenario. Displayed in one line.
///
/// ```
/// let error = "seed = -1".parse::<gridsat_scenario::Scenario>().err();
/// assert!(error.is_some_and(|error| !error.to_string().contains('\n')));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct ScenarioError {
    /// Name of the file.
    pub file: String,
    /// Position in the file, if the value or its table is in it.
    pub position: Option<Position>,
    /// The problem, with key and value.
    pub fault: Fault,
}

impl ScenarioError {
    pub(super) fn new(file: &str, position: Option<Position>, fault: impl Into<Fault>) -> Self {
        Self { file: on_one_line(file), position, fault: fault.into() }
    }

    /// Describes the problem, shortened if it quotes a long text.
    pub fn what(&self) -> String {
        shortened(&self.fault.to_string(), 600)
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file)?;
        if let Some(Position { line, column }) = self.position {
            write!(f, "{line}:{column}:")?;
        }
        write!(f, " {}", self.what())
    }
}

/// A problem with a value, and the keys that lead to it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum Fault {
    #[error("{key}: {fault}")]
    At { key: String, fault: Box<Fault> },
    #[error("{key} {} is unknown; {}", quoted(.word), choices(.word, .known))]
    Unknown { key: &'static str, word: String, known: Vec<String> },
    #[error("{key} is 0, must be above 0")]
    Zero { key: &'static str },
    #[error("{key} is for {of} only")]
    Only { key: &'static str, of: String },
    #[error("{one} and {other} exclude each other")]
    Exclusive { one: &'static str, other: &'static str },
    /// A problem that occurs in one place of the code only, or an error of another reader.
    #[error("{0}")]
    Other(String),
}

impl Fault {
    pub(super) fn new(what: impl fmt::Display) -> Self {
        Self::Other(what.to_string())
    }

    pub(super) fn unknown<T: Into<String>>(
        key: &'static str,
        word: &str,
        known: impl IntoIterator<Item = T>,
    ) -> Self {
        let known = known.into_iter().map(Into::into).collect();
        Self::Unknown { key, word: word.to_owned(), known }
    }

    pub(super) fn only(key: &'static str, of: impl Into<String>) -> Self {
        Self::Only { key, of: of.into() }
    }

    pub(super) fn in_file(self, file: &str) -> ScenarioError {
        ScenarioError::new(file, None, self)
    }
}

/// Converts errors of other crates, with their messages.
macro_rules! faults_of {
    ($($error:ty),* $(,)?) => {
        $(impl From<$error> for Fault {
            fn from(error: $error) -> Self {
                Self::new(error)
            }
        })*
    };
}

faults_of! {
    &str,
    String,
    std::io::Error,
    gridsat_cluster::SpeedupError,
    gridsat_grid::allocation::PesError,
    gridsat_grid::failure::ChangesError,
    gridsat_grid::failure::TraceError,
    gridsat_grid::load::DateError,
    gridsat_grid::load::LoadError,
    gridsat_grid::network::BaudRateError,
    gridsat_grid::network::GutsError,
    gridsat_model::io::Problem,
    gridsat_model::io::ReadError,
    gridsat_workload::ModelError,
    gridsat_workload::WorkloadError,
    gridsat_workload::swf::SwfError,
}

/// Adds the key at which a problem was found.
pub(super) trait At<T> {
    fn at(self, key: impl fmt::Display) -> Result<T, Fault>;
}

impl<T, E: Into<Fault>> At<T> for Result<T, E> {
    fn at(self, key: impl fmt::Display) -> Result<T, Fault> {
        self.map_err(|error| Fault::At { key: key.to_string(), fault: Box::new(error.into()) })
    }
}

/// Returns the fault unless the condition holds.
pub(super) fn ensure<F: Into<Fault>>(holds: bool, fault: impl FnOnce() -> F) -> Result<(), Fault> {
    if holds { Ok(()) } else { Err(fault().into()) }
}

/// Returns a fault if the number is 0.
pub(super) fn positive(key: &'static str, number: impl Into<u64>) -> Result<(), Fault> {
    ensure(number.into() > 0, || Fault::Zero { key })
}

/// The first of these keys that is given although it must not be.
pub(super) fn given<K: Copy>(keys: &[(K, bool)]) -> Option<K> {
    keys.iter().find(|(_, is_given)| *is_given).map(|&(key, _)| key)
}

/// A text from the file in quotes, shortened.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", excerpt(text))
}

/// An entry of an array of tables: `job[3] "render"`.
pub(super) fn label(table: &str, index: usize, name: Option<&str>) -> String {
    let name = name.map(|name| format!(" {}", quoted(name)));
    format!("{table}[{index}]{}", name.unwrap_or_default())
}
