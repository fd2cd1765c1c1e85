//! A decimal number as it is written in files.
//!
//! A text such as `12.50` or `2.5e-3` is `mantissa · 10^−decimals` with the fewest decimals (0
//! for whole numbers). No float is involved, so `0.1` is exactly a tenth. A number with more digits
//! than the mantissa holds is cut: it is rounded up in its last place. That place is finer than any
//! tick in which the number fits ([`Instance::MAX_TOTAL`](crate::Instance::MAX_TOTAL)), so rounding
//! it up to a tick gives the same result as rounding up the number itself.

use thiserror::Error;

use crate::{Scale, Ticks};

/// Numbers with more decimals are treated as if they had this many: no tick is that fine.
const MANY_DECIMALS: u16 = 9_999;

/// A number ≥ 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    pub mantissa: u64,
    pub decimals: u16,
    /// Whether it was rounded up because it has too many digits.
    pub cut: bool,
}

/// Why a text is not a valid time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DecimalError {
    /// The text is not a number.
    #[error("is not a time (a decimal number, or inf where the task cannot run)")]
    NotANumber,
    /// The number is below zero.
    #[error("is negative")]
    Negative,
    /// The number is not a whole multiple of the finest possible tick.
    #[error("has more than {max} decimals or 19 digits", max = Scale::MAX_DECIMALS)]
    TooPrecise,
    /// The number exceeds 64 bits, whatever the tick.
    #[error("is too large: all times together must stay below 4.6e18 (use a larger unit)")]
    TooLarge,
}

impl Decimal {
    pub const ZERO: Self = Self { mantissa: 0, decimals: 0, cut: false };

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
        if digits.mantissa == 0 {
            return Ok(Self::ZERO);
        }
        if negative {
            return Err(DecimalError::Negative);
        }
        digits.times_power_of_ten(exponent)
    }

    /// Whether it is a whole number of ticks of `decimals` decimals.
    pub fn is_whole_at(self, decimals: u8) -> bool {
        !self.cut && self.decimals <= u16::from(decimals)
    }

    /// The number rounded up to ticks of `decimals` decimals; `None` if that does not fit.
    pub fn ticks_up(self, decimals: u8) -> Option<Ticks> {
        let ticks = match u16::from(decimals).checked_sub(self.decimals) {
            Some(more) => self.mantissa.checked_mul(10_u64.checked_pow(more.into())?)?,
            None => {
                let fewer = u32::from(self.decimals - u16::from(decimals));
                10_u64.checked_pow(fewer).map_or(1, |unit| self.mantissa.div_ceil(unit))
            }
        };
        Some(Ticks(ticks))
    }
}

/// The largest whole number of ticks not above the number in `text`, which may be a fraction of
/// whole numbers. Where ticks are no decimals, a number with enough digits means the tick it shows:
/// 3.333 is ten thirds.
pub fn ticks_at_most(text: &str, scale: Scale) -> Result<Ticks, DecimalError> {
    if let Some((over, under)) = text.split_once('/') {
        let whole = |text: &str| text.trim().parse::<u64>().map_err(|_| DecimalError::NotANumber);
        return floor(whole(over)?, scale, whole(under)?.into());
    }
    let number = Decimal::parse(text)?;
    if !number.is_whole_at(Scale::MAX_DECIMALS as u8) {
        return Err(DecimalError::TooPrecise);
    }
    if scale.parts() != 1 {
        let unit = 10_u128.pow(number.decimals.into());
        let ticks = floor(number.mantissa, scale, unit)?;
        let next = scale.display(ticks.saturating_add(Ticks(1)));
        return Ok(if next.is_shown_as(number.mantissa.into(), unit) {
            next.ticks()
        } else {
            ticks
        });
    }
    let decimals = scale.decimals() as u8;
    match u32::from(number.decimals).checked_sub(scale.decimals()) {
        None | Some(0) => number.ticks_up(decimals).ok_or(DecimalError::TooLarge),
        Some(more) => Ok(Ticks(number.mantissa / 10_u64.pow(more))),
    }
}

/// The number divided by `under`, in ticks, rounded down.
fn floor(number: u64, scale: Scale, under: u128) -> Result<Ticks, DecimalError> {
    let ticks = u128::from(number) * u128::from(scale.ticks_per_unit());
    let ticks = ticks.checked_div(under).ok_or(DecimalError::NotANumber)?;
    Ticks::try_from(ticks).map_err(|_| DecimalError::TooLarge)
}

/// All digits without the zeros at either end: `mantissa · 10^exponent`.
struct Digits {
    mantissa: u64,
    exponent: i64,
    cut: bool,
}

impl Digits {
    fn of(whole: &str, fraction: &str) -> Self {
        let mut mantissa = 0_u64;
        let mut zeros = 0_u32; // since the last other digit
        let mut digits = whole.bytes().chain(fraction.bytes()).map(|byte| byte - b'0');
        for digit in digits.by_ref() {
            if digit == 0 {
                zeros = zeros.saturating_add(1);
                continue;
            }
            match append(mantissa, zeros, digit) {
                Some(longer) => (mantissa, zeros) = (longer, 0),
                None => {
                    let rest = i64::from(zeros) + 1 + digits.count() as i64;
                    return Self::cut(mantissa, rest - fraction.len() as i64);
                }
            }
        }
        let exponent = i64::from(zeros) - fraction.len() as i64;
        Self { mantissa, exponent, cut: false }
    }

    /// Rounds up in the last place that fits; some of the digits left out must not be zero.
    fn cut(mut mantissa: u64, mut exponent: i64) -> Self {
        while let Some(longer) = mantissa.checked_mul(10) {
            (mantissa, exponent) = (longer, exponent - 1);
        }
        match mantissa.checked_add(1) {
            Some(mantissa) => Self { mantissa, exponent, cut: true },
            None => Self { mantissa: mantissa / 10 + 1, exponent: exponent + 1, cut: true },
        }
    }

    fn times_power_of_ten(self, power: i64) -> Result<Decimal, DecimalError> {
        let Self { mantissa, cut, .. } = self;
        let exponent = self.exponent + power;
        if exponent < -i64::from(MANY_DECIMALS) {
            return Ok(Decimal { mantissa: 1, decimals: MANY_DECIMALS, cut: true });
        }
        if exponent < 0 {
            return Ok(Decimal { mantissa, decimals: exponent.unsigned_abs() as u16, cut });
        }
        let factor = u32::try_from(exponent).ok().and_then(|e| 10_u64.checked_pow(e));
        let mantissa = factor.and_then(|factor| mantissa.checked_mul(factor));
        let mantissa = mantissa.ok_or(DecimalError::TooLarge)?;
        Ok(Decimal { mantissa, decimals: 0, cut })
    }
}

/// Appends this many zeros and the digit to `mantissa`. Leading zeros disappear.
fn append(mantissa: u64, zeros: u32, digit: u8) -> Option<u64> {
    if mantissa == 0 {
        return Some(u64::from(digit));
    }
    let shifted = mantissa.checked_mul(10_u64.checked_pow(zeros.checked_add(1)?)?)?;
    shifted.checked_add(u64::from(digit))
}

/// The exponent, limited to ±10^12: no text has enough digits to compensate that.
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

    fn parsed(text: &str) -> (u64, u16) {
        let Decimal { mantissa, decimals, cut } = Decimal::parse(text).expect(text);
        assert!(!cut, "{text}");
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
            ("1e20", TooLarge),
            ("1e300", TooLarge),
            ("1e999999999", TooLarge),
        ];
        for (text, reason) in cases {
            assert_eq!(Decimal::parse(text), Err(reason), "{text}");
        }
    }

    /// A number with too many digits becomes the next larger one that fits. Every tick coarse
    /// enough to hold it gives the same result for both.
    #[test]
    fn more_digits_than_fit_are_rounded_up() {
        let cut = |text| {
            let Decimal { mantissa, decimals, cut } = Decimal::parse(text).expect(text);
            assert!(cut, "{text}");
            (mantissa, decimals)
        };
        assert_eq!(cut("1.00000000000000000000000001"), (10_000_000_000_000_000_001, 19));
        assert_eq!(cut("0.123456789012345678901234"), (12_345_678_901_234_567_891, 20));
        assert_eq!(cut("1844674407370955161.51"), (1_844_674_407_370_955_162, 0));
        assert_eq!(cut("1e-999999999999999999999"), (1, MANY_DECIMALS));
        let up = |text, decimals| Decimal::parse(text).expect(text).ticks_up(decimals);
        assert_eq!(up("1.00000000000000000000000001", 3), Some(Ticks(1001)));
        assert_eq!(up("0.123456789012345678901234", 18), Some(Ticks(123_456_789_012_345_679)));
        assert_eq!(up("1e-300", 18), Some(Ticks(1)));
    }

    #[test]
    fn scales_to_ticks() {
        let tenth = Decimal::parse("0.1").expect("valid");
        assert_eq!(tenth.ticks_up(0), Some(Ticks(1)));
        assert_eq!(tenth.ticks_up(1), Some(Ticks(1)));
        assert_eq!(tenth.ticks_up(18), Some(Ticks(100_000_000_000_000_000)));
        assert_eq!(Decimal::parse("19").expect("valid").ticks_up(18), None);
        assert_eq!(Decimal::ZERO.ticks_up(3), Some(Ticks(0)));
        let scale = Scale::new(1).expect("small");
        let asked = ["7", "7.19", "7.2"].map(|text| ticks_at_most(text, scale));
        assert_eq!(asked, [Ok(Ticks(70)), Ok(Ticks(71)), Ok(Ticks(72))]);
        assert_eq!(ticks_at_most("1e-19", scale), Err(DecimalError::TooPrecise));
        let asked = ["7/1", "71/10", "100/3", " 1 / 9 "].map(|text| ticks_at_most(text, scale));
        assert_eq!(asked, [Ok(Ticks(70)), Ok(Ticks(71)), Ok(Ticks(333)), Ok(Ticks(1))]);
        for wrong in ["1/0", "1.5/2", "/", "1/", "-1/2"] {
            assert_eq!(ticks_at_most(wrong, scale), Err(DecimalError::NotANumber), "{wrong}");
        }
        assert_eq!(ticks_at_most("18446744073709551615/1", scale), Err(DecimalError::TooLarge));
    }

    /// A time that is printed with an ellipsis can be given back.
    #[test]
    fn digits_of_parts_mean_their_tick() {
        for parts in [3, 7, 300, 1_000_003] {
            let scale = Scale::of_parts(parts).expect("few");
            for ticks in (0..2 * parts).step_by(1 + parts as usize / 50).map(Ticks) {
                let time = scale.display(ticks);
                let [digits, number] = [time.to_string(), time.number().to_string()];
                let float = time.as_f64().to_string();
                for text in [digits.trim_end_matches('…'), &number, &float] {
                    assert_eq!(ticks_at_most(text, scale), Ok(ticks), "{text} {parts}");
                }
                let fraction = format!("{ticks}/{parts}");
                assert_eq!(ticks_at_most(&fraction, scale), Ok(ticks));
            }
        }
        let thirds = Scale::of_parts(3).expect("few");
        let asked =
            ["3.3", "3.33", "3.333", "3.3", "3.334"].map(|text| ticks_at_most(text, thirds));
        assert_eq!(asked, [9, 9, 10, 9, 10].map(|ticks| Ok(Ticks(ticks))));
    }
}
