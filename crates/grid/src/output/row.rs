//! A line of CSV, built in reused memory: with a million jobs, a few dozen small allocations per
//! row would take several times as long as the simulation.

use std::fmt::{Display, Write};

use gridsat_model::{Scale, Ticks};

/// Fields separated by commas.
pub(super) struct CsvRow {
    text: String,
    scale: Scale,
}

impl CsvRow {
    pub(super) fn new(scale: Scale) -> Self {
        Self { text: String::new(), scale }
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
    }

    /// The line, with its line break.
    pub(super) fn line(&mut self) -> &str {
        self.text.pop();
        self.text.push('\n');
        &self.text
    }

    /// Appends a field unchanged; names must be [`quoted`].
    pub(super) fn push(&mut self, field: impl Display) {
        write!(self.text, "{field},").expect("writing to a string does not fail");
    }

    /// Appends a field, empty for `None`.
    pub(super) fn push_or_empty(&mut self, field: Option<impl Display>) {
        match field {
            Some(field) => self.push(field),
            None => self.text.push(','),
        }
    }

    /// Appends a time in seconds, empty for `None`.
    pub(super) fn push_time(&mut self, ticks: Option<Ticks>) {
        self.push_or_empty(ticks.map(|ticks| self.scale.display(ticks)));
    }
}

/// A name as a field, in quotes if necessary. Names have no line breaks.
pub(super) fn quoted(name: &str) -> String {
    if name.contains([',', '"']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_where_csv_needs_them() {
        assert_eq!(quoted("a b"), "a b");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
        let mut row = CsvRow::new(Scale::default());
        row.push(1);
        row.push_or_empty(None::<u32>);
        row.push_time(Some(Ticks(7)));
        row.push_time(None);
        assert_eq!(row.line(), "1,,7,\n");
    }
}
