//! An amount of money, or a price per PE-second, in integer millionths of a currency unit.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

use gridsat_model::text::decimal;
use gridsat_model::{Scale, Ticks};

/// Millionths of a currency unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(pub u128);

impl Money {
    /// The amount 0.
    pub const ZERO: Self = Self(0);
    /// Larger than any cost.
    pub const MAX: Self = Self(u128::MAX);
    /// Decimal places of a currency unit.
    const DECIMALS: usize = 6;

    /// Rounds units to the nearest millionth; `None` unless they are finite and from 0 to `most`.
    pub fn of(units: f64, most: f64) -> Option<Self> {
        (0.0..=most).contains(&units).then(|| Self((units * 1e6).round() as u128))
    }

    /// Cost of this much time at this price per second, rounded up.
    pub fn times(self, ticks: Ticks, scale: Scale) -> Self {
        if self == Self::ZERO {
            return self;
        }
        Self(self.0.saturating_mul(ticks.into()).div_ceil(scale.ticks_per_unit().into()))
    }

    /// The amount in units, as the nearest float.
    pub fn as_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// The difference, at least 0.
    pub fn less(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Add for Money {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::ZERO, Add::add)
    }
}

/// Formats the amount in units, with all digits.
impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&decimal(self.0, Self::DECIMALS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_and_rounded() {
        let shown = |units| Money::of(units, 1e9).map(|money| money.to_string());
        assert_eq!(shown(0.0).as_deref(), Some("0"));
        assert_eq!(shown(120.0).as_deref(), Some("120"));
        assert_eq!(shown(1.25).as_deref(), Some("1.25"));
        assert_eq!(shown(0.000_000_4).as_deref(), Some("0"));
        assert_eq!([shown(-1.0), shown(f64::NAN), shown(2e9)], [None, None, None]);
    }

    #[test]
    fn a_second_begun_costs_its_part_and_no_less() {
        let scale = Scale::new(9).expect("allowed");
        assert_eq!(Money(3_000_000).times(Ticks(2_500_000_000), scale), Money(7_500_000));
        assert_eq!(Money(1).times(Ticks(1), scale), Money(1));
        assert_eq!(Money::ZERO.times(Ticks::MAX, scale), Money::ZERO);
    }
}
