//! Metrics of a run.

use serde::{Deserialize, Serialize};

/// A number that every run yields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metric {
    /// The name in files.
    pub name: String,
    /// Title for people: on axes and above columns.
    pub title: String,
    /// Unit of the number; empty if it has none.
    pub unit: String,
}

impl Metric {
    /// A metric with its name in files, its title and its unit.
    pub fn new(name: &str, title: &str, unit: &str) -> Self {
        Self { name: name.to_owned(), title: title.to_owned(), unit: unit.to_owned() }
    }

    /// The title with the unit in parentheses.
    pub fn label(&self) -> String {
        with_unit(&self.title, &self.unit)
    }

    /// The title of its mean over runs; avoids "mean mean" for metrics that are means themselves.
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
