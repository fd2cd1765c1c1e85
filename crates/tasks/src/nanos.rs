//! Durations as logs write them, in whole nanoseconds: `0.012`, `1.2e-3`, `00:01:30`, `1-02:03:04`,
//! `1m 30s`, `350ms`.
//!
//! Decimal digits are read as such, not as floating point; what is finer than a nanosecond is
//! rounded up. A measurement is never that exact.

use gridsat_model::text::excerpt;

/// Nanoseconds in a second.
pub const NANOS: u64 = 1_000_000_000;

/// Longest duration, in seconds: 100 years. A larger number is a time stamp or an error.
const LONGEST: u64 = 100 * 366 * 86_400;

const TOO_LONG: &str = "is longer than 100 years";
const NOT_A_TIME: &str = "is not a duration";

/// Seconds as a decimal number, in nanoseconds.
pub(crate) fn seconds(text: &str) -> Result<u64, String> {
    of_unit(text, NANOS).map_err(|why| wrong(text, why))
}

/// A duration as people and job runners write it: `90`, `90s`, `1m 30s`, `1.5h`, `00:01:30`,
/// `1-02:03:04`. A number without a unit is seconds. In nanoseconds.
///
/// ```
/// assert_eq!(gridsat_tasks::duration("1m 30s"), Ok(90 * gridsat_tasks::NANOS));
/// assert!(gridsat_tasks::duration("soon").is_err());
/// ```
pub fn duration(text: &str) -> Result<u64, String> {
    let trimmed = text.trim();
    let result = match trimmed {
        _ if trimmed.contains(':') => clock(trimmed),
        _ if trimmed.ends_with(|c: char| c.is_ascii_alphabetic()) => units(trimmed),
        _ => of_unit(trimmed, NANOS),
    };
    result.map_err(|why| wrong(text, why))
}

fn wrong(text: &str, why: &str) -> String {
    format!("'{}' {why}", excerpt(text))
}

/// `[days-]hours:minutes:seconds[.fraction]`, or `minutes:seconds`.
fn clock(text: &str) -> Result<u64, &'static str> {
    let (days, rest) = match text.split_once('-') {
        Some((days, rest)) => (whole(days)?, rest),
        None => (0, text),
    };
    let parts: Vec<&str> = rest.split(':').collect();
    let (hours, minutes, seconds) = match parts.as_slice() {
        [minutes, seconds] => (0, whole(minutes)?, *seconds),
        [hours, minutes, seconds] => (whole(hours)?, whole(minutes)?, *seconds),
        _ => return Err(NOT_A_TIME),
    };
    let hours = days.saturating_mul(24).saturating_add(hours);
    let minutes = hours.saturating_mul(60).saturating_add(minutes);
    let before = minutes.checked_mul(60).filter(|&seconds| seconds <= LONGEST).ok_or(TOO_LONG)?;
    Ok(before * NANOS + of_unit(seconds, NANOS)?)
}

/// Numbers with units, such as `1h 2m 3.5s` or `320ms`.
fn units(text: &str) -> Result<u64, &'static str> {
    let mut total = 0_u64;
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').ok_or(NOT_A_TIME)?;
        let (number, after) = rest.split_at(digits);
        let after = after.trim_start();
        let letters = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, next) = after.split_at(letters);
        let unit = match unit {
            "ns" => 1,
            "us" => 1_000,
            "ms" => 1_000_000,
            "s" | "sec" => NANOS,
            "m" | "min" => 60 * NANOS,
            "h" => 3_600 * NANOS,
            "d" => 86_400 * NANOS,
            _ => return Err("is not a duration (units: ns, us, ms, s, m, h, d)"),
        };
        let sum = total.checked_add(of_unit(number, unit)?);
        total = sum.filter(|&sum| sum / NANOS <= LONGEST).ok_or(TOO_LONG)?;
        rest = next.trim_start();
    }
    Ok(total)
}

fn whole(text: &str) -> Result<u64, &'static str> {
    match !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        true => text.parse().map_err(|_| TOO_LONG),
        false => Err(NOT_A_TIME),
    }
}

/// A decimal number of units of so many nanoseconds, rounded up.
fn of_unit(text: &str, unit: u64) -> Result<u64, &'static str> {
    let text = text.trim();
    let (number, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], text[at + 1..].parse::<i32>().map_err(|_| NOT_A_TIME)?),
        None => (text, 0),
    };
    let (negative, number) = match number.strip_prefix('-') {
        Some(number) => (true, number),
        None => (false, number.strip_prefix('+').unwrap_or(number)),
    };
    let (before, after) = number.split_once('.').unwrap_or((number, ""));
    let digits = || before.bytes().chain(after.bytes());
    if before.len() + after.len() == 0 || !digits().all(|byte| byte.is_ascii_digit()) {
        return Err(NOT_A_TIME);
    }
    let is_zero = digits().all(|byte| byte == b'0');
    match (negative, is_zero) {
        (_, true) => Ok(0),
        (true, _) => Err("is negative"),
        _ => scaled(digits(), i64::from(exponent) - after.len() as i64, unit),
    }
}

/// `digits · 10^exponent · unit`, rounded up.
fn scaled(digits: impl Iterator<Item = u8>, exponent: i64, unit: u64) -> Result<u64, &'static str> {
    /// Beyond this many significant digits all of them together only decide how to round.
    const MOST: usize = 20;
    let digits: Vec<u128> =
        digits.skip_while(|&byte| byte == b'0').map(|b| (b - b'0').into()).collect();
    let (kept, cut) = digits.split_at(digits.len().min(MOST));
    let mantissa = kept.iter().fold(0_u128, |sum, digit| 10 * sum + digit);
    let mantissa = mantissa + u128::from(cut.iter().any(|&digit| digit > 0));
    let exponent = exponent + cut.len() as i64;
    let units = mantissa * u128::from(unit);
    let nanos = match exponent {
        0.. => {
            let power = u32::try_from(exponent).ok().and_then(|e| 10_u128.checked_pow(e));
            power.and_then(|power| units.checked_mul(power)).ok_or(TOO_LONG)?
        }
        _ => {
            let power = u32::try_from(-exponent).ok().and_then(|e| 10_u128.checked_pow(e));
            power.map_or(1, |power| units.div_ceil(power))
        }
    };
    let nanos = u64::try_from(nanos).map_err(|_| TOO_LONG)?;
    if nanos / NANOS > LONGEST { Err(TOO_LONG) } else { Ok(nanos) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_exact_and_rounded_up() {
        let cases = [
            ("0", 0),
            ("0.011", 11_000_000),
            ("1.2e-3", 1_200_000),
            ("5e1", 50 * NANOS),
            ("+.5", NANOS / 2),
            ("0.05460048999998435", 54_600_490),
            ("1e-30", 1),
            ("0.0000000010000000000000000000000000000001", 2),
            ("-0.0", 0),
            ("007", 7 * NANOS),
        ];
        for (text, nanos) in cases {
            assert_eq!(seconds(text), Ok(nanos), "{text}");
        }
    }

    #[test]
    fn clocks_and_units_are_read() {
        let cases = [
            ("00:01:30", 90),
            ("1-02:03:04", 93_784),
            ("02:05", 125),
            ("1h 2m 3s", 3_723),
            ("10m", 600),
            ("2d", 172_800),
            ("90", 90),
            ("1.5h", 5_400),
        ];
        for (text, seconds) in cases {
            assert_eq!(duration(text), Ok(seconds * NANOS), "{text}");
        }
        assert_eq!(duration("1m 2.5s"), Ok(62_500_000_000));
        assert_eq!(duration("320 ms"), Ok(320_000_000));
        assert_eq!(duration("00:00:01.25"), Ok(1_250_000_000));
    }

    #[test]
    fn nonsense_is_named() {
        let cases = [
            ("", "'' is not a duration"),
            ("-1", "'-1' is negative"),
            ("nan", "'nan' is not a duration (units: ns, us, ms, s, m, h, d)"),
            ("1e99", "'1e99' is longer than 100 years"),
            ("1e999999999999", "'1e999999999999' is not a duration"),
            (
                "99999999999999999999999999:00",
                "'99999999999999999999999999:00' is longer than 100 years",
            ),
            (
                "1-0:18446744073709551615:00",
                "'1-0:18446744073709551615:00' is longer than 100 years",
            ),
            ("1:2:3:4", "'1:2:3:4' is not a duration"),
            ("1x", "'1x' is not a duration (units: ns, us, ms, s, m, h, d)"),
            ("s", "'s' is not a duration"),
        ];
        for (text, message) in cases {
            assert_eq!(duration(text), Err(message.to_owned()), "{text}");
        }
        assert_eq!(seconds("1:30"), Err("'1:30' is not a duration".to_owned()));
    }
}
