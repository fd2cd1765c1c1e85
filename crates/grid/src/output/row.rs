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

    /// Appends a field that is printed by its type.
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

    /// Appends a field unchanged; names must be [`quoted`].
    pub(super) fn push_text(&mut self, field: &str) {
        self.text.push_str(field);
        self.text.push(',');
    }

    /// Appends an integer.
    pub(super) fn push_whole(&mut self, value: impl Into<u64>) {
        self.add_whole(value.into());
        self.text.push(',');
    }

    /// Appends the numbers of a user and of an application.
    pub(super) fn push_user(&mut self, user: u32, application: u32) {
        self.text.push('u');
        self.add_whole(user.into());
        self.text.push('a');
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
            self.add_whole(ticks / unit);
            self.add_decimals((ticks % unit).0, unit.0);
        }
        self.text.push(',');
    }

    /// Appends `part / unit` as decimals, without zeros at the end; `unit` is a power of ten.
    fn add_decimals(&mut self, mut part: u64, mut unit: u64) {
        if part > 0 {
            self.text.push('.');
        }
        // Three digits at a time: most times have few.
        while part > 0 && unit >= 1000 {
            unit /= 1000;
            let digits = (part / unit) as usize;
            part %= unit;
            let digits = [digits / 100, digits / 10 % 10, digits % 10];
            let used =
                if part > 0 { 3 } else { 3 - digits.iter().rev().take_while(|&&d| d == 0).count() };
            digits[..used].iter().for_each(|&digit| self.text.push((b'0' + digit as u8) as char));
        }
        while part > 0 {
            unit /= 10;
            self.text.push((b'0' + (part / unit) as u8) as char);
            part %= unit;
        }
    }

    fn add_whole(&mut self, mut value: u64) {
        let mut digits = [b'0'; 20];
        let mut first = digits.len();
        loop {
            first -= 1;
            digits[first] = b'0' + (value % 10) as u8;
            value /= 10;
            if value == 0 {
                break;
            }
        }
        self.text.extend(digits[first..].iter().map(|&digit| digit as char));
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
        assert_eq!(row.line(), "1,,7,\n");
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
                assert_eq!(row.line(), format!("{whole},{time},{number},u{step}a3\n"));
            }
        }
        let mut row = CsvRow::new(Scale::default());
        [0.0, -0.0, 0.5, f64::INFINITY].into_iter().for_each(|value| row.push_number(Some(value)));
        row.push_number(None);
        assert_eq!(row.line(), "0,-0,0.5,inf,\n");
    }
}
