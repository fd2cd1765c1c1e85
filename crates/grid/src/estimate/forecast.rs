//! Completion times by simulating a copy of the resource. Active reservations end as planned;
//! future ones are not considered.

use gridsat_heuristics::{HostModel, HostState};
use gridsat_model::Ticks;

use super::super::allocation::{Allocation, JobId};
use super::super::resource::Resource;
use gridsat_engine::time::Time;

/// No job of the simulation has this id.
const PROBE: JobId = JobId(u32::MAX);

pub(super) fn state(resource: &Resource, now: Time) -> HostState {
    let mut copy = resource.allocation().fork();
    copy.advance(now);
    HostState::Other(Box::new(Forecast { copy, now, pes: resource.pe_count() as usize }))
}

/// A copy of a resource with the jobs assigned so far.
struct Forecast {
    copy: Box<dyn Allocation>,
    now: Time,
    pes: usize,
}

/// Completes the next job of `future`, or ends a reservation; returns the job, if it was one, and
/// the time. `None` if nothing is pending.
fn step(future: &mut dyn Allocation) -> Option<(Option<JobId>, Time)> {
    let completion = future.next_completion().filter(|&time| time < Time::NEVER);
    let release = future.reserving().and_then(|reserving| reserving.next_release());
    if let Some((time, reservation)) =
        release.filter(|&(time, _)| completion.is_none_or(|t| time < t))
    {
        future.advance(time);
        let reserving = future.reserving().expect("it has one");
        reserving.release(reservation);
        reserving.fill();
        return Some((None, time));
    }
    let time = completion?;
    future.advance(time);
    let job = future.complete().expect("a completion is due");
    Some((Some(job), time))
}

/// Whether another job would have its own PE.
fn has_room(future: &mut dyn Allocation, pes: usize) -> bool {
    match future.reserving() {
        Some(reserving) => reserving.has_room(),
        None => match future.busy() {
            Some(busy) => (busy as usize) < pes,
            None => future.job_count() < pes,
        },
    }
}

impl HostModel for Forecast {
    fn completion(&self, time: Ticks) -> Option<Ticks> {
        let mut future = self.copy.fork();
        future.submit(PROBE, time);
        loop {
            let (job, time) = step(&mut *future)?;
            if job == Some(PROBE) {
                return Some(time - self.now);
            }
        }
    }

    fn assign(&mut self, time: Ticks) {
        self.copy.submit(JobId(u32::MAX - 1), time);
    }

    fn delay(&self) -> Ticks {
        let mut future = self.copy.fork();
        let mut time = self.now;
        while !has_room(&mut *future, self.pes) {
            match step(&mut *future) {
                Some((_, next)) => time = next,
                None => return Ticks::MAX,
            }
        }
        time - self.now
    }

    fn is_monotone(&self) -> bool {
        // One more job can change which jobs move between PEs, and so the completion of any other.
        false
    }

    fn fork(&self) -> Box<dyn HostModel> {
        Box::new(Self { copy: self.copy.fork(), now: self.now, pes: self.pes })
    }
}
