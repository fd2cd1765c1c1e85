//! A line of CSV, built in reused memory: with a million jobs, a few dozen small allocations per
//! row would take several times as long as the simulation.

use std::fmt::Display;
use std::io::Write;

use gridsat_model::{Scale, Ticks};

/// Fields separated by commas.
pub(super) struct CsvRow {
    text: Vec<u8>,
    scale: Scale,
}

impl CsvRow {
    pub(super) fn new(scale: Scale) -> Self {
        Self { text: Vec::new(), scale }
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
    }

    /// The line, with its line break.
    pub(super) fn line(&mut self) -> &[u8] {
        self.text.pop();
        self.text.push(b'\n');
        &self.text
    }

    /// Appends a field that is printed by its type.
    pub(super) fn push(&mut self, field: impl Display) {
        write!(self.text, "{field},").expect("writing to memory does not fail");
    }

    /// Appends a field, empty for `None`.
    pub(super) fn push_or_empty(&mut self, field: Option<impl Display>) {
        match field {
            Some(field) => self.push(field),
            None => self.text.push(b','),
        }
    }

    /// Appends a field unchanged; names must be [`quoted`].
    pub(super) fn push_text(&mut self, field: &str) {
        self.text.extend_from_slice(field.as_bytes());
        self.text.push(b',');
    }

    /// Appends an integer.
    pub(super) fn push_whole(&mut self, value: impl Into<u64>) {
        self.add_whole(value.into());
        self.text.push(b',');
    }

    /// Appends the numbers of a user and of an application.
    pub(super) fn push_user(&mut self, user: u32, application: u32) {
        self.text.push(b'u');
        self.add_whole(user.into());
        self.text.push(b'a');
        self.push_whole(application);
    }

    /// Appends a number with all its digits, empty for `None`. Integers, which most sizes are, are
    /// faster.
    pub(super) fn push_number(&mut self, value: Option<f64>) {
        const EXACT: f64 = (1_u64 << 53) as f64;
        match value {
            Some(value) if value.fract() == 0.0 && (1.0..EXACT).contains(&value) => {
                self.push_whole(value as u64);
            }
            value => self.push_or_empty(value),
        }
    }

    /// Appends a time in seconds, empty for `None`.
    pub(super) fn push_time(&mut self, ticks: Option<Ticks>) {
        if let Some(ticks) = ticks {
            let unit = self.scale.ticks_per_unit();
            let (whole, part) = match unit {
                // Division by a constant is faster.
                NANOSECONDS => (ticks / NANOSECONDS, ticks % NANOSECONDS),
                unit => (ticks / unit, ticks % unit),
            };
            self.add_whole(whole);
            if part > Ticks(0) {
                self.add_decimals((unit + part).0);
            }
        }
        self.text.push(b',');
    }

    /// Appends decimals, given as digits after a 1, without the zeros at the end.
    fn add_decimals(&mut self, digits: u64) {
        let mut buffer = itoa::Buffer::new();
        let digits = buffer.format(digits).as_bytes();
        let zeros = digits.iter().rev().take_while(|&&digit| digit == b'0').count();
        self.text.push(b'.');
        self.text.extend_from_slice(&digits[1..digits.len() - zeros]);
    }

    fn add_whole(&mut self, value: u64) {
        self.text.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
    }
}

/// The usual ticks in a second.
const NANOSECONDS: Ticks = Ticks(1_000_000_000);

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
    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

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
        assert_eq!(row.line(), b"1,,7,\n");
    }

    /// The fast fields are those that the types print themselves.
    #[test]
    fn numbers_and_times_are_printed_as_by_their_types() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        for decimals in [0, 2, 6, 9] {
            let scale = Scale::new(decimals).expect("few decimals");
            let mut row = CsvRow::new(scale);
            for step in 0..2_000_u32 {
                let bits = random.random_range(0..64);
                let whole = random.random::<u64>() >> bits;
                let ticks = if step % 3 == 0 { whole / 1000 * 1000 } else { whole };
                let number =
                    [whole as f64, whole as f64 / 8.0, whole as f64 / 7.0][step as usize % 3];
                row.clear();
                row.push_whole(whole);
                row.push_time(Some(Ticks(ticks)));
                row.push_number(Some(number));
                row.push_user(step, 3);
                let time = scale.display(Ticks(ticks));
                assert_eq!(row.line(), format!("{whole},{time},{number},u{step}a3\n").as_bytes());
            }
        }
        let mut row = CsvRow::new(Scale::default());
        [0.0, -0.0, 0.5, f64::INFINITY].into_iter().for_each(|value| row.push_number(Some(value)));
        row.push_number(None);
        assert_eq!(row.line(), b"0,-0,0.5,inf,\n");
    }
}
