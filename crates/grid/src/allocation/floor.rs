//! Common code of the policies that keep their jobs in pools; each policy only defines how jobs get
//! and lose PEs.

use super::jobs::{Job, JobSlab, JobState, Stamp, in_order};
use super::pool::{Clock, Due};
use super::{Allocation, JobId, Present, Request, Reserving, Slot, Started, Stopped, stop_each};
use crate::work::{Speed, Work};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// The jobs of a resource, and its clock.
#[derive(Clone, Debug)]
pub struct Floor {
    pub(super) clock: Clock,
    pub(super) jobs: JobSlab,
    pub(super) due: Due,
    pub(super) stamps: Stamp,
    pub(super) started: Vec<Started>,
}

impl Floor {
    pub(super) fn new() -> Self {
        Self {
            clock: Clock::new(),
            jobs: JobSlab::default(),
            due: Due::new(),
            stamps: 0,
            started: Vec::new(),
        }
    }

    /// A new, unique stamp.
    pub(super) fn stamp(&mut self) -> Stamp {
        self.stamps += 1;
        self.stamps
    }

    /// The current time, if a job is complete and has not been collected; otherwise `None`.
    pub(super) fn due_now(&self) -> Option<Time> {
        self.due.first().map(|_| self.clock.now)
    }
}

/// How jobs get and lose PEs.
pub trait Sharing: Clone + Send + Sync + 'static {
    /// The jobs and the clock.
    fn floor(&self) -> &Floor;

    /// The jobs and the clock, mutable.
    fn floor_mut(&mut self) -> &mut Floor;

    /// Places a job that arrived or was resumed, with this much work left.
    fn place(&mut self, slot: Slot, left: Work);

    /// Notes what a job in a new slot asks for, before it is placed with this much work.
    fn ask(&mut self, _slot: Slot, _work: Work, _request: Request) {}

    /// Whether nothing may start from now on, because all jobs are being removed.
    fn close(&mut self, _is_closed: bool) {}

    /// See [`Allocation::busy`].
    fn busy(&self) -> Option<u32> {
        None
    }

    /// Removes a running or queued job; returns the work it has left.
    fn displace(&mut self, slot: Slot) -> Work;

    /// Accounts for the progress of all jobs until now. Called before the speed changes.
    fn settle(&mut self);

    /// Determines the next completion. Called after the speed has changed.
    fn update_next(&mut self) {}

    /// See [`Allocation::next_completion`].
    fn next(&self) -> Option<Time>;

    /// See [`Allocation::complete`].
    fn take_completed(&mut self) -> Option<JobId>;

    /// See [`Allocation::job_count`].
    fn count(&self) -> usize;

    /// See [`Allocation::reserving`].
    fn holds(&mut self) -> Option<&mut dyn Reserving> {
        None
    }
}

impl<P: Sharing> Allocation for P {
    fn advance(&mut self, now: Time) {
        self.floor_mut().clock.now = now;
    }

    fn submit(&mut self, job: JobId, time: Ticks) -> Slot {
        self.submit_as(job, time, Request { pes: 1, believed: time })
    }

    fn submit_as(&mut self, job: JobId, time: Ticks, request: Request) -> Slot {
        let slot = self.floor_mut().jobs.insert(Job::new(job));
        self.ask(slot, Work::of(time), request);
        self.place(slot, Work::of(time));
        slot
    }

    fn next_completion(&self) -> Option<Time> {
        self.next()
    }

    fn complete(&mut self) -> Option<JobId> {
        self.take_completed()
    }

    fn started(&mut self) -> &mut Vec<Started> {
        &mut self.floor_mut().started
    }

    fn set_speed(&mut self, speed: Speed) {
        if speed != self.floor().clock.speed {
            self.settle();
            self.floor_mut().clock.speed = speed;
            self.update_next();
        }
    }

    fn halt(&mut self, slot: Slot) -> bool {
        if self.floor().jobs.get(slot).is_none_or(Job::is_halted) {
            return false;
        }
        let left = self.displace(slot);
        self.floor_mut().jobs[slot].state = JobState::Halted(left);
        true
    }

    fn resume(&mut self, slot: Slot) -> bool {
        let Some(&Job { state: JobState::Halted(left), .. }) = self.floor().jobs.get(slot) else {
            return false;
        };
        self.place(slot, left);
        true
    }

    fn cancel(&mut self, slot: Slot) -> Work {
        self.halt(slot);
        self.floor_mut().jobs.remove(slot).map_or(Work::NONE, |job| job.halted())
    }

    fn present(&self) -> Vec<Present> {
        let jobs = in_order(&self.floor().jobs, |job| !job.is_halted());
        let present =
            |(slot, job): (Slot, &Job)| Present { job: job.id, slot, is_running: job.is_running() };
        jobs.into_iter().map(present).collect()
    }

    fn job_count(&self) -> usize {
        self.count()
    }

    fn stop_all(&mut self) -> Vec<Stopped> {
        self.close(true);
        let stopped = stop_each(self);
        self.close(false);
        stopped
    }

    fn busy(&self) -> Option<u32> {
        Sharing::busy(self)
    }

    fn reserving(&mut self) -> Option<&mut dyn Reserving> {
        self.holds()
    }

    fn fork(&self) -> Box<dyn Allocation> {
        Box::new(self.clone())
    }
}
