//! Equation 4.4 of the thesis, for time-shared resources:
//! `time · (⌊jobs / PEs⌋ + 1) · 100 / (100 − load)`.
//!
//! Exact if nothing changes and all jobs there have the same amount of work left. With a load of
//! 100 % a job is never completed (erratum E16).
//!
//! The thesis does not define the delay for a time-limit scheduler here ([`Delay`]). Either way it
//! is the time until the estimated completion of all jobs sent; they differ while a PE has no job.
//! A delay of 0 at any time, because every job starts at once, would make time-limit mode send all
//! jobs, which figure 4.20 of the thesis excludes.

use gridsat_heuristics::{HostModel, HostState};
use gridsat_model::Ticks;

use super::super::resource::{Resource, Seen};
use super::super::work::{Share, Speed, Work};
use gridsat_engine::time::Time;

/// The delay of a time-shared resource some of whose PEs have no job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delay {
    /// 0: a PE could work on another job.
    Idle,
    /// Until all its jobs are completed, as figure 4.1 of the thesis describes d.
    Busy,
}

pub(super) fn state(seen: &Seen, now: Time, delay: Delay) -> HostState {
    let Seen { jobs, pes, speed, .. } = *seen;
    let occupied = seen.occupied(now);
    HostState::Other(Box::new(SharedHost { jobs, pes, speed, occupied, delay }))
}

/// The state of a resource that is up, without a box.
#[inline]
pub(super) fn host(resource: &Resource, now: Time, delay: Delay) -> SharedHost {
    let (jobs, pes) = (resource.job_count(), resource.pe_count());
    let occupied = if jobs == 0 { Ticks(0) } else { resource.occupied_until() - now };
    SharedHost { jobs, pes, speed: resource.speed(), occupied, delay }
}

/// The completion of a job of this time on a resource that is up; `Ticks::MAX` if never.
#[inline]
pub(super) fn completion(resource: &Resource, time: Ticks) -> Ticks {
    let (jobs, pes) = (resource.job_count(), resource.pe_count());
    completion_among(jobs, pes, resource.speed(), time).unwrap_or(Ticks::MAX)
}

/// Estimated completion time of a job sent now, with this many other jobs.
#[inline]
pub fn completion_among(jobs: u32, pes: u32, speed: Speed, time: Ticks) -> Option<Ticks> {
    let share = Share { pes: 1, jobs: jobs / pes + 1 };
    match speed {
        // The same without divisions by the speed.
        Speed::FULL => time.0.checked_mul(u64::from(share.jobs)).map(Ticks),
        _ => Work::of(time).ticks_at(speed, share),
    }
}

/// A time-shared resource.
#[derive(Clone, Debug)]
pub(crate) struct SharedHost {
    jobs: u32,
    pes: u32,
    speed: Speed,
    occupied: Ticks,
    delay: Delay,
}

impl HostModel for SharedHost {
    #[inline]
    fn completion(&self, time: Ticks) -> Option<Ticks> {
        completion_among(self.jobs, self.pes, self.speed, time)
    }

    #[inline]
    fn assign(&mut self, time: Ticks) {
        self.occupied = self.completion(time).unwrap_or(Ticks::MAX).max(self.occupied);
        self.jobs += 1;
    }

    #[inline]
    fn delay(&self) -> Ticks {
        let is_idle = self.delay == Delay::Idle && self.jobs < self.pes;
        if is_idle { Ticks(0) } else { self.occupied }
    }

    fn fork(&self) -> Box<dyn HostModel> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equation_4_4_by_hand() {
        let (speed, delay) = (Speed::under_load(50), Delay::Idle);
        let mut host = SharedHost { jobs: 3, pes: 4, speed, occupied: Ticks(70), delay };
        assert_eq!((host.completion(Ticks(100)), host.delay()), (Some(Ticks(200)), Ticks(0)));
        host.assign(Ticks(100));
        assert_eq!((host.completion(Ticks(100)), host.delay()), (Some(Ticks(400)), Ticks(200)));
        host.speed = Speed::under_load(100);
        assert_eq!(host.completion(Ticks(100)), None);
    }

    #[test]
    fn a_busy_host_stays_so_until_all_is_done() {
        let delay = |delay, jobs| {
            SharedHost { jobs, pes: 4, speed: Speed::FULL, occupied: Ticks(70), delay }.delay()
        };
        assert_eq!([3, 4].map(|jobs| delay(Delay::Idle, jobs)), [Ticks(0), Ticks(70)]);
        assert_eq!([3, 4].map(|jobs| delay(Delay::Busy, jobs)), [Ticks(70), Ticks(70)]);
    }
}
