//! What can be wrong with a scenario, told in one line.
//!
//! `FILE:LINE:COLUMN: …` where the text itself is wrong, `FILE:LINE:COLUMN: KEY: …` where a value
//! makes no sense; without the place if there is none in the file.

use std::fmt;

use thiserror::Error;

use gridsat_model::io::Position;
use gridsat_model::names::choices;
use gridsat_model::text::{excerpt, on_one_line, shortened};

/// A file that is no scenario. Shown in one line, whatever the file holds.
///
/// ```
/// let error = "seed = -1".parse::<gridsat_scenario::Scenario>().err();
/// assert!(error.is_some_and(|error| !error.to_string().contains('\n')));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct ScenarioError {
    /// The file's name.
    pub file: String,
    /// Where in the file, if the file has the value or its table.
    pub position: Option<Position>,
    /// What is wrong, with the key and the value.
    pub fault: Fault,
}

impl ScenarioError {
    pub(super) fn new(file: &str, position: Option<Position>, fault: impl Into<Fault>) -> Self {
        Self { file: on_one_line(file), position, fault: fault.into() }
    }

    /// What is wrong, cut short if the file holds something long.
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

/// What is wrong with a value, and the keys that lead to it.
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
    /// Whatever is wrong in one place alone, and what other readers say.
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

/// What others say is wrong, in their words.
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

/// Says at which key something is wrong.
pub(super) trait At<T> {
    fn at(self, key: impl fmt::Display) -> Result<T, Fault>;
}

impl<T, E: Into<Fault>> At<T> for Result<T, E> {
    fn at(self, key: impl fmt::Display) -> Result<T, Fault> {
        self.map_err(|error| Fault::At { key: key.to_string(), fault: Box::new(error.into()) })
    }
}

/// A fault unless the condition holds.
pub(super) fn ensure<F: Into<Fault>>(holds: bool, fault: impl FnOnce() -> F) -> Result<(), Fault> {
    if holds { Ok(()) } else { Err(fault().into()) }
}

/// A fault if the number is 0.
pub(super) fn positive(key: &'static str, number: impl Into<u64>) -> Result<(), Fault> {
    ensure(number.into() > 0, || Fault::Zero { key })
}

/// The first of these keys that is given, where none should be.
pub(super) fn given<K: Copy>(keys: &[(K, bool)]) -> Option<K> {
    keys.iter().find(|(_, is_given)| *is_given).map(|&(key, _)| key)
}

/// A text of the file in quotes, cut short.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", excerpt(text))
}

/// An entry of an array of tables: `job[3] "render"`.
pub(super) fn label(table: &str, index: usize, name: Option<&str>) -> String {
    let name = name.map(|name| format!(" {}", quoted(name)));
    format!("{table}[{index}]{}", name.unwrap_or_default())
}
