//! Work and speed as integers, so that progress adds up exactly.
//!
//! Work is in millionths of a tick of one PE at full speed; a [`Speed`] is in millionths of full
//! speed. So elapsed ticks × speed is an integer, and with sharing only the last division rounds,
//! down and by less than a millionth of a tick: subtracting in one step or in many gives the same
//! up to that.
//!
//! Completions are rounded only in [`Work::ticks_at`], up to the next tick.

use std::ops::{Add, AddAssign, Sub};

use gridsat_model::Ticks;

/// Speed that a PE gives to jobs, in millionths of its full speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Speed(u32);

impl Speed {
    /// Full speed.
    pub const FULL: Self = Self(1_000_000);
    /// Speed 0.
    pub const ZERO: Self = Self(0);

    /// The speed left for jobs under a local load in percent; 0 from 100 % on.
    pub fn under_load(percent: u8) -> Self {
        Self(10_000 * u32::from(100_u8.saturating_sub(percent)))
    }

    /// The speed at a capacity in percent.
    pub fn limited(self, capacity: u8) -> Self {
        Self(self.0 / 100 * u32::from(capacity.min(100)))
    }

    /// The speed in millionths of full speed.
    pub fn millionths(self) -> u32 {
        self.0
    }
}

/// An amount of work, in millionths of a tick of one PE at full speed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Work(pub u128);

/// How PEs are shared: each of `jobs` jobs gets `pes / jobs` of a PE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Number of PEs, at least 1.
    pub pes: u32,
    /// Number of jobs that share them, at least 1.
    pub jobs: u32,
}

impl Share {
    /// One PE for one job.
    pub const WHOLE: Self = Self { pes: 1, jobs: 1 };

    /// Equal shares for all jobs, of at most one PE each.
    pub fn equal(pes: u32, jobs: u32) -> Self {
        if jobs <= pes { Self::WHOLE } else { Self { pes, jobs } }
    }
}

impl Work {
    /// No work.
    pub const NONE: Self = Self(0);

    /// Work that takes one PE this many ticks at full speed.
    pub fn of(ticks: Ticks) -> Self {
        Self(u128::from(ticks) * u128::from(Speed::FULL.0))
    }

    /// Work that a job receives in this many ticks.
    pub fn done(ticks: Ticks, speed: Speed, share: Share) -> Self {
        let whole = u128::from(ticks) * u128::from(speed.0);
        let Share { pes, jobs } = share;
        if pes == jobs {
            return Self(whole);
        }
        let all = whole * u128::from(pes);
        // A division of half the width is much faster.
        Self(match u64::try_from(all) {
            Ok(all) => u128::from(all / u64::from(jobs)),
            Err(_) => all / u128::from(jobs),
        })
    }

    /// The smallest number of ticks in which the work is done; `None` if it never is.
    pub fn ticks_at(self, speed: Speed, share: Share) -> Option<Ticks> {
        if self == Self::NONE {
            return Some(Ticks(0));
        }
        let a_tick = u64::from(speed.0) * u64::from(share.pes);
        let needed = self.0.checked_mul(u128::from(share.jobs))?;
        match u64::try_from(needed) {
            _ if a_tick == 0 => None,
            // The usual case of a job with its own PE: a division of half the width is much faster.
            Ok(needed) => Some(Ticks(needed.div_ceil(a_tick))),
            // Not `div_ceil`, which divides twice.
            Err(_) => Ticks::try_from((needed - 1) / u128::from(a_tick) + 1).ok(),
        }
    }

    /// Ticks of one PE at full speed; integers are exact up to `2^53`.
    pub fn in_ticks(self) -> f64 {
        let tick = u128::from(Speed::FULL.0);
        (self.0 / tick) as f64 + (self.0 % tick) as f64 / tick as f64
    }

    /// Ticks of one PE at full speed, rounded up.
    pub fn whole_ticks(self) -> Ticks {
        self.ticks_at(Speed::FULL, Share::WHOLE).unwrap_or(Ticks::MAX)
    }

    /// The work left after `done`, at least 0.
    pub fn less(self, done: Self) -> Self {
        Self(self.0.saturating_sub(done.0))
    }
}

impl Add for Work {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self(self.0 + more.0)
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, more: Self) {
        *self = *self + more;
    }
}

impl Sub for Work {
    type Output = Self;

    fn sub(self, done: Self) -> Self {
        self.less(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_done_after_exactly_the_ticks_it_needs() {
        for (ticks, load, pes, jobs) in [(10, 0, 1, 1), (7, 30, 2, 3), (1, 99, 1, 1), (13, 1, 4, 7)]
        {
            let (speed, share) = (Speed::under_load(load), Share { pes, jobs });
            let needed = Work::of(Ticks(ticks)).ticks_at(speed, share).expect("some speed");
            assert!(Work::done(needed, speed, share) >= Work::of(Ticks(ticks)));
            assert!(Work::done(needed - Ticks(1), speed, share) < Work::of(Ticks(ticks)));
        }
    }

    #[test]
    fn never_ends_without_speed() {
        assert_eq!(Work::of(Ticks(1)).ticks_at(Speed::under_load(100), Share::WHOLE), None);
        assert_eq!(Work::NONE.ticks_at(Speed::ZERO, Share::WHOLE), Some(Ticks(0)));
    }
}
