//! An exact decimal number, as files hold them.
//!
//! A text such as `12.50` or `2.5e-3` is `mantissa · 10^−decimals` with the fewest decimals (0 for
//! whole numbers). No float is involved, so `0.1` is a tenth. The mantissa must fit 64 bits, which
//! is no loss: a larger one could not become ticks either.

use thiserror::Error;

use crate::{Scale, Ticks};

/// A number ≥ 0 with at most [`Scale::MAX_DECIMALS`] decimals, none of them a trailing zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    pub mantissa: u64,
    pub decimals: u8,
}

/// Why a text is not a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DecimalError {
    /// Not a number at all.
    #[error("is not a time (a decimal number, or inf where the task cannot run)")]
    NotANumber,
    /// Below zero.
    #[error("is negative")]
    Negative,
    /// Not a whole number of the smallest ticks there are.
    #[error("has more than {max} decimals", max = Scale::MAX_DECIMALS)]
    TooPrecise,
    /// Beyond 64 bits.
    #[error("is too large")]
    TooLarge,
}

impl Decimal {
    /// Reads `[+-] digits [. digits] [e [+-] digits]`, with a digit before or after the point.
    pub fn parse(text: &str) -> Result<Self, DecimalError> {
        let (negative, unsigned) = match text.as_bytes().first() {
            Some(b'-') => (true, &text[1..]),
            Some(b'+') => (false, &text[1..]),
            _ => (false, text),
        };
        let (number, exponent) = match unsigned.find(['e', 'E']) {
            Some(at) => (&unsigned[..at], parse_exponent(&unsigned[at + 1..])?),
            None => (unsigned, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if whole.len() + fraction.len() == 0 || !all_digits(whole) || !all_digits(fraction) {
            return Err(DecimalError::NotANumber);
        }
        let digits = Digits::of(whole, fraction);
        if digits.mantissa == Some(0) {
            return Ok(Self { mantissa: 0, decimals: 0 });
        }
        if negative {
            return Err(DecimalError::Negative);
        }
        digits.times_power_of_ten(exponent)
    }

    /// The number in ticks of `decimals` decimals, at least its own; `None` if they do not fit.
    pub fn ticks(self, decimals: u8) -> Option<Ticks> {
        let factor = 10_u64.checked_pow(u32::from(decimals - self.decimals))?;
        self.mantissa.checked_mul(factor).map(Ticks)
    }
}

/// A makespan to ask about: the largest whole number of ticks not above the number in `text`.
pub fn ticks_at_most(text: &str, scale: Scale) -> Result<Ticks, DecimalError> {
    let number = Decimal::parse(text)?;
    match scale.decimals().checked_sub(u32::from(number.decimals)) {
        Some(_) => number.ticks(scale.decimals() as u8).ok_or(DecimalError::TooLarge),
        None => {
            Ok(Ticks(number.mantissa / 10_u64.pow(u32::from(number.decimals) - scale.decimals())))
        }
    }
}

/// All digits without the zeros at either end: `mantissa · 10^exponent`.
struct Digits {
    /// `None` if it does not fit.
    mantissa: Option<u64>,
    exponent: i64,
}

impl Digits {
    fn of(whole: &str, fraction: &str) -> Self {
        let mut mantissa = Some(0_u64);
        let mut zeros = 0_u32; // since the last other digit
        for digit in whole.bytes().chain(fraction.bytes()).map(|byte| byte - b'0') {
            if digit == 0 {
                zeros = zeros.saturating_add(1);
            } else {
                mantissa = mantissa.and_then(|m| append(m, zeros, digit));
                zeros = 0;
            }
        }
        let exponent = i64::from(zeros) - fraction.len() as i64;
        Self { mantissa, exponent }
    }

    fn times_power_of_ten(self, power: i64) -> Result<Decimal, DecimalError> {
        let exponent = self.exponent + power;
        if exponent < -i64::from(Scale::MAX_DECIMALS) {
            return Err(DecimalError::TooPrecise);
        }
        let mantissa = self.mantissa.ok_or(DecimalError::TooLarge)?;
        if exponent < 0 {
            return Ok(Decimal { mantissa, decimals: exponent.unsigned_abs() as u8 });
        }
        let factor = u32::try_from(exponent).ok().and_then(|e| 10_u64.checked_pow(e));
        let mantissa = factor.and_then(|factor| mantissa.checked_mul(factor));
        let mantissa = mantissa.ok_or(DecimalError::TooLarge)?;
        Ok(Decimal { mantissa, decimals: 0 })
    }
}

/// `mantissa`, then this many zeros, then the digit. Leading zeros are lost on the way.
fn append(mantissa: u64, zeros: u32, digit: u8) -> Option<u64> {
    if mantissa == 0 {
        return Some(u64::from(digit));
    }
    let shifted = mantissa.checked_mul(10_u64.checked_pow(zeros + 1)?)?;
    shifted.checked_add(u64::from(digit))
}

/// The exponent, cut to ±10^12: no text is long enough for its digits to balance that.
fn parse_exponent(text: &str) -> Result<i64, DecimalError> {
    const FAR: i64 = 1_000_000_000_000;
    let (sign, digits) = match text.as_bytes().first() {
        Some(b'-') => (-1, &text[1..]),
        Some(b'+') => (1, &text[1..]),
        _ => (1, text),
    };
    if digits.is_empty() || !all_digits(digits) {
        return Err(DecimalError::NotANumber);
    }
    let add = |value: i64, byte: u8| (value * 10 + i64::from(byte - b'0')).min(FAR);
    Ok(sign * digits.bytes().fold(0, add))
}

fn all_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> (u64, u8) {
        let Decimal { mantissa, decimals } = Decimal::parse(text).expect(text);
        (mantissa, decimals)
    }

    #[test]
    fn reads_numbers_exactly() {
        for zero in ["0", "-0", "+0.000", "0e999999999999999999999", ".0", "0.", "-0e-5"] {
            assert_eq!(parsed(zero), (0, 0), "{zero}");
        }
        assert_eq!(parsed("0.1"), (1, 1));
        assert_eq!(parsed("0012.5000"), (125, 1));
        assert_eq!(parsed("100"), (100, 0));
        assert_eq!(parsed("100.0"), (100, 0));
        assert_eq!(parsed("1e3"), (1000, 0));
        assert_eq!(parsed("2.5E-3"), (25, 4));
        assert_eq!(parsed("2500e-2"), (25, 0));
        assert_eq!(parsed("0.00025e+5"), (25, 0));
        assert_eq!(parsed("0.000000000000000001"), (1, 18));
        assert_eq!(parsed("18446744073709551615"), (u64::MAX, 0));
        assert_eq!(parsed("1.000000000000000000000000"), (1, 0));
    }

    #[test]
    fn the_length_of_a_number_does_not_matter() {
        let zeros = "0".repeat(100_000);
        assert_eq!(parsed(&format!("{zeros}7.{zeros}")), (7, 0));
        assert_eq!(parsed(&format!("0.{zeros}1e100001")), (1, 0));
        assert_eq!(parsed(&format!("1{zeros}e-100000")), (1, 0));
    }

    #[test]
    fn refuses_the_rest_with_a_reason() {
        use DecimalError::*;
        let cases = [
            ("", NotANumber),
            ("-", NotANumber),
            (".", NotANumber),
            ("1.2.3", NotANumber),
            ("1e", NotANumber),
            ("1e+", NotANumber),
            ("1e1.5", NotANumber),
            ("nan", NotANumber),
            ("-inf", NotANumber),
            ("0x10", NotANumber),
            ("1 2", NotANumber),
            ("--1", NotANumber),
            ("٣", NotANumber),
            ("-1", Negative),
            ("-1e-99", Negative),
            ("1e-19", TooPrecise),
            ("1e-999999999999999999999", TooPrecise),
            ("0.1234567890123456789", TooPrecise),
            ("18446744073709551616", TooLarge),
            ("1e20", TooLarge),
            ("1e999999999", TooLarge),
        ];
        for (text, reason) in cases {
            assert_eq!(Decimal::parse(text), Err(reason), "{text}");
        }
    }

    #[test]
    fn scales_to_ticks() {
        let tenth = Decimal::parse("0.1").expect("valid");
        assert_eq!(tenth.ticks(1), Some(Ticks(1)));
        assert_eq!(tenth.ticks(18), Some(Ticks(100_000_000_000_000_000)));
        assert_eq!(Decimal::parse("19").expect("valid").ticks(18), None);
    }
}
