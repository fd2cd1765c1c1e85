//! Exact time: integer ticks, and the scale that relates them to the user's time unit.
//!
//! Files contain decimals. Every value of a file is multiplied by one power of ten, its [`Scale`],
//! and is an integer from then on; bounds and proofs compare integers only.

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

/// The decimal places of a tick: one time unit of the file is `10^decimals` ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scale {
    decimals: u32,
}

impl Scale {
    /// Largest number of decimal places: `10^18` is the largest power of ten in an `i64`.
    pub const MAX_DECIMALS: u32 = 18;

    /// The scale with this many decimal places; `None` beyond [`Scale::MAX_DECIMALS`].
    pub fn new(decimals: u32) -> Option<Self> {
        (decimals <= Self::MAX_DECIMALS).then_some(Self { decimals })
    }

    /// Number of decimal places.
    pub fn decimals(self) -> u32 {
        self.decimals
    }

    /// Ticks in one time unit of the file.
    #[inline]
    pub fn ticks_per_unit(self) -> Ticks {
        Ticks(10_u64.pow(self.decimals))
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
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Time {
    ticks: Ticks,
    scale: Scale,
}

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
}

impl Time {
    /// Writes without allocating, because tables of a million jobs have a dozen times per row.
    fn write(self, out: &mut impl fmt::Write) -> fmt::Result {
        let unit = self.scale.ticks_per_unit();
        let (whole, mut rest) = (self.ticks / unit, (self.ticks % unit).0);
        let mut digits = self.scale.decimals as usize;
        while digits > 0 && rest.is_multiple_of(10) {
            (rest, digits) = (rest / 10, digits - 1);
        }
        if digits == 0 { write!(out, "{whole}") } else { write!(out, "{whole}.{rest:0digits$}") }
    }
}

/// Prints a decimal number without trailing zeros.
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

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn the_gap_is_a_part_of_the_upper_bound() {
        assert_eq!(gap(Ticks(75), Ticks(100)), 0.25);
        assert_eq!(gap(Ticks(100), Ticks(100)), 0.0);
        assert_eq!(gap(Ticks(0), Ticks(7)), 1.0);
        assert_eq!(gap(Ticks(0), Ticks(0)), 0.0);
    }
}
