//! Jobs that all progress at the same rate, in O(log n) a change however many they are.
//!
//! The pool counts what it has served each of its jobs since the beginning, `S`. A job that joins
//! with `w` to do is done when `S` reaches `S + w` of now: a number that never changes, whatever
//! happens to the rate, so a heap keeps the next to finish. Nothing is done per job as time goes
//! by.
//!
//! `S` is rounded down when it is brought up to date, which happens when the rate is about to
//! change and at no other time: who looks, and how often, has no influence.

use super::Slot;
use super::agenda::Agenda;
use super::jobs::{Job, JobSlab, JobState, NOWHERE, Stamp};
use crate::work::{Share, Speed, Work};
use gridsat_engine::time::Time;

/// The present, and what PEs give to jobs from now on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    pub now: Time,
    pub speed: Speed,
}

impl Clock {
    /// Time 0, full speed.
    pub fn new() -> Self {
        Self { now: Time::ZERO, speed: Speed::FULL }
    }

    /// What a job with this share got done since then.
    pub fn done(&self, since: Time, share: Share) -> Work {
        Work::done(self.now - since, self.speed, share)
    }

    /// When a job is done that has so much left at `since`; `None` if never.
    pub fn when(&self, since: Time, left: Work, share: Share) -> Option<Time> {
        since.after(left.ticks_at(self.speed, share)?)
    }
}

/// Jobs that are done, the earliest submitted first.
pub(super) type Due = Agenda<Stamp>;

/// Jobs that progress at the same rate.
#[derive(Clone, Debug)]
pub(super) struct Pool {
    since: Time,
    served: Work,
    agenda: Agenda<Work>,
    /// All its jobs, also those that are due.
    pub count: u32,
    due: u32,
}

impl Pool {
    pub fn new() -> Self {
        Self { since: Time::ZERO, served: Work::NONE, agenda: Agenda::new(), count: 0, due: 0 }
    }

    /// Brings `S` up to date. Comes before every change to the pool, its share or the speed.
    pub fn settle(&mut self, clock: &Clock, share: Share) {
        if self.since < clock.now {
            self.served += clock.done(self.since, share);
            self.since = clock.now;
        }
    }

    /// When the first job that is not yet due is done.
    pub fn next(&self, clock: &Clock, share: Share) -> Option<Time> {
        let (until, _) = self.agenda.first()?;
        clock.when(self.since, until.less(self.served), share)
    }

    /// A job with so much to do, under its stamp of now.
    pub fn join(&mut self, slot: Slot, job: &mut Job, left: Work) {
        let until = self.served + left;
        job.state = JobState::Running(until);
        self.agenda.push(until, job.stamp, slot);
        self.count += 1;
    }

    /// Moves jobs that are done to `due`.
    pub fn collect(&mut self, jobs: &mut JobSlab, due: &mut Due) {
        while let Some((until, slot)) = self.agenda.first()
            && until <= self.served
        {
            self.agenda.pop(jobs);
            let job = &mut jobs[slot];
            job.state = JobState::Due;
            due.push(job.order, job.stamp, slot);
            self.due += 1;
        }
    }

    /// A job taken from `due` leaves.
    pub fn complete(&mut self) {
        self.count -= 1;
        self.due -= 1;
    }

    /// Any of its jobs leaves, and its stamp with it; what it had left.
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
                self.due == 0 && self.agenda.first().is_some_and(|(_, first)| first == slot)
            }
            _ => true,
        }
    }
}
