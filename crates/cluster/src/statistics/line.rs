//! Lines of a CSV table, put together in memory that is reused: formatting through `core::fmt`
//! took longer than the simulation. No cell needs quotation marks.

use crate::grid::NodeShare;
use gridsat_model::{Scale, Ticks};

/// Lines of cells.
pub struct Line {
    bytes: Vec<u8>,
    digits: itoa::Buffer,
    /// Ticks per unit of time, and its number of zeros.
    unit: u64,
    decimals: usize,
}

impl Line {
    /// No lines; times are of this scale.
    pub fn new(scale: Scale) -> Self {
        let (unit, decimals) = (scale.ticks_per_unit().0, scale.decimals() as usize);
        Self { bytes: Vec::new(), digits: itoa::Buffer::new(), unit, decimals }
    }

    /// Removes all lines.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// All lines since the last [`Line::clear`].
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Many numbers have one digit: clusters, groups, priorities, suspensions.
    #[inline]
    fn digits(&mut self, number: impl itoa::Integer + Copy + TryInto<u8>) {
        match number.try_into() {
            Ok(digit @ 0..10) => self.bytes.push(b'0' + digit),
            _ => self.bytes.extend_from_slice(self.digits.format(number).as_bytes()),
        }
    }

    /// Adds a cell with a whole number.
    #[inline]
    pub fn number(&mut self, number: impl itoa::Integer + Copy + TryInto<u8>) {
        self.digits(number);
        self.bytes.push(b',');
    }

    /// Adds a cell with a time, as [`Scale::display`] shows it; an empty one without a time.
    #[inline]
    pub fn time(&mut self, time: Option<Ticks>) {
        if let Some(Ticks(ticks)) = time {
            if self.decimals == 0 {
                self.digits(ticks);
            } else {
                self.decimal(ticks);
            }
        }
        self.bytes.push(b',');
    }

    fn decimal(&mut self, ticks: u64) {
        self.digits(ticks / self.unit);
        let part = ticks % self.unit;
        if part > 0 {
            self.bytes.push(b'.');
            let shown = self.digits.format(part).as_bytes();
            self.bytes.resize(self.bytes.len() + self.decimals - shown.len(), b'0');
            self.bytes.extend_from_slice(shown);
            while self.bytes.last() == Some(&b'0') {
                self.bytes.pop();
            }
        }
    }

    /// Adds a cell with the nodes of a job.
    pub fn parts(&mut self, parts: &[NodeShare]) {
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.bytes.push(b' ');
            }
            self.digits(part.cluster.0);
            self.bytes.push(b':');
            self.digits(part.group);
            self.bytes.push(b':');
            self.digits(part.nodes);
        }
        self.bytes.push(b',');
    }

    /// Adds the last cell and the end of the line.
    pub fn last(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.bytes.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_as_everywhere() {
        for decimals in [0, 1, 3, 9] {
            let scale = Scale::new(decimals).expect("small");
            for ticks in [0, 1, 7, 10, 99, 100, 1010, 123_456_000, 1_000_000_001, u64::MAX] {
                let mut line = Line::new(scale);
                line.time(Some(Ticks(ticks)));
                let expected = format!("{},", scale.display(Ticks(ticks)));
                assert_eq!(String::from_utf8_lossy(line.bytes()), expected, "{decimals}");
            }
        }
    }
}
