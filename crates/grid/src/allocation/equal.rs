//! Equal time sharing: each of `n` jobs on `P` PEs gets `min(1, P/n)` of a PE.
//!
//! The ideal round robin over all PEs, with no jobs tied to any of them. All jobs progress alike, so one
//! [`Pool`] holds them. Not here: the cost of switching between jobs.

use super::pool::{Clock, Due, Pool};
use super::slab::{Job, Slab, Stamp, State};
use super::{Allocation, JobId, Present, Slot, Started};
use crate::work::{Share, Speed, Work};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// Equal time sharing.
#[derive(Clone, Debug)]
pub struct Equal {
    pes: u32,
    clock: Clock,
    pool: Pool,
    jobs: Slab<Job>,
    due: Due,
    stamps: Stamp,
    started: Vec<Started>,
}

impl Equal {
    /// So many idle PEs, at least one.
    pub fn new(pes: u32) -> Self {
        Self {
            pes,
            clock: Clock::new(),
            pool: Pool::new(),
            jobs: Slab::new(),
            due: Due::new(),
            stamps: 0,
            started: Vec::new(),
        }
    }

    fn share(&self) -> Share {
        Share::equal(self.pes, self.pool.count)
    }

    fn settle(&mut self) {
        self.pool.settle(&self.clock, self.share());
    }

    fn run(&mut self, slot: Slot, left: Work) {
        self.settle();
        let job = &mut self.jobs[slot];
        (job.order, job.stamp) = (self.stamps, self.stamps);
        self.stamps += 1;
        self.started.push(Started { job: job.id, pe: None });
        self.pool.join(slot, job, left);
    }

    fn stop(&mut self, slot: Slot) -> Work {
        self.settle();
        self.pool.leave(slot, &mut self.jobs, &mut self.due)
    }
}

impl Allocation for Equal {
    fn advance(&mut self, now: Time) {
        self.clock.now = now;
    }

    fn submit(&mut self, job: JobId, time: Ticks) -> Slot {
        let slot = self.jobs.insert(Job::new(job));
        self.run(slot, Work::of(time));
        slot
    }

    fn next_completion(&self) -> Option<Time> {
        match self.due.first() {
            Some(_) => Some(self.clock.now),
            None => self.pool.next(&self.clock, self.share()),
        }
    }

    fn complete(&mut self) -> Option<JobId> {
        self.settle();
        self.pool.collect(&mut self.jobs, &mut self.due);
        let slot = self.due.pop(&self.jobs)?;
        self.pool.complete();
        self.jobs.remove(slot).map(|job| job.id)
    }

    fn take_started(&mut self, jobs: &mut Vec<Started>) {
        jobs.append(&mut self.started);
    }

    fn set_speed(&mut self, speed: Speed) {
        if speed != self.clock.speed {
            self.settle();
            self.clock.speed = speed;
        }
    }

    fn halt(&mut self, slot: Slot) -> bool {
        if self.jobs.get(slot).is_none_or(Job::is_halted) {
            return false;
        }
        let left = self.stop(slot);
        self.jobs[slot].state = State::Halted(left);
        true
    }

    fn resume(&mut self, slot: Slot) -> bool {
        let Some(&Job { state: State::Halted(left), .. }) = self.jobs.get(slot) else {
            return false;
        };
        self.run(slot, left);
        true
    }

    fn cancel(&mut self, slot: Slot) -> Work {
        self.halt(slot);
        self.jobs.remove(slot).map_or(Work::NONE, |job| job.halted())
    }

    fn present(&self) -> Vec<Present> {
        self.jobs.present()
    }

    fn job_count(&self) -> usize {
        self.pool.count as usize
    }

    fn fork(&self) -> Box<dyn Allocation> {
        Box::new(self.clone())
    }
}
