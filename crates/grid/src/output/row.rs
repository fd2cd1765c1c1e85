//! A line of CSV, built in reused memory: with a million jobs, a few dozen small allocations per
//! row would take several times as long as the simulation.

use std::fmt::Display;
use std::io::Write;

use gridsat_model::{Scale, Ticks, push_time, push_whole};

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
    #[inline]
    pub(super) fn push_text(&mut self, field: &str) {
        self.text.extend_from_slice(field.as_bytes());
        self.text.push(b',');
    }

    /// Appends an integer.
    pub(super) fn push_whole(&mut self, value: impl Into<u64>) {
        push_whole(&mut self.text, value.into());
        self.text.push(b',');
    }

    /// Appends the numbers of a user and of an application.
    pub(super) fn push_user(&mut self, user: u32, application: u32) {
        self.text.push(b'u');
        push_whole(&mut self.text, user.into());
        self.text.push(b'a');
        self.push_whole(application);
    }

    /// Appends a number with all its digits, empty for `None`. Integers, which most sizes are, are
    /// faster, and so are most others.
    pub(super) fn push_number(&mut self, value: Option<f64>) {
        const EXACT: f64 = (1_u64 << 53) as f64;
        match value {
            Some(value) if value.fract() == 0.0 && (1.0..EXACT).contains(&value) => {
                self.push_whole(value as u64);
            }
            Some(value) if (1.0..1e12).contains(&value) && has_no_ties(value) => {
                self.push_text(zmij::Buffer::new().format_finite(value));
            }
            value => self.push_or_empty(value),
        }
    }

    /// Appends a time in seconds, empty for `None`.
    pub(super) fn push_time(&mut self, ticks: Option<Ticks>) {
        if let Some(ticks) = ticks {
            push_time(&mut self.text, ticks, self.scale);
        }
        self.text.push(b',');
    }
}

/// Whether `zmij` and `Display`, which break ties differently, are certain to print the same digits
/// of a number from 1 to 10^12.
///
/// Let the number be `k / 2^j` with odd `k`, and half the distance to its neighbours `2^-(m+1)`.
/// Its exact decimals are `j` digits, of which the last two are 25 or 75. So only two decimals of
/// `j - 1` digits can be equally near. They are not the shortest if one of `j - 2` digits is within
/// that distance: if `25 / 10^j <= 2^-(m+1)`. That is so from `m = 10` on if `j >= m - 5`. Here `m`
/// is at least 12, and `j` is as large if the last six bits are not all 0.
fn has_no_ties(value: f64) -> bool {
    value.to_bits().trailing_zeros() < 6
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
                // Powers of two give numbers with ties.
                let dividers = [1.0, 8.0, 7.0, 1e9, (1_u64 << (step % 60)) as f64];
                let number = whole as f64 / dividers[step as usize % 5];
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
