//! Simulated time: whole ticks since the start.
//!
//! A [`Scale`](gridsat_model::Scale) gives the length of a tick in seconds, as in an instance; only
//! files and reports use seconds. With integers, equal times compare equal and runs are
//! reproducible on every machine.

use std::ops::{Add, AddAssign, Sub};

use gridsat_model::Ticks;

/// A point in simulated time, in ticks since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub Ticks);

impl Time {
    /// The start of every simulation.
    pub const ZERO: Self = Self(Ticks(0));
    /// A time after every possible event.
    pub const NEVER: Self = Self(Ticks::MAX);

    /// Ticks from `earlier` to this time; 0 if `earlier` is later.
    #[inline]
    pub fn since(self, earlier: Self) -> Ticks {
        self.0.saturating_sub(earlier.0)
    }

    /// The time this many ticks later; `None` if it would not be before [`Time::NEVER`].
    #[inline]
    pub fn after(self, ticks: Ticks) -> Option<Self> {
        Some(self + ticks).filter(|&time| time < Self::NEVER)
    }
}

/// Saturates at [`Time::NEVER`].
impl Add<Ticks> for Time {
    type Output = Self;

    #[inline]
    fn add(self, ticks: Ticks) -> Self {
        Self(self.0.saturating_add(ticks))
    }
}

impl AddAssign<Ticks> for Time {
    #[inline]
    fn add_assign(&mut self, ticks: Ticks) {
        *self = *self + ticks;
    }
}

impl Sub for Time {
    type Output = Ticks;

    #[inline]
    fn sub(self, earlier: Self) -> Ticks {
        self.since(earlier)
    }
}
