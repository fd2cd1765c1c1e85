//! What a run is measured by.

use serde::{Deserialize, Serialize};

/// A number that every run gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metric {
    /// In files.
    pub name: String,
    /// For people: on axes and above columns.
    pub title: String,
    /// Of the number; empty if it has none.
    pub unit: String,
}

impl Metric {
    /// A metric by its name in files, for people, and its unit.
    pub fn new(name: &str, title: &str, unit: &str) -> Self {
        Self { name: name.to_owned(), title: title.to_owned(), unit: unit.to_owned() }
    }

    /// The title with the unit in parentheses.
    pub fn label(&self) -> String {
        with_unit(&self.title, &self.unit)
    }

    /// What its mean over runs is called; a metric that is a mean in each run is not a "mean mean".
    pub fn mean_title(&self) -> String {
        format!("Mean {}", self.title.strip_prefix("mean ").unwrap_or(&self.title))
    }

    /// The same with the unit in parentheses.
    pub fn mean_label(&self) -> String {
        with_unit(&self.mean_title(), &self.unit)
    }
}

pub(super) fn with_unit(title: &str, unit: &str) -> String {
    if unit.is_empty() { title.to_owned() } else { format!("{title} ({unit})") }
}
