//! Simulated time: whole ticks since the start.
//!
//! What a tick is says a [`Scale`](gridsat_model::Scale), as in an instance; only files and reports
//! know seconds. Integers make equal times equal and every run the same everywhere.

use std::ops::{Add, AddAssign, Sub};

use gridsat_model::Ticks;

/// A moment of a simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub Ticks);

impl Time {
    /// When simulations start.
    pub const ZERO: Self = Self(Ticks(0));
    /// Later than anything that happens.
    pub const NEVER: Self = Self(Ticks::MAX);

    /// Ticks from `earlier` to this; 0 if it is not earlier.
    #[inline]
    pub fn since(self, earlier: Self) -> Ticks {
        self.0.saturating_sub(earlier.0)
    }

    /// This many ticks later; `None` if that is never.
    #[inline]
    pub fn after(self, ticks: Ticks) -> Option<Self> {
        Some(self + ticks).filter(|&time| time < Self::NEVER)
    }
}

/// Beyond the last tick there is only [`Time::NEVER`].
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
