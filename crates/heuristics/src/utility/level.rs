//! A level in a dimension of service, in whole millionths.

use std::fmt;

use thiserror::Error;

use gridsat_model::{Scale, Ticks};

/// A level of service, exact to a millionth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(i128);

/// The number is not finite, or outside ±10^12.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("{0} is not a number from -10^12 to 10^12")]
pub struct NotALevel(pub f64);

const MILLION: i128 = 1_000_000;
const LARGEST: f64 = 1e12;

impl Level {
    /// The level nearest to the value, in millionths.
    pub fn new(value: f64) -> Result<Self, NotALevel> {
        if value.abs() <= LARGEST {
            Ok(Self((value * 1e6).round() as i128))
        } else {
            Err(NotALevel(value))
        }
    }

    /// A time as a level, rounded up, so that it is at most a given level exactly if the time is.
    pub(super) fn of_time(time: Ticks, scale: Scale) -> Self {
        let millionths = u128::from(time) * MILLION as u128;
        let rounded = millionths.div_ceil(u128::from(scale.ticks_per_unit()));
        Self(i128::try_from(rounded).expect("84 bits at most"))
    }

    /// The position between `none` and `full`, in millionths: 0 at `none` or before, a million at
    /// `full` or beyond. The two must differ.
    pub(super) fn between(self, none: Self, full: Self) -> u128 {
        let (way, whole) = if full > none {
            (self.0 - none.0, full.0 - none.0)
        } else {
            (none.0 - self.0, none.0 - full.0)
        };
        (way.clamp(0, whole) * MILLION / whole).unsigned_abs()
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 as f64 / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(value: f64) -> Level {
        Level::new(value).expect("a level")
    }

    #[test]
    fn utility_falls_in_a_line_between_full_and_none() {
        let soft = |q: f64| level(q).between(level(30.0), level(10.0));
        assert_eq!(
            [0.0, 10.0, 15.0, 29.0, 30.0, 99.0].map(soft),
            [1_000_000, 1_000_000, 750_000, 50_000, 0, 0]
        );
        assert_eq!(level(-1.0).between(level(-2.0), level(2.0)), 250_000);
    }

    #[test]
    fn times_round_up_so_that_hard_limits_are_exact() {
        let scale = Scale::new(9).expect("small");
        assert_eq!(Level::of_time(Ticks(2_000_000_000), scale), level(2.0));
        assert!(Level::of_time(Ticks(2_000_000_001), scale) > level(2.0));
        assert!(Level::of_time(Ticks::MAX, Scale::default()) > level(1e12));
    }

    #[test]
    fn what_is_no_number_is_no_level() {
        assert!(Level::new(f64::NAN).is_err() && Level::new(1e13).is_err());
        assert_eq!(level(-1e12).to_string(), "-1000000000000");
    }
}
