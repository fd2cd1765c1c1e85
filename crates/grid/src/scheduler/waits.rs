//! Decisions earlier or later than every `wait` ticks (asked for in the thesis, 4.5.2.2 and 4.6).
//!
//! A short wait leaves few jobs to choose from, a long one leaves machines idle. Two remedies,
//! which can be combined:
//!
//! - **early**: a decision is put forward as soon as a PE is idle that could run a waiting job.
//! - **adapt** the wait, within limits. By *flow*: so that about N jobs arrive between decisions;
//!   after a decision the wait becomes `(wait + N · elapsed / arrived) / 2`, where `arrived` jobs
//!   came in the `elapsed` ticks since the decision before. By *state*: until the first target is
//!   expected to have an idle PE.
//!
//! In time-limit mode the limit stays the wait of the mode.

use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// How a wait adapts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adapt {
    /// So that about this many jobs arrive between two decisions, at least 1.
    Flow(u32),
    /// Until the first target is expected to run dry.
    Dry,
}

/// When a scheduler decides in modes with a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    /// Whether decisions are put forward when a target runs dry.
    pub early: bool,
    /// How the wait adapts, if it does.
    pub adapt: Option<Adapt>,
    /// The shortest and the longest adaptive wait; the shortest is at least one tick.
    pub least: Ticks,
    /// See `least`.
    pub most: Ticks,
}

/// The waits of a scheduler during a simulation.
#[derive(Clone, Debug)]
pub(in super::super) struct Pacing {
    waits: Waits,
    wait: Ticks,
    /// Time of the last decision, if there was one, and number of jobs that arrived since.
    last: Option<Time>,
    arrived: u32,
}

impl Pacing {
    /// The first wait is that of the mode.
    pub fn new(waits: Waits, wait: Ticks) -> Self {
        Self { waits, wait, last: None, arrived: 0 }
    }

    /// Whether decisions are put forward.
    pub fn is_early(&self) -> bool {
        self.waits.early
    }

    /// Counts a job that arrived.
    pub fn arrive(&mut self) {
        self.arrived += 1;
    }

    /// Adapts the wait after a decision.
    pub fn decided(&mut self, now: Time) {
        if let (Some(Adapt::Flow(jobs)), 1..) = (self.waits.adapt, self.arrived) {
            let elapsed = u128::from(now - self.since()) * u128::from(jobs);
            let found = elapsed / u128::from(self.arrived);
            let mean = (u128::from(self.wait) + found) / 2;
            self.wait = self.within(Ticks::try_from(mean).unwrap_or(Ticks::MAX));
        }
        (self.last, self.arrived) = (Some(now), 0);
    }

    /// When jobs that wait now are decided on, if the wait adapts. `dry` gives the ticks until the
    /// first target is expected to run dry.
    pub fn next(&self, now: Time, dry: impl FnOnce() -> Ticks) -> Option<Time> {
        let wait = match (self.waits.adapt?, self.last) {
            (Adapt::Flow(_), _) => self.wait,
            // The first decision need not keep a distance from another one.
            (Adapt::Dry, None) => return Some(now + dry().min(self.waits.most)),
            (Adapt::Dry, Some(last)) => (now + dry()) - last,
        };
        Some((self.since() + self.within(wait)).max(now))
    }

    /// Time of the last decision, or the start.
    fn since(&self) -> Time {
        self.last.unwrap_or(Time::ZERO)
    }

    fn within(&self, wait: Ticks) -> Ticks {
        wait.clamp(self.waits.least, self.waits.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pacing(adapt: Adapt) -> Pacing {
        let waits = Waits { early: false, adapt: Some(adapt), least: Ticks(2), most: Ticks(50) };
        Pacing::new(waits, Ticks(10))
    }

    #[test]
    fn waits_follow_the_flow_of_jobs() {
        let mut pacing = pacing(Adapt::Flow(8));
        let mut decide = |now: u64, jobs: u32| {
            (0..jobs).for_each(|_| pacing.arrive());
            pacing.decided(Time(Ticks(now)));
            pacing.next(Time(Ticks(now)), || Ticks(0)).map(|time| time.0.0 - now)
        };
        assert_eq!(decide(10, 4), Some(15)); // (10 + 8 · 10 / 4) / 2
        assert_eq!(decide(25, 60), Some(8)); // (15 + 8 · 15 / 60) / 2
        assert_eq!(decide(33, 0), Some(8)); // nothing learnt
        assert_eq!(decide(133, 1), Some(50)); // at most 50
        assert_eq!(decide(134, 1000), Some(25));
    }

    #[test]
    fn waits_end_when_a_machine_runs_dry() {
        let mut pacing = pacing(Adapt::Dry);
        assert_eq!(pacing.next(Time::ZERO, || Ticks(0)), Some(Time::ZERO));
        pacing.decided(Time(Ticks(100)));
        let next = |now, dry| pacing.next(Time(Ticks(now)), || Ticks(dry)).map(|time| time.0.0);
        assert_eq!(next(110, 7), Some(117));
        assert_eq!(next(100, 0), Some(102), "at least 2 after the last decision");
        assert_eq!(next(110, 70), Some(150), "at most 50 after it");
        assert_eq!(next(300, 0), Some(300), "not in the past");
        assert_eq!(next(300, u64::MAX), Some(300));
    }
}
