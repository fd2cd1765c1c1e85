//! Whole numbers and times as digits at the end of a line, for tables of millions of rows.
//!
//! As `Display` prints them, but without `core::fmt`, and without a copy of variable length per
//! number: digits are put together before and after a fixed place in a small array, of which a
//! fixed number of bytes is appended and then cut.

use super::time::{Scale, Ticks};

/// The place of the point, after room for the digits of the largest `u64`.
const POINT: usize = 20;

/// Digits before the point, the point, and at most [`Scale::MAX_DECIMALS`] decimals.
const MOST: usize = 40;

const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[b'0'; 2]; 100];
    let mut number = 0;
    while number < 100 {
        pairs[number] = [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
        number += 1;
    }
    pairs
};

/// Appends a whole number.
///
/// ```
/// let mut line = b"job ".to_vec();
/// gridsat_model::push_whole(&mut line, 1204);
/// assert_eq!(line, b"job 1204");
/// ```
#[inline]
pub fn push_whole(line: &mut Vec<u8>, number: u64) {
    if number < 10 {
        return line.push(b'0' + number as u8);
    }
    Digits::of(number).append_to(line);
}

/// Appends a time as [`Scale::display`] prints it.
///
/// ```
/// use gridsat_model::{Scale, Ticks};
///
/// let mut line = Vec::new();
/// gridsat_model::push_time(&mut line, Ticks(3050), Scale::new(2).expect("few decimals"));
/// assert_eq!(line, b"30.5");
/// ```
pub fn push_time(line: &mut Vec<u8>, Ticks(ticks): Ticks, scale: Scale) {
    // Divisions by constants are faster.
    let (whole, part) = match scale.decimals() {
        0 => return push_whole(line, ticks),
        9 => (ticks / 1_000_000_000, ticks % 1_000_000_000),
        _ => (ticks / scale.ticks_per_unit().0, ticks % scale.ticks_per_unit().0),
    };
    if part == 0 {
        return push_whole(line, whole);
    }
    let mut digits = Digits::of(whole);
    match scale.decimals() {
        9 => digits.add_nine(part as u32),
        decimals => digits.add_decimals(part, decimals as usize),
    }
    digits.append_to(line);
}

/// The digits of a number, from `start` to `end`.
struct Digits {
    places: [u8; POINT + MOST],
    start: usize,
    end: usize,
}

impl Digits {
    #[inline]
    fn of(number: u64) -> Self {
        let mut digits = Self { places: [b'0'; POINT + MOST], start: POINT, end: POINT };
        let mut rest = number;
        while rest > u64::from(u32::MAX) {
            digits.start -= 2;
            digits.put(digits.start, (rest % 100) as u32);
            rest /= 100;
        }
        // Shorter divisions.
        let mut rest = rest as u32;
        while rest >= 10 {
            digits.start -= 2;
            digits.put(digits.start, rest % 100);
            rest /= 100;
        }
        if rest > 0 || digits.start == POINT {
            digits.start -= 1;
            digits.places[digits.start] = b'0' + rest as u8;
        }
        digits
    }

    #[inline]
    fn put(&mut self, place: usize, pair: u32) {
        [self.places[place], self.places[place + 1]] = PAIRS[pair as usize];
    }

    /// Adds a point and decimals, not all of them zeros.
    fn add_decimals(&mut self, mut part: u64, decimals: usize) {
        self.places[POINT] = b'.';
        for place in (POINT + 1..=POINT + decimals).rev() {
            self.places[place] = b'0' + (part % 10) as u8;
            part /= 10;
        }
        self.end_with(decimals);
    }

    /// The same for nine decimals, as usual.
    #[inline]
    fn add_nine(&mut self, part: u32) {
        let (high, low) = (part / 10_000, part % 10_000);
        let (first, middle) = (high / 10_000, high % 10_000);
        self.places[POINT] = b'.';
        self.places[POINT + 1] = b'0' + first as u8;
        self.put(POINT + 2, middle / 100);
        self.put(POINT + 4, middle % 100);
        self.put(POINT + 6, low / 100);
        self.put(POINT + 8, low % 100);
        self.end_with(9);
    }

    /// Ends after these decimals without the zeros at their end.
    #[inline]
    fn end_with(&mut self, decimals: usize) {
        self.end = POINT + 1 + decimals;
        while self.places[self.end - 1] == b'0' {
            self.end -= 1;
        }
    }

    #[inline]
    fn append_to(&self, line: &mut Vec<u8>) {
        let end = line.len() + self.end - self.start;
        line.extend_from_slice(&self.places[self.start..self.start + MOST]);
        line.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers with all lengths, and with zeros at their ends.
    fn numbers() -> impl Iterator<Item = u64> {
        let powers = (0..20).map(|power| 10_u64.pow(power));
        let around = powers.flat_map(|ten| [ten - 1, ten, ten + 1, ten.saturating_mul(7)]);
        let mixed = (0..64).flat_map(|bits| {
            let number = 0x9E37_79B9_7F4A_7C15_u64 >> bits;
            [number, number / 1000 * 1000, number / 100_000 * 100_000]
        });
        around.chain(mixed).chain([u64::MAX])
    }

    #[test]
    fn digits_are_those_that_display_prints() {
        let mut count = 0;
        for number in numbers() {
            let mut line = b"x".to_vec();
            push_whole(&mut line, number);
            assert_eq!(line, format!("x{number}").as_bytes());
            for decimals in 0..=Scale::MAX_DECIMALS {
                let scale = Scale::new(decimals).expect("few decimals");
                line.clear();
                push_time(&mut line, Ticks(number), scale);
                let expected = scale.display(Ticks(number)).to_string();
                assert_eq!(String::from_utf8_lossy(&line), expected, "{decimals} decimals");
                count += 1;
            }
        }
        assert!(count > 5_000, "{count}");
    }
}
