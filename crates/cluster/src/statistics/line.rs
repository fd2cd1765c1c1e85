//! Lines of a CSV table, put together in memory that is reused: formatting through `core::fmt`
//! took longer than the simulation. No cell needs quotation marks.

use crate::grid::NodeShare;
use gridsat_model::{Scale, Ticks, push_time, push_whole};

/// Lines of cells.
pub struct Line {
    bytes: Vec<u8>,
    scale: Scale,
}

impl Line {
    /// No lines; times are of this scale.
    pub fn new(scale: Scale) -> Self {
        Self { bytes: Vec::new(), scale }
    }

    /// Removes all lines.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }

    /// All lines since the last [`Line::clear`].
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Adds a cell with a whole number.
    #[inline]
    pub fn number(&mut self, number: impl Into<u64>) {
        push_whole(&mut self.bytes, number.into());
        self.bytes.push(b',');
    }

    /// Adds a cell with a whole number that may be negative.
    #[inline]
    pub fn signed(&mut self, number: i32) {
        if number < 0 {
            self.bytes.push(b'-');
        }
        self.number(number.unsigned_abs());
    }

    /// Adds a cell with a time, as [`Scale::display`] shows it; an empty one without a time.
    pub fn time(&mut self, time: Option<Ticks>) {
        if let Some(ticks) = time {
            push_time(&mut self.bytes, ticks, self.scale);
        }
        self.bytes.push(b',');
    }

    /// Adds a cell with the nodes of a job.
    pub fn parts(&mut self, parts: &[NodeShare]) {
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.bytes.push(b' ');
            }
            push_whole(&mut self.bytes, part.cluster.0.into());
            self.bytes.push(b':');
            push_whole(&mut self.bytes, part.group.into());
            self.bytes.push(b':');
            push_whole(&mut self.bytes, part.nodes.into());
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
    fn numbers_are_shown_as_everywhere() {
        for number in [0, 7, -7, 10, i32::MAX, i32::MIN] {
            let mut line = Line::new(Scale::default());
            line.signed(number);
            assert_eq!(String::from_utf8_lossy(line.bytes()), format!("{number},"));
        }
    }

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
