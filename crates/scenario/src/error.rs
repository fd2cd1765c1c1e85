//! What can be wrong with a scenario, told in one line.
//!
//! `FILE:LINE:COLUMN: …` where the text itself is wrong, `FILE: KEY: …` where a value makes no
//! sense.

use std::fmt;

use thiserror::Error;

use gridsat_model::io::Position;
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
    /// Where in the file, if its text is wrong.
    pub position: Option<Position>,
    /// What is wrong, with the key and the value.
    pub what: String,
}

impl ScenarioError {
    pub(super) fn new(file: &str, position: Option<Position>, what: &str) -> Self {
        Self { file: on_one_line(file), position, what: shortened(what, 600) }
    }
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file)?;
        if let Some(Position { line, column }) = self.position {
            write!(f, "{line}:{column}:")?;
        }
        write!(f, " {}", self.what)
    }
}

/// What is wrong with a value, and the keys that lead to it.
#[derive(Debug)]
pub(super) struct Fault(String);

impl Fault {
    pub fn new(what: impl fmt::Display) -> Self {
        Self(what.to_string())
    }

    pub fn in_file(&self, file: &str) -> ScenarioError {
        ScenarioError::new(file, None, &self.0)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Says at which key something is wrong.
pub(super) trait At<T> {
    fn at(self, key: impl fmt::Display) -> Result<T, Fault>;
}

impl<T, E: fmt::Display> At<T> for Result<T, E> {
    fn at(self, key: impl fmt::Display) -> Result<T, Fault> {
        self.map_err(|error| Fault(format!("{key}: {error}")))
    }
}

/// A fault unless the condition holds.
pub(super) fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), Fault> {
    if holds { Ok(()) } else { Err(Fault(what())) }
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
