//! Equal time sharing: each of `n` jobs on `P` PEs gets `min(1, P/n)` of a PE.
//!
//! Ideal round robin over all PEs; jobs are not bound to PEs. The cost of context switches is not
//! modelled.
//!
//! All jobs progress at the same rate, so it is enough to count the work `S` that each job has been
//! served since the beginning. A job that arrives with work `w` is complete when `S` reaches its
//! present value plus `w`. This level never changes, so [`Levels`] gives the next completion. `S`
//! is rounded down when it is updated, which happens only before the rate changes.
//!
//! Hundreds of thousands of jobs can share a resource, so all that is kept of a job are the 24
//! bytes of its level. That makes halting or cancelling a single job O(n).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::levels::{Level, Levels, Order};
use super::pool::Clock;
use super::{Allocation, JobId, Present, Slot, Started, Stopped};
use crate::work::{Share, Speed, Work};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// Equal time sharing. The slot of a job has the number of the job.
#[derive(Clone, Debug)]
pub struct Equal {
    pes: u32,
    clock: Clock,
    since: Time,
    served: Work,
    running: Levels,
    /// Complete jobs that have not been collected. They still have their shares.
    due: BinaryHeap<Reverse<(Order, JobId)>>,
    /// Halted jobs and the work they have left.
    halted: BTreeMap<JobId, Work>,
    orders: Order,
    started: Vec<Started>,
}

impl Equal {
    /// A resource with this many idle PEs, at least one.
    pub fn new(pes: u32) -> Self {
        Self {
            pes,
            clock: Clock::new(),
            since: Time::ZERO,
            served: Work::NONE,
            running: Levels::default(),
            due: BinaryHeap::new(),
            halted: BTreeMap::new(),
            orders: 0,
            started: Vec::new(),
        }
    }

    #[inline]
    fn share(&self) -> Share {
        Share::equal(self.pes, (self.running.len() + self.due.len()) as u32)
    }

    /// Updates `S`. Called before every change of the jobs or the speed.
    #[inline]
    fn settle(&mut self) {
        if self.since < self.clock.now {
            self.served += self.clock.done(self.since, self.share());
            self.since = self.clock.now;
        }
    }

    #[inline]
    fn place(&mut self, job: JobId, left: Work) {
        self.settle();
        self.orders += 1;
        self.started.push(Started { job, pe: None });
        self.running.push(Level::new(self.served + left, self.orders, job));
    }

    /// Removes a running or complete job; returns the work it has left. `None` if it is neither.
    fn remove(&mut self, job: JobId) -> Option<Work> {
        let until = match self.running.iter().find(|level| level.job == job) {
            Some(level) => level.until(),
            None => self.due.iter().any(|due| due.0.1 == job).then_some(Work::NONE)?,
        };
        self.settle();
        self.running.retain(|level| level.job != job);
        self.due.retain(|due| due.0.1 != job);
        Some(until.less(self.served))
    }

    /// Running and complete jobs with the work they have left, in order of submission.
    fn all(&self) -> Vec<(Order, JobId, Work)> {
        let due = self.due.iter().map(|&Reverse((order, job))| (order, job, Work::NONE));
        let left = |level: &Level| level.until().less(self.served);
        let running = self.running.iter().map(|level| (level.order(), level.job, left(level)));
        let mut all: Vec<_> = due.chain(running).collect();
        all.sort_unstable_by_key(|&(order, ..)| order);
        all
    }
}

impl Allocation for Equal {
    fn advance(&mut self, now: Time) {
        self.clock.now = now;
    }

    fn submit(&mut self, job: JobId, time: Ticks) -> Slot {
        self.place(job, Work::of(time));
        Slot(job.0)
    }

    fn next_completion(&self) -> Option<Time> {
        if !self.due.is_empty() {
            return Some(self.clock.now);
        }
        let first = self.running.first()?;
        self.clock.when(self.since, first.until().less(self.served), self.share())
    }

    fn complete(&mut self) -> Option<JobId> {
        self.settle();
        if self.due.is_empty() {
            let first = self.running.pop(self.served)?;
            // Mostly there is just this one.
            if self.running.first().is_none_or(|next| next.until() > self.served) {
                return Some(first.job);
            }
            self.due.push(Reverse((first.order(), first.job)));
        }
        while let Some(level) = self.running.pop(self.served) {
            self.due.push(Reverse((level.order(), level.job)));
        }
        self.due.pop().map(|Reverse((_, job))| job)
    }

    fn may_complete_more(&self) -> bool {
        !self.due.is_empty()
    }

    fn soon(&self, fetch: &mut dyn FnMut(JobId)) {
        self.running.soon(fetch);
    }

    fn started(&mut self) -> &mut Vec<Started> {
        &mut self.started
    }

    fn set_speed(&mut self, speed: Speed) {
        if speed != self.clock.speed {
            self.settle();
            self.clock.speed = speed;
        }
    }

    fn halt(&mut self, Slot(number): Slot) -> bool {
        let left = self.remove(JobId(number));
        self.halted.extend(left.map(|left| (JobId(number), left)));
        left.is_some()
    }

    fn resume(&mut self, Slot(number): Slot) -> bool {
        let Some(left) = self.halted.remove(&JobId(number)) else { return false };
        self.place(JobId(number), left);
        true
    }

    fn cancel(&mut self, Slot(number): Slot) -> Work {
        self.halt(Slot(number));
        self.halted.remove(&JobId(number)).unwrap_or(Work::NONE)
    }

    fn stop_all(&mut self) -> Vec<Stopped> {
        self.settle();
        let all = self.all().into_iter();
        let stopped = all.map(|(_, job, left)| Stopped { job, left, is_running: true }).collect();
        self.running.clear();
        self.due.clear();
        stopped
    }

    fn present(&self) -> Vec<Present> {
        let present =
            |(_, job, _): (_, JobId, _)| Present { job, slot: Slot(job.0), is_running: true };
        self.all().into_iter().map(present).collect()
    }

    fn job_count(&self) -> usize {
        self.running.len() + self.due.len()
    }

    fn fork(&self) -> Box<dyn Allocation> {
        Box::new(self.clone())
    }
}
