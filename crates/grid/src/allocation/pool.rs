//! Jobs that all progress at the same rate, in O(log n) per change for n jobs.
//!
//! The pool counts the work `S` that it has served to each job since the beginning. A job that
//! joins with work `w` is complete when `S` reaches its current value plus `w`. This number never
//! changes, also if the rate does, so a heap gives the next completion. No work is done per job as
//! time passes.
//!
//! `S` is rounded down when it is updated, which happens only when the rate is about to change. So
//! it does not depend on how often a resource is inspected.

use super::Slot;
use super::agenda::{Agenda, Submitted, Until};
use super::jobs::{Job, JobSlab, JobState, NOWHERE};
use crate::work::{Share, Speed, Work};
use gridsat_engine::time::Time;

/// The current time, and the speed of the PEs from now on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    pub now: Time,
    pub speed: Speed,
}

impl Clock {
    /// Time 0 and full speed.
    pub fn new() -> Self {
        Self { now: Time::ZERO, speed: Speed::FULL }
    }

    /// Work that a job with this share has received since then.
    pub fn done(&self, since: Time, share: Share) -> Work {
        Work::done(self.now - since, self.speed, share)
    }

    /// Completion time of a job with this much work left at `since`; `None` if never.
    pub fn when(&self, since: Time, left: Work, share: Share) -> Option<Time> {
        since.after(left.ticks_at(self.speed, share)?)
    }
}

/// Complete jobs, earliest submitted first.
pub(super) type Due = Agenda<Submitted>;

/// Jobs that progress at the same rate.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    since: Time,
    served: Work,
    agenda: Agenda<Until>,
    /// Number of its jobs, including those that are due.
    pub count: u32,
    due: u32,
}

impl Pool {
    pub fn new() -> Self {
        Self { since: Time::ZERO, served: Work::NONE, agenda: Agenda::new(), count: 0, due: 0 }
    }

    /// `S`, as of the last update.
    pub fn served(&self) -> Work {
        self.served
    }

    /// Updates `S`. Called before every change to the pool, its share or the speed.
    pub fn settle(&mut self, clock: &Clock, share: Share) {
        if self.since < clock.now {
            self.served += clock.done(self.since, share);
            self.since = clock.now;
        }
    }

    /// Completion time of the first job that is not yet due.
    pub fn next(&self, clock: &Clock, share: Share) -> Option<Time> {
        let first = self.agenda.first()?;
        clock.when(self.since, first.until().less(self.served), share)
    }

    /// Adds a job with this much work left, under its current stamp.
    pub fn join(&mut self, slot: Slot, job: &mut Job, left: Work) {
        let until = self.served + left;
        job.state = JobState::Running(until);
        self.agenda.push(Until::new(until, job.stamp, slot));
        self.count += 1;
    }

    /// Moves complete jobs to `due`.
    pub fn collect(&mut self, jobs: &mut JobSlab, due: &mut Due) {
        while self.is_any_due()
            && let Some(slot) = self.agenda.pop(jobs)
        {
            self.wait(slot, jobs, due);
        }
    }

    /// Whether the first job that is not in `due` is complete.
    #[inline]
    fn is_any_due(&self) -> bool {
        self.agenda.first().is_some_and(|first| first.until() <= self.served)
    }

    /// Moves a complete job that was taken from the agenda to `due`.
    fn wait(&mut self, slot: Slot, jobs: &mut JobSlab, due: &mut Due) {
        let job = &mut jobs[slot];
        job.state = JobState::Due;
        due.push((job.order, job.stamp, slot));
        self.due += 1;
    }

    /// Takes the only complete job, which still counts; `None` if there is none. If there are
    /// several, all of them are moved to `due`.
    #[inline]
    pub fn take_only(&mut self, jobs: &mut JobSlab, due: &mut Due) -> Option<Slot> {
        if self.due > 0 || !self.is_any_due() {
            self.collect(jobs, due);
            return None;
        }
        let slot = self.agenda.pop(jobs)?;
        // Mostly there is just this one.
        if !self.is_any_due() {
            return Some(slot);
        }
        self.wait(slot, jobs, due);
        self.collect(jobs, due);
        None
    }

    /// Removes a complete job, the one submitted first if there are several. For policies with only
    /// this pool.
    #[inline]
    pub fn take_complete(&mut self, jobs: &mut JobSlab, due: &mut Due) -> Option<Slot> {
        if let Some(only) = self.take_only(jobs, due) {
            self.count -= 1;
            return Some(only);
        }
        let slot = due.pop(jobs)?;
        self.count -= 1;
        self.due -= 1;
        Some(slot)
    }

    /// One of its jobs was taken from `due`; it still counts.
    pub fn was_due(&mut self) {
        self.due -= 1;
    }

    /// Removes any of its jobs and clears its stamp; returns the work it had left.
    pub fn leave(&mut self, slot: Slot, jobs: &mut JobSlab, due: &mut Due) -> Work {
        self.count -= 1;
        let job = &mut jobs[slot];
        job.stamp = NOWHERE;
        if let JobState::Running(until) = job.state {
            self.agenda.forget(jobs);
            return until.less(self.served);
        }
        self.due -= 1;
        due.forget(jobs);
        Work::NONE
    }

    /// Whether this job, the first on a list, finishes before the others; ties by the list.
    pub fn finishes_next(&self, slot: Slot, job: &Job) -> bool {
        match job.state {
            JobState::Running(until) if until > self.served => {
                self.due == 0 && self.agenda.first().is_some_and(|first| first.job == slot)
            }
            _ => true,
        }
    }
}
