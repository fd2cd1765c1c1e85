//! Speeds of nodes, and run times on them, in integer arithmetic.
//!
//! A speed is in millionths of the reference node. Work of `w` ticks on the reference node takes
//! `ceil(w · s · 10⁶ / rate) + penalty` ticks, where the rate is that of the slowest node of
//! the job and `s` the slowdown of a moldable job, 1 for all others. This is the only place where
//! times are rounded, up to the next tick. When a moldable job is suspended, the work it has done
//! is rounded down to a millionth of a tick.

use std::num::NonZeroU32;

use super::exact::Exact;
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
}

/// A positive factor of run times: a fraction in lowest terms. Both numbers are below 2^44, so that
/// products with work in millionths of ticks fit 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ratio {
    pub over: u64,
    pub under: u64,
}

impl Ratio {
    pub const ONE: Self = Self { over: 1, under: 1 };
    const BITS: i32 = 44;
    const END: u64 = 1 << Self::BITS;

    /// The same fraction; `None` if it is unknown, 0, or its numbers are too large.
    pub fn exact(fraction: Exact) -> Option<Self> {
        let (over, under) = fraction.parts()?;
        let part = |number: u128| u64::try_from(number).ok().filter(|n| (1..Self::END).contains(n));
        Some(Self { over: part(over)?, under: part(under)? })
    }

    /// A fraction close to a positive number.
    pub fn near(value: f64) -> Self {
        let mut places = Self::BITS - 1;
        while places > 0 && value * 2_f64.powi(places) >= Self::END as f64 {
            places -= 1;
        }
        let over = (value * 2_f64.powi(places)).round() as u64;
        Self { over: over.clamp(1, Self::END - 1), under: 1 << places }
    }
}

/// Work already done, in millionths of a tick of the reference node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Done(u128);

impl Done {
    pub const NOTHING: Self = Self(0);

    /// The work up to a multiple of this many ticks.
    pub fn checkpointed(self, every: Ticks) -> Self {
        Self(self.0 - self.0 % (u128::from(every.max(Ticks(1))) * u128::from(ONE)))
    }

    /// Whole ticks on the reference node.
    pub fn ticks(self) -> u128 {
        self.0 / u128::from(ONE)
    }
}

/// Progress of a job on its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pace {
    /// Work per tick of a job that is not moldable.
    pub rate: Speed,
    /// Run time relative to that of a job that is not moldable.
    pub slowdown: Ratio,
    /// Ticks lost at each start because nodes are not local.
    pub penalty: Ticks,
}

impl Pace {
    /// Ticks that the remaining work takes.
    #[inline]
    pub fn span(self, work: Ticks, done: Done) -> Ticks {
        let Self { rate, slowdown, .. } = self;
        if rate == Speed::ONE && slowdown == Ratio::ONE && done == Done::NOTHING {
            return work.saturating_add(self.penalty);
        }
        self.general_span(work, done)
    }

    fn general_span(self, work: Ticks, done: Done) -> Ticks {
        let Self { rate, slowdown, .. } = self;
        let left = (u128::from(work) * u128::from(ONE)).saturating_sub(done.0);
        let rate = u128::from(rate.millionths()) * u128::from(slowdown.under);
        let ticks = (left * u128::from(slowdown.over)).div_ceil(rate);
        Ticks::try_from(ticks).unwrap_or(Ticks::MAX).saturating_add(self.penalty)
    }

    /// Ticks that the remaining work is expected to take, at least one.
    pub fn expected_span(self, estimate: Ticks, done: Done) -> Ticks {
        self.span(estimate, done).max(Ticks(1))
    }

    /// Work done after this many ticks, added to the work done before.
    pub fn after(self, ticks: Ticks, before: Done) -> Done {
        let ticks = ticks.saturating_sub(self.penalty);
        let [over, under] = [self.slowdown.over, self.slowdown.under].map(u128::from);
        let work = u128::from(ticks) * u128::from(self.rate.millionths());
        let whole = (work / over).saturating_mul(under);
        Done(before.0.saturating_add(whole).saturating_add(work % over * under / over))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(speed: f64, penalty: Ticks) -> Pace {
        Pace { rate: Speed::new(speed).expect("a speed"), slowdown: Ratio::ONE, penalty }
    }

    #[test]
    fn a_slowdown_is_rounded_once() {
        let ratio = |over, under| Ratio { over, under };
        let slowed = |speed, slowdown| Pace { slowdown, ..pace(speed, Ticks(0)) };
        assert_eq!(slowed(1.0, ratio(9, 10)).span(Ticks(100), Done::NOTHING), Ticks(90));
        assert_eq!(slowed(0.9, ratio(9, 10)).span(Ticks(100), Done::NOTHING), Ticks(100));
        assert_eq!(slowed(2.0, ratio(7, 3)).span(Ticks(6), Done::NOTHING), Ticks(7));
        let largest = slowed(0.000_001, ratio(Ratio::END - 1, 1));
        assert_eq!(largest.span(Ticks::MAX, Done::NOTHING), Ticks::MAX);
        // A third of 9 ticks is done in a third of 21 ticks.
        let slow = slowed(1.0, ratio(7, 3));
        assert_eq!(slow.span(Ticks(9), slow.after(Ticks(7), Done::NOTHING)), Ticks(14));
        assert_eq!(
            [0.75, 1e-30, 1e30].map(Ratio::near).map(|r| (r.over, r.under)),
            [(3 << 41, 1 << 43), (1, 1 << 43), (Ratio::END - 1, 1)]
        );
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
