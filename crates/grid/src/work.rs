//! Work and speed in integers, so that progress adds up exactly.
//!
//! Work is counted in millionths of a tick of one PE at full speed; a [`Speed`] says how many
//! millionths of its full speed a PE gives to jobs. Then elapsed ticks × speed is a whole number,
//! and with sharing only the last division rounds, down, and by less than a millionth of a tick:
//! what is taken off in one step or in many is the same to within that.
//!
//! The one place where completions are rounded: [`Work::ticks_at`], up to the next tick.

use std::ops::{Add, AddAssign, Sub};

use gridsat_model::Ticks;

/// What a PE gives to jobs, in millionths of its full speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Speed(u32);

impl Speed {
    /// All of it.
    pub const FULL: Self = Self(1_000_000);
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// What is left for jobs under a local load of this many percent; above 100 nothing.
    pub fn under_load(percent: u8) -> Self {
        Self(10_000 * u32::from(100_u8.saturating_sub(percent)))
    }

    /// The same of a resource that gives only this many percent of its speed.
    pub fn limited(self, capacity: u8) -> Self {
        Self(self.0 / 100 * u32::from(capacity.min(100)))
    }

    /// Millionths of full speed.
    pub fn millionths(self) -> u32 {
        self.0
    }
}

/// An amount of work, in millionths of a tick of one PE at full speed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Work(pub u128);

/// How PEs are divided: each of `jobs` jobs gets `pes / jobs` of a PE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// PEs, at least 1.
    pub pes: u32,
    /// Jobs on them, at least 1.
    pub jobs: u32,
}

impl Share {
    /// A PE of one's own.
    pub const WHOLE: Self = Self { pes: 1, jobs: 1 };

    /// The same for all jobs, and at most a PE each.
    pub fn equal(pes: u32, jobs: u32) -> Self {
        if jobs <= pes { Self::WHOLE } else { Self { pes, jobs } }
    }
}

impl Work {
    /// Nothing left to do.
    pub const NONE: Self = Self(0);

    /// What takes one PE this many ticks at full speed.
    pub fn of(ticks: Ticks) -> Self {
        Self(u128::from(ticks) * u128::from(Speed::FULL.0))
    }

    /// What a job gets done in this many ticks.
    pub fn done(ticks: Ticks, speed: Speed, share: Share) -> Self {
        let whole = u128::from(ticks) * u128::from(speed.0);
        Self(match share {
            Share { pes, jobs } if pes == jobs => whole,
            Share { pes, jobs } => whole * u128::from(pes) / u128::from(jobs),
        })
    }

    /// The fewest whole ticks in which it is done; `None` if it never is.
    pub fn ticks_at(self, speed: Speed, share: Share) -> Option<Ticks> {
        if self == Self::NONE {
            return Some(Ticks(0));
        }
        let a_tick = u64::from(speed.0) * u64::from(share.pes);
        let needed = self.0.checked_mul(u128::from(share.jobs))?;
        match u64::try_from(needed) {
            _ if a_tick == 0 => None,
            // Most jobs that have a PE of their own: a division of half the width is a lot faster.
            Ok(needed) => Some(Ticks(needed.div_ceil(a_tick))),
            Err(_) => Ticks::try_from(needed.div_ceil(u128::from(a_tick))).ok(),
        }
    }

    /// Ticks of one PE at full speed; whole ones are exact up to `2^53`.
    pub fn in_ticks(self) -> f64 {
        let tick = u128::from(Speed::FULL.0);
        (self.0 / tick) as f64 + (self.0 % tick) as f64 / tick as f64
    }

    /// The fewest whole ticks of one PE at full speed that are as much.
    pub fn whole_ticks(self) -> Ticks {
        self.ticks_at(Speed::FULL, Share::WHOLE).unwrap_or(Ticks::MAX)
    }

    /// What is left after `done`; never less than nothing.
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
