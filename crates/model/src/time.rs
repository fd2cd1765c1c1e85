//! Exact time: integer ticks, and the scale that relates them to the user's time unit.
//!
//! Files contain decimals. Every value of a file is multiplied by one number, its [`Scale`], and is
//! an integer from then on; bounds and proofs compare integers only. The number is a power of ten,
//! unless speeds such as 3 make times that are no decimal numbers.

use std::fmt;
use std::iter::Sum;
use std::num::TryFromIntError;
use std::ops::{Add, AddAssign, Div, Mul, Rem, Sub, SubAssign};

use serde::{Deserialize, Serialize};

/// A duration, or a load, in ticks. Arithmetic panics on overflow, in the released program too.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Ticks(pub u64);

impl Ticks {
    /// Zero ticks.
    pub const ZERO: Self = Self(0);
    /// Larger than any time of an instance.
    pub const MAX: Self = Self(u64::MAX);

    /// The number of ticks as a float; large numbers are rounded.
    #[inline]
    pub fn as_f64(self) -> f64 {
        // Processors convert signed numbers in one step.
        match i64::try_from(self.0) {
            Ok(ticks) => ticks as f64,
            Err(_) => self.0 as f64,
        }
    }

    /// A computed time cut off to whole ticks; negative values become zero, and values too large
    /// become [`Ticks::MAX`].
    #[inline]
    pub fn truncated(time: f64) -> Self {
        Self(time as u64)
    }

    /// The difference; zero if `other` is larger.
    #[must_use]
    #[inline]
    pub fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The sum, at most [`Ticks::MAX`].
    #[must_use]
    #[inline]
    pub fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The difference; `None` if `other` is larger.
    #[inline]
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// The sum; `None` if it overflows.
    #[inline]
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The absolute difference.
    #[must_use]
    #[inline]
    pub fn abs_diff(self, other: Self) -> Self {
        Self(self.0.abs_diff(other.0))
    }
}

impl fmt::Display for Ticks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

macro_rules! wider_numbers {
    ($($number:ty),*) => {$(
        impl From<Ticks> for $number {
            #[inline]
            fn from(ticks: Ticks) -> Self {
                ticks.0.into()
            }
        }

        impl TryFrom<$number> for Ticks {
            type Error = TryFromIntError;

            #[inline]
            fn try_from(number: $number) -> Result<Self, TryFromIntError> {
                u64::try_from(number).map(Self)
            }
        }
    )*};
}
wider_numbers!(i128, u128);

macro_rules! operators {
    ($($operator:ident::$method:ident($a:ident: $left:ty, $b:ident: $right:ty) -> $output:ty {
        $result:expr
    })*) => {$(
        impl $operator<$right> for $left {
            type Output = $output;

            #[inline]
            fn $method(self, $b: $right) -> $output {
                let $a = self;
                $result
            }
        }
    )*};
}
operators! {
    Add::add(a: Ticks, b: Ticks) -> Ticks { Ticks(a.0 + b.0) }
    Sub::sub(a: Ticks, b: Ticks) -> Ticks { Ticks(a.0 - b.0) }
    Rem::rem(a: Ticks, b: Ticks) -> Ticks { Ticks(a.0 % b.0) }
    Mul::mul(a: Ticks, b: u64) -> Ticks { Ticks(a.0 * b) }
    Mul::mul(a: u64, b: Ticks) -> Ticks { b * a }
    Div::div(a: Ticks, b: u64) -> Ticks { Ticks(a.0 / b) }
    // The whole number of times that the divisor fits.
    Div::div(a: Ticks, b: Ticks) -> u64 { a.0 / b.0 }
}

impl AddAssign for Ticks {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Ticks {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for Ticks {
    #[inline]
    fn sum<I: Iterator<Item = Self>>(times: I) -> Self {
        times.fold(Self::ZERO, Add::add)
    }
}

impl<'a> Sum<&'a Self> for Ticks {
    #[inline]
    fn sum<I: Iterator<Item = &'a Self>>(times: I) -> Self {
        times.copied().sum()
    }
}

/// The relative gap of two bounds: `(upper − lower) / upper`, between 0 and 1; 0 if the upper
/// bound is 0.
pub fn gap(lower: Ticks, upper: Ticks) -> f64 {
    if upper == Ticks::ZERO { 0.0 } else { upper.saturating_sub(lower).as_f64() / upper.as_f64() }
}

/// The number of ticks in a time unit of the file: `parts · 10^decimals`.
///
/// Decimal numbers need powers of ten only. Times such as 10/3, which come from a speed of 3, need
/// a unit of other parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scale {
    decimals: u32,
    parts: u64,
}

/// Ticks of one time unit.
impl Default for Scale {
    fn default() -> Self {
        Self { decimals: 0, parts: 1 }
    }
}

impl Scale {
    /// Largest number of decimal places: `10^18` is the largest power of ten in an `i64`.
    pub const MAX_DECIMALS: u32 = 18;

    /// The scale with this many decimal places; `None` beyond [`Scale::MAX_DECIMALS`].
    pub fn new(decimals: u32) -> Option<Self> {
        (decimals <= Self::MAX_DECIMALS).then_some(Self { decimals, parts: 1 })
    }

    /// The scale of which a tick is one of so many parts of the unit; `None` for 0 parts, or for
    /// more than 10^18.
    pub fn of_parts(parts: u64) -> Option<Self> {
        Self::default().finer(parts)
    }

    /// Each tick divided into so many; `None` for 0, or if the unit had more than 10^18.
    pub fn finer(self, parts: u64) -> Option<Self> {
        let most = 10_u64.pow(Self::MAX_DECIMALS - self.decimals);
        let parts = self.parts.checked_mul(parts).filter(|&parts| parts > 0 && parts <= most)?;
        Some(Self { parts, ..self })
    }

    /// Number of decimal places.
    pub fn decimals(self) -> u32 {
        self.decimals
    }

    /// The ticks in `10^−decimals` of the unit; 1 if all times are decimal numbers.
    pub fn parts(self) -> u64 {
        self.parts
    }

    /// Decimal places with which all ticks can be told apart.
    pub fn places(self) -> u32 {
        if self.parts == 1 { self.decimals } else { self.ticks_per_unit().0.ilog10() + 1 }
    }

    /// Ticks in one time unit of the file.
    #[inline]
    pub fn ticks_per_unit(self) -> Ticks {
        Ticks(10_u64.pow(self.decimals) * self.parts)
    }

    /// The ticks as a time in the file's time unit.
    pub fn display(self, ticks: Ticks) -> Time {
        Time { ticks, scale: self }
    }
}

/// A duration in the time unit of an instance, exactly.
///
/// ```
/// use gridsat_model::{Scale, Ticks};
///
/// let time = Scale::new(2).expect("few decimals").display(Ticks(3050));
/// assert_eq!(time.to_string(), "30.5");
/// assert_eq!(time.as_f64(), 30.5);
/// let third = Scale::of_parts(3).expect("few parts").display(Ticks(10));
/// assert_eq!(third.to_string(), "3.333…");
/// assert_eq!(third.number().to_string(), "3.33333333333333");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Time {
    ticks: Ticks,
    scale: Scale,
}

/// A time as a number that other programs can read.
struct Number(Time);

/// Significant digits of a number that is no decimal number, if its ticks do not need more.
const DIGITS: usize = 15;

/// Largest number of decimal places of a time that is no decimal number. With fewer than 10^18
/// ticks in a unit they tell all times apart, and products with 10^19 fit 128 bits.
const MOST_PLACES: usize = 19;

impl Time {
    /// The duration in ticks.
    pub fn ticks(self) -> Ticks {
        self.ticks
    }

    /// The nearest floating-point number.
    #[inline]
    pub fn as_f64(self) -> f64 {
        self.ticks.as_f64() / self.scale.ticks_per_unit().as_f64()
    }

    /// As a number for other programs: all digits of a decimal number; others, such as 10/3, are
    /// rounded to the nearest with some 15 digits, always enough to tell which tick is meant.
    pub fn number(self) -> impl fmt::Display {
        Number(self)
    }

    /// Whether the decimal number `digits / unit`, where the unit is a power of ten, shows this
    /// time: it is equal, or there is no equal one, and it differs by less than ten in its last
    /// place, as nearest floats may, which is at most a hundredth of a tick.
    pub fn is_shown_as(self, digits: u128, unit: u128) -> bool {
        let own = u128::from(self.scale.ticks_per_unit());
        let products = (digits.checked_mul(own), u128::from(self.ticks).checked_mul(unit));
        let (Some(digits), Some(ticks)) = products else { return false };
        digits == ticks
            || (!self.is_decimal() && unit >= 100 * own && digits.abs_diff(ticks) < 10 * own)
    }

    /// Whether the number of time units is a decimal number.
    pub fn is_decimal(self) -> bool {
        self.scale.parts == 1 || {
            let mut parts = self.scale.parts / common(self.scale.parts, self.ticks.0);
            for prime in [2, 5] {
                while parts.is_multiple_of(prime) {
                    parts /= prime;
                }
            }
            parts == 1
        }
    }
}

impl Time {
    /// Writes without allocating, because tables of a million jobs have a dozen times per row.
    fn write(self, out: &mut impl fmt::Write) -> fmt::Result {
        if self.scale.parts != 1 {
            return self.write_parts(out);
        }
        let unit = self.scale.ticks_per_unit();
        let (whole, mut rest) = (self.ticks / unit, (self.ticks % unit).0);
        let mut digits = self.scale.decimals as usize;
        while digits > 0 && rest.is_multiple_of(10) {
            (rest, digits) = (rest / 10, digits - 1);
        }
        if digits == 0 { write!(out, "{whole}") } else { write!(out, "{whole}.{rest:0digits$}") }
    }

    /// All digits of a decimal number; of others two more than are needed to tell the ticks apart,
    /// and `…`.
    fn write_parts(self, out: &mut impl fmt::Write) -> fmt::Result {
        let unit = self.scale.ticks_per_unit();
        let is_decimal = self.is_decimal();
        write!(out, "{}", self.ticks / unit)?;
        let mut rest = (self.ticks % unit).0;
        let mut places = if is_decimal { usize::MAX } else { self.places() };
        if rest > 0 {
            out.write_char('.')?;
        }
        while rest > 0 && places > 0 {
            // At most ten times 10^18, which fits.
            (rest, places) = (rest * 10, places - 1);
            write!(out, "{}", rest / unit.0)?;
            rest %= unit.0;
        }
        if rest == 0 { Ok(()) } else { out.write_char('…') }
    }

    /// Decimal places to show of a number that is no decimal number.
    fn places(self) -> usize {
        (self.scale.places() as usize + 2).min(MOST_PLACES)
    }
}

/// Prints a decimal number without trailing zeros. A number that is none, such as 10/3, ends in
/// `…`; see [`Time::number`].
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.width().is_none() && f.precision().is_none() {
            return self.write(f);
        }
        let mut text = String::new();
        self.write(&mut text)?;
        f.pad(&text)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.0;
        if time.is_decimal() {
            return time.fmt(f);
        }
        let unit = u128::from(time.scale.ticks_per_unit());
        let whole = (u128::from(time.ticks) / unit).max(1).ilog10() as usize + 1;
        let places = time.places().max(DIGITS.saturating_sub(whole));
        let scaled = u128::from(time.ticks) * 10_u128.pow(places as u32);
        f.pad(&crate::text::decimal((scaled + unit / 2) / unit, places))
    }
}

/// The greatest common divisor.
pub(crate) fn common(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn shows_exact_decimals_without_trailing_zeros() {
        let cents = Scale::new(2).expect("small");
        let shown: Vec<_> = [0, 5, 50, 100, 3050, 3078]
            .iter()
            .map(|&t| cents.display(Ticks(t)).to_string())
            .collect();
        assert_eq!(shown, ["0", "0.05", "0.5", "1", "30.5", "30.78"]);
        assert_eq!(Scale::default().display(Ticks(42)).to_string(), "42");
        assert_eq!(Scale::new(19), None);
        for (decimals, ticks) in [0, 3, 9].into_iter().flat_map(|decimals| {
            [0, 1, 10, 999, 1_010_000, u64::MAX].map(|ticks| (decimals, Ticks(ticks)))
        }) {
            let time = Scale::new(decimals).expect("small").display(ticks);
            let expected = crate::text::decimal(ticks.into(), decimals as usize);
            assert_eq!(time.to_string(), expected);
            assert_eq!(format!("{time:>25}"), format!("{expected:>25}"));
        }
    }

    /// Beside fractions of integers.
    #[test]
    fn shows_parts_of_units_as_far_as_they_are_told_apart() {
        let shown = |parts, ticks: u64| {
            let time = Scale::of_parts(parts).expect("few").display(Ticks(ticks));
            (time.to_string(), time.number().to_string(), time.is_decimal())
        };
        let of = |text: &str, number: &str| (text.to_owned(), number.to_owned(), text == number);
        assert_eq!(shown(3, 9), of("3", "3"));
        assert_eq!(shown(6, 9), of("1.5", "1.5"));
        assert_eq!(shown(1 << 20, 1), of("0.00000095367431640625", "0.00000095367431640625"));
        assert_eq!(shown(3, 10), of("3.333…", "3.33333333333333"));
        assert_eq!(shown(3, 2), of("0.666…", "0.66666666666667"));
        assert_eq!(shown(300, 1), of("0.00333…", "0.00333333333333"));
        assert_eq!(shown(7, 6_999_999), of("999999.857…", "999999.857142857"));
        let large = shown(3, 1 << 62);
        assert_eq!(large, of("1537228672809129301.333…", "1537228672809129301.333"));
        assert_eq!(
            format!("{:>8}|", Scale::of_parts(3).expect("few").display(Ticks(1))),
            "  0.333…|"
        );
        for parts in [2, 3, 7, 12, 999, 1_000_003, 10_u64.pow(18) - 1] {
            let ticks: BTreeSet<u64> = (0..50).chain(parts - 1..parts + 2).collect();
            let texts = ticks.iter().map(|&ticks| shown(parts, ticks));
            let (texts, numbers): (BTreeSet<_>, BTreeSet<_>) = texts.map(|t| (t.0, t.1)).unzip();
            assert_eq!([texts.len(), numbers.len()], [ticks.len(); 2], "{parts}");
        }
        assert_eq!((Scale::of_parts(0), Scale::of_parts(10_u64.pow(18) + 1)), (None, None));
        let finer = Scale::of_parts(3).and_then(|scale| scale.finer(1000)).expect("few");
        assert_eq!((finer.parts(), finer.ticks_per_unit()), (3000, Ticks(3000)));
        assert_eq!(Scale::new(17).and_then(|scale| scale.finer(11)), None);
    }

    #[test]
    fn the_gap_is_a_part_of_the_upper_bound() {
        assert_eq!(gap(Ticks(75), Ticks(100)), 0.25);
        assert_eq!(gap(Ticks(100), Ticks(100)), 0.0);
        assert_eq!(gap(Ticks(0), Ticks(7)), 1.0);
        assert_eq!(gap(Ticks(0), Ticks(0)), 0.0);
    }
}
