//! Whole numbers and times as digits at the end of a line, for tables of millions of rows.
//!
//! As `Display` prints them, but without `core::fmt`. Eight digits at a time are computed in one
//! register and appended as eight bytes, of which those that are too many are cut off: nothing is
//! copied in single bytes or in variable length.

use super::time::{Scale, Ticks};

/// The first number with nine digits.
const NINE: u64 = 100_000_000;

/// Appends a whole number.
///
/// ```
/// let mut line = b"job ".to_vec();
/// gridsat_model::push_whole(&mut line, 1204);
/// assert_eq!(line, b"job 1204");
/// ```
#[inline]
pub fn push_whole(line: &mut Vec<u8>, number: u64) {
    match number {
        0..10 => line.push(b'0' + number as u8),
        10..NINE => push_short(line, number),
        _ => push_long(line, number),
    }
}

/// Appends a number from 1 to 99,999,999.
#[inline]
fn push_short(line: &mut Vec<u8>, number: u64) {
    let digits = eight_digits(number);
    let zeros = digits.trailing_zeros() / 8;
    line.extend_from_slice(&(ascii(digits) >> (8 * zeros)).to_le_bytes());
    line.truncate(line.len() - zeros as usize);
}

/// Appends a number with nine or more digits.
fn push_long(line: &mut Vec<u8>, number: u64) {
    push_whole(line, number / NINE);
    line.extend_from_slice(&ascii(eight_digits(number % NINE)).to_le_bytes());
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
        _ if scale.parts() != 1 => {
            return line.extend(scale.display(Ticks(ticks)).to_string().bytes());
        }
        0 => return push_whole(line, ticks),
        9 => (ticks / 1_000_000_000, ticks % 1_000_000_000),
        _ => (ticks / scale.ticks_per_unit().0, ticks % scale.ticks_per_unit().0),
    };
    push_whole(line, whole);
    match scale.decimals() {
        _ if part == 0 => {}
        decimals @ 0..=9 => push_decimals(line, part * 10_u64.pow(9 - decimals)),
        decimals => push_many_decimals(line, part, decimals as usize),
    }
}

/// Appends a point and this many decimals, not all of them zeros, without zeros at the end.
fn push_many_decimals(line: &mut Vec<u8>, mut part: u64, decimals: usize) {
    line.push(b'.');
    let start = line.len();
    line.resize(start + decimals, b'0');
    for place in line[start..].iter_mut().rev() {
        *place += (part % 10) as u8;
        part /= 10;
    }
    while line.last() == Some(&b'0') {
        line.pop();
    }
}

/// Appends a point and billionths, at least one, without zeros at the end.
#[inline]
fn push_decimals(line: &mut Vec<u8>, billionths: u64) {
    line.extend_from_slice(&[b'.', b'0' + (billionths / NINE) as u8]);
    let digits = eight_digits(billionths % NINE);
    line.extend_from_slice(&ascii(digits).to_le_bytes());
    line.truncate(line.len() - digits.leading_zeros() as usize / 8);
}

/// The digits of a number below 10^8, one in each byte, the first in the lowest.
///
/// Halves the number again and again: into two numbers of four digits, four of two, eight of one.
/// A division by 100 or 10 is a multiplication and a shift, exact for numbers of at most four and
/// two digits, and does not reach into the neighbours.
#[inline]
fn eight_digits(number: u64) -> u64 {
    let fours = (number / 10_000) | ((number % 10_000) << 32);
    let hundreds = ((fours * 5_243) >> 19) & 0x7f_0000_007f;
    let twos = hundreds | (fours - 100 * hundreds) << 16;
    let tens = ((twos * 103) >> 10) & 0x000f_000f_000f_000f;
    tens | (twos - 10 * tens) << 8
}

/// Digits as text.
#[inline]
fn ascii(digits: u64) -> u64 {
    digits | 0x3030_3030_3030_3030
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

    /// The smallest and largest numbers of two and four digits in all places, and many others.
    #[test]
    fn eight_digits_are_right() {
        let all = (0..NINE).step_by(997).chain((0..10_000).map(|low| low * 10_001));
        for number in all.chain([NINE - 1]) {
            let digits = ascii(eight_digits(number)).to_le_bytes();
            assert_eq!(digits, format!("{number:08}").as_bytes(), "{number}");
        }
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
            let thirds = Scale::of_parts(3).expect("few");
            line.clear();
            push_time(&mut line, Ticks(number), thirds);
            let expected = thirds.display(Ticks(number)).to_string();
            assert_eq!(String::from_utf8_lossy(&line), expected);
        }
        assert!(count > 5_000, "{count}");
    }
}
