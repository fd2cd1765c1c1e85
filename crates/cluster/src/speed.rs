//! Speeds of nodes, and run times on them, in integer arithmetic.
//!
//! A speed is in millionths of the reference node. Work of `w` ticks on the reference node takes
//! `ceil(w · 10⁶ / rate) + penalty` ticks, where the rate is that of the slowest node of the
//! job. This is the only place where times are rounded, up to the next tick.

use std::num::NonZeroU32;

use gridsat_model::Ticks;

const ONE: u32 = 1_000_000;

/// The speed of a node, in millionths of the reference node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Speed(NonZeroU32);

impl Speed {
    /// Speed of the reference node, on which the run times of traces are based.
    pub const ONE: Self = Self(NonZeroU32::new(ONE).expect("a million is not 0"));

    /// Rounded to the nearest millionth; `None` if that is 0 or above 4294.
    pub fn new(speed: f64) -> Option<Self> {
        let millionths = (speed * f64::from(ONE)).round();
        let fits = millionths >= 1.0 && millionths <= f64::from(u32::MAX);
        fits.then(|| NonZeroU32::new(millionths as u32).map(Self)).flatten()
    }

    /// The speed in millionths of the reference node.
    pub fn millionths(self) -> u32 {
        self.0.get()
    }

    /// The speed times a factor, rounded down to a millionth, at least one.
    pub(super) fn times(self, factor: f64) -> Self {
        let millionths = (f64::from(self.millionths()) * factor).min(f64::from(u32::MAX));
        NonZeroU32::new(millionths as u32).map_or(Self(NonZeroU32::MIN), Self)
    }
}

/// Work already done, in millionths of a tick of the reference node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Done(u128);

impl Done {
    pub const NOTHING: Self = Self(0);
}

/// Progress of a job on its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    /// Work per tick.
    pub rate: Speed,
    /// Ticks lost at each start because nodes are not local.
    pub penalty: Ticks,
}

impl Pace {
    /// Ticks that the remaining work takes.
    pub fn span(self, work: Ticks, done: Done) -> Ticks {
        if self.rate == Speed::ONE && done == Done::NOTHING {
            return work.saturating_add(self.penalty);
        }
        let left = (u128::from(work) * u128::from(ONE)).saturating_sub(done.0);
        let ticks = left.div_ceil(u128::from(self.rate.millionths()));
        Ticks::try_from(ticks).unwrap_or(Ticks::MAX).saturating_add(self.penalty)
    }

    /// Work done after this many ticks, added to the work done before.
    pub fn after(self, ticks: Ticks, before: Done) -> Done {
        let ticks = ticks.saturating_sub(self.penalty);
        Done(before.0 + u128::from(ticks) * u128::from(self.rate.millionths()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(speed: f64, penalty: Ticks) -> Pace {
        Pace { rate: Speed::new(speed).expect("a speed"), penalty }
    }

    #[test]
    fn spans_are_rounded_up() {
        assert_eq!(pace(1.0, Ticks(0)).span(Ticks(7), Done::NOTHING), Ticks(7));
        assert_eq!(pace(2.0, Ticks(0)).span(Ticks(7), Done::NOTHING), Ticks(4));
        assert_eq!(pace(0.3, Ticks(5)).span(Ticks(1), Done::NOTHING), Ticks(9));
        assert_eq!(pace(1.5, Ticks(0)).span(Ticks(3), Done::NOTHING), Ticks(2));
        assert_eq!(pace(0.5, Ticks(1)).span(Ticks::MAX, Done::NOTHING), Ticks::MAX);
    }

    #[test]
    fn work_done_in_pieces_adds_up() {
        let first = pace(0.7, Ticks(2));
        let done = first.after(Ticks(5), Done::NOTHING);
        // 3 ticks at 0.7 are 2.1 of 10; the other 7.9 take 3.95 ticks at double speed.
        assert_eq!(pace(2.0, Ticks(0)).span(Ticks(10), done), Ticks(4));
        assert_eq!(first.after(Ticks(1), Done::NOTHING), Done::NOTHING);
    }

    #[test]
    fn nonsense_is_no_speed() {
        for speed in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-7, 5000.0] {
            assert_eq!(Speed::new(speed), None, "{speed}");
        }
    }
}
