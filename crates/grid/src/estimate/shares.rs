//! Equation 4.4 of the thesis, for time-shared resources:
//! `time · (⌊jobs / PEs⌋ + 1) · 100 / (100 − load)`.
//!
//! Exact if nothing changes and all jobs there have the same amount of work left. With a load of
//! 100 % a job is never completed (erratum E16).
//!
//! The thesis does not define the delay for a time-limit scheduler here. Our choice: 0 if a PE has
//! no job; otherwise the time until the estimated completion of the job sent last.

use gridsat_heuristics::{HostModel, HostState};
use gridsat_model::Ticks;

use super::super::resource::Seen;
use super::super::work::{Share, Speed, Work};
use gridsat_engine::time::Time;

pub(super) fn state(seen: &Seen, now: Time) -> HostState {
    HostState::Other(Box::new(host(seen, now)))
}

/// The same without a box.
pub(super) fn host(seen: &Seen, now: Time) -> impl HostModel + use<> {
    let Seen { jobs, pes, speed, .. } = *seen;
    SharedHost { jobs, pes, speed, occupied: seen.occupied(now) }
}

/// Estimated completion time of a job sent now, with this many other jobs.
pub fn completion_among(jobs: u32, pes: u32, speed: Speed, time: Ticks) -> Option<Ticks> {
    let share = Share { pes: 1, jobs: jobs / pes + 1 };
    match speed {
        // The same without divisions by the speed.
        Speed::FULL => time.0.checked_mul(u64::from(share.jobs)).map(Ticks),
        _ => Work::of(time).ticks_at(speed, share),
    }
}

#[derive(Clone, Debug)]
struct SharedHost {
    jobs: u32,
    pes: u32,
    speed: Speed,
    occupied: Ticks,
}

impl HostModel for SharedHost {
    fn completion(&self, time: Ticks) -> Option<Ticks> {
        completion_among(self.jobs, self.pes, self.speed, time)
    }

    fn assign(&mut self, time: Ticks) {
        self.occupied = self.completion(time).unwrap_or(Ticks::MAX).max(self.occupied);
        self.jobs += 1;
    }

    fn delay(&self) -> Ticks {
        if self.jobs < self.pes { Ticks(0) } else { self.occupied }
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
        let mut host =
            SharedHost { jobs: 3, pes: 4, speed: Speed::under_load(50), occupied: Ticks(70) };
        assert_eq!((host.completion(Ticks(100)), host.delay()), (Some(Ticks(200)), Ticks(0)));
        host.assign(Ticks(100));
        assert_eq!((host.completion(Ticks(100)), host.delay()), (Some(Ticks(400)), Ticks(200)));
        host.speed = Speed::under_load(100);
        assert_eq!(host.completion(Ticks(100)), None);
    }
}
