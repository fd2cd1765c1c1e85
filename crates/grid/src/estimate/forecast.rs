//! Completion times by simulating a copy of the resource. Active reservations end, and future ones
//! begin and end, as planned.

use gridsat_heuristics::{HostModel, HostState};
use gridsat_model::Ticks;

use super::super::allocation::{Allocation, JobId};
use super::super::resource::{Coming, Resource};
use gridsat_engine::time::Time;

/// No job of the simulation has this id.
const PROBE: JobId = JobId(u32::MAX);

/// Jobs that are assigned to the copy.
const ASSIGNED: JobId = JobId(u32::MAX - 1);

/// A job of this length stays on its PE as long as anything is estimated.
const ENDLESS: Ticks = Ticks(1 << 62);

pub(super) fn state(resource: &Resource, now: Time) -> HostState {
    let mut copy = resource.allocation().fork();
    copy.advance(now);
    HostState::Other(Box::new(Forecast::new(copy, resource, now)))
}

/// A copy of a resource with the jobs assigned so far.
pub(super) struct Forecast {
    copy: Future,
    now: Time,
    pes: usize,
}

/// A copy of a resource whose time goes on.
struct Future {
    copy: Box<dyn Allocation>,
    /// Reservations that are not active yet, the next one last.
    coming: Vec<Coming>,
}

impl Future {
    fn fork(&self) -> Self {
        Self { copy: self.copy.fork(), coming: self.coming.clone() }
    }

    /// Completes the next job, or lets reservations end and begin; returns the job, if it was one,
    /// and the time. `None` if nothing is pending.
    fn step(&mut self) -> Option<(Option<JobId>, Time)> {
        let completion = self.copy.next_completion().filter(|&time| time < Time::NEVER);
        match self.next_change() {
            Some(time) if completion.is_none_or(|end| time < end) => {
                self.change(time);
                Some((None, time))
            }
            _ => {
                let time = completion?;
                self.copy.advance(time);
                let job = self.copy.complete().expect("a completion is due");
                Some((Some(job), time))
            }
        }
    }

    /// When the next reservation ends or begins.
    fn next_change(&mut self) -> Option<Time> {
        let end = self.copy.reserving().and_then(|reserving| reserving.next_release());
        let start = self.coming.last().map(|coming| coming.period.start);
        end.map(|(time, _)| time).into_iter().chain(start).min()
    }

    fn change(&mut self, now: Time) {
        self.copy.advance(now);
        let Some(reserving) = self.copy.reserving() else { return };
        while let Some((_, id)) = reserving.next_release().filter(|&(time, _)| time <= now) {
            reserving.release(id);
        }
        while let Some(next) = self.coming.pop_if(|coming| coming.period.start <= now) {
            reserving.reserve(next.id, next.pes, next.period.end);
        }
        reserving.fill();
    }

    /// Whether another job would have its own PE.
    fn has_room(&mut self, pes: usize) -> bool {
        match self.copy.reserving() {
            Some(reserving) => reserving.has_room(),
            None => self.copy.job_count() < pes,
        }
    }
}

impl Forecast {
    /// A forecast for a copy of the resource that has been advanced to now.
    pub fn new(copy: Box<dyn Allocation>, resource: &Resource, now: Time) -> Self {
        let coming = resource.coming().iter().rev().copied().collect();
        Self { copy: Future { copy, coming }, now, pes: resource.pe_count() as usize }
    }

    /// A copy on which assignments can be tried.
    pub fn copy(&self) -> Self {
        Self { copy: self.copy.fork(), now: self.now, pes: self.pes }
    }

    /// Lets time pass until another job would have its own PE; `None` if that never happens.
    fn room(&self, future: &mut Future, mut now: Time) -> Option<Time> {
        while !future.has_room(self.pes) {
            now = future.step()?.1;
        }
        Some(now)
    }

    /// Ticks until each PE could start a job, if the others have jobs that never end; in order.
    pub fn starts(&self) -> Vec<Ticks> {
        let (mut future, mut now) = (self.copy.fork(), Some(self.now));
        let next = || {
            now = now.and_then(|now| self.room(&mut future, now));
            future.copy.submit(ASSIGNED, ENDLESS);
            let start = now.map_or(Ticks::MAX, |now| now - self.now);
            if start < ENDLESS { start } else { Ticks::MAX }
        };
        std::iter::repeat_with(next).take(self.pes).collect()
    }
}

impl HostModel for Forecast {
    fn completion(&self, time: Ticks) -> Option<Ticks> {
        let mut future = self.copy.fork();
        future.copy.submit(PROBE, time);
        loop {
            let (job, time) = future.step()?;
            if job == Some(PROBE) {
                return Some(time - self.now);
            }
        }
    }

    fn assign(&mut self, time: Ticks) {
        self.copy.copy.submit(ASSIGNED, time);
    }

    fn delay(&self) -> Ticks {
        let start = self.room(&mut self.copy.fork(), self.now);
        start.map_or(Ticks::MAX, |start| start - self.now)
    }

    fn is_monotone(&self) -> bool {
        // One more job can change which jobs move between PEs, and so the completion of any other.
        false
    }

    fn fork(&self) -> Box<dyn HostModel> {
        Box::new(self.copy())
    }
}
