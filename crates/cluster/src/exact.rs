//! Exact arithmetic with decimal numbers, for speed-ups.
//!
//! A number is the shortest decimal number that denotes a floating-point value, which is what the
//! user wrote: 0.2 is one fifth. Results that do not fit 128 bits are unknown; unknown numbers make
//! all results unknown.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Sub};

/// Numbers with which speed-ups can be computed.
pub trait Number:
    Copy
    + PartialOrd
    + From<u32>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
{
}

impl Number for f64 {}
impl Number for Exact {}

/// A fraction that is not negative, in lowest terms; `None` if it is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact(Option<(u128, u128)>);

impl Exact {
    /// The decimal number that is written for this value.
    pub fn decimal(value: f64) -> Self {
        let text = value.to_string();
        let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
        let digits = format!("{whole}{decimals}").parse();
        let unit =
            u32::try_from(decimals.len()).ok().and_then(|places| 10_u128.checked_pow(places));
        Self::new(digits.ok(), unit)
    }

    fn new(over: Option<u128>, under: Option<u128>) -> Self {
        let (Some(over), Some(under @ 1..)) = (over, under) else { return Self(None) };
        let common = greatest_common_divisor(over, under);
        Self(Some((over / common, under / common)))
    }

    /// Numerator and denominator.
    pub fn parts(self) -> Option<(u128, u128)> {
        self.0
    }

    fn with(
        self,
        other: Self,
        result: impl Fn((u128, u128), (u128, u128)) -> (Option<u128>, Option<u128>),
    ) -> Self {
        let (Some(a), Some(b)) = (self.0, other.0) else { return Self(None) };
        let (over, under) = result(a, b);
        Self::new(over, under)
    }
}

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl From<u32> for Exact {
    fn from(value: u32) -> Self {
        Self(Some((value.into(), 1)))
    }
}

impl Add for Exact {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.with(other, |a, b| {
            let sum = || a.0.checked_mul(b.1)?.checked_add(b.0.checked_mul(a.1)?);
            (sum(), a.1.checked_mul(b.1))
        })
    }
}

/// Unknown if the result is negative.
impl Sub for Exact {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.with(other, |a, b| {
            let difference = || a.0.checked_mul(b.1)?.checked_sub(b.0.checked_mul(a.1)?);
            (difference(), a.1.checked_mul(b.1))
        })
    }
}

impl Mul for Exact {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        self.with(other, |a, b| (a.0.checked_mul(b.0), a.1.checked_mul(b.1)))
    }
}

/// Unknown if the divisor is 0.
impl Div for Exact {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        self.with(other, |a, b| (a.0.checked_mul(b.1), a.1.checked_mul(b.0)))
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let (a, b) = (self.0?, other.0?);
        Some(a.0.checked_mul(b.1)?.cmp(&b.0.checked_mul(a.1)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_by_hand() {
        let [fifth, half, three] = [0.2, 0.5, 3.0].map(Exact::decimal);
        assert_eq!((fifth + half).parts(), Some((7, 10)));
        assert_eq!((half - fifth).parts(), Some((3, 10)));
        assert_eq!((fifth * three / half).parts(), Some((6, 5)));
        assert!(fifth < half && half < three);
    }

    #[test]
    fn what_does_not_fit_is_unknown() {
        let (tiny, huge, one) = (Exact::decimal(1e-60), Exact::decimal(1e60), Exact::from(1));
        let large = Exact::decimal(1e30);
        for unknown in [tiny, huge, tiny + one, one / Exact::from(0), one - large, large * large] {
            assert_eq!(unknown.parts(), None);
        }
        assert_eq!(tiny.partial_cmp(&one), None);
    }
}
