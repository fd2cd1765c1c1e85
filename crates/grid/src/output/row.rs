//! A line of CSV in the making, in memory that is used again: with a million jobs, a few dozen
//! small allocations a row would take several times as long as the simulation.

use std::fmt::{Display, Write};

use gridsat_model::{Scale, Ticks};

/// Fields with commas between them.
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

    /// The line, with its end.
    pub(super) fn line(&mut self) -> &str {
        self.text.pop();
        self.text.push('\n');
        &self.text
    }

    /// A field as it is; names must be [`quoted`].
    pub(super) fn push(&mut self, field: impl Display) {
        write!(self.text, "{field},").expect("writing to a string does not fail");
    }

    /// A field, empty if there is none.
    pub(super) fn push_or_empty(&mut self, field: Option<impl Display>) {
        match field {
            Some(field) => self.push(field),
            None => self.text.push(','),
        }
    }

    /// A time in seconds, empty if there is none.
    pub(super) fn push_time(&mut self, ticks: Option<Ticks>) {
        if let Some(ticks) = ticks {
            push_seconds(&mut self.text, self.scale, ticks);
        }
        self.text.push(',');
    }
}

/// What [`Scale::display`] shows, without its allocations.
pub(super) fn push_seconds(text: &mut String, scale: Scale, ticks: Ticks) {
    let unit = scale.ticks_per_unit();
    let (whole, rest) = (ticks / unit, ticks % unit);
    let written = if rest == Ticks(0) {
        write!(text, "{whole}")
    } else {
        write!(text, "{whole}.{rest:0width$}", width = scale.decimals() as usize)
    };
    written.expect("writing to a string does not fail");
    if rest > Ticks(0) {
        text.truncate(text.trim_end_matches('0').len());
    }
}

/// A name as a field: in quotes if it has to be. Names have no line breaks.
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
    fn times_are_as_everywhere() {
        for decimals in [0, 3, 9] {
            let scale = Scale::new(decimals).expect("small");
            for ticks in [0, 1, 10, 999, 1000, 1001, 1_010_000, 123_400_000_000, u64::MAX] {
                let mut text = String::from("0");
                push_seconds(&mut text, scale, Ticks(ticks));
                assert_eq!(text, format!("0{}", scale.display(Ticks(ticks))));
            }
        }
    }

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
