//! Space sharing: one job a PE, the others wait first-come first-served.
//!
//! A job takes the fastest free PE, the first one among equals, and keeps it until it leaves. All PEs
//! serve their jobs at the same rate, counted in each PE's own work, so one [`Pool`] holds the running
//! jobs. Jobs wait only while no PE is free. A halted job gives up its PE and its turn; resumed, it
//! goes to the end of the queue. Thesis 3.4.1 with figure 3.5 corrected, GridSim figures 5.9 and 5.10.
//! Not here: backfilling, and jobs that take several PEs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::agenda::Line;
use super::pool::{Clock, Due, Pool};
use super::slab::{Job, NOWHERE, Slab, Stamp, State};
use super::{Allocation, JobId, Pes, Present, Slot, Started};
use crate::model::Ticks;
use crate::sim::time::Time;
use crate::sim::work::{Share, Speed, Work};

/// First-come first-served space sharing.
#[derive(Clone, Debug)]
pub struct SpaceShared {
    pes: Pes,
    /// PEs, fastest first.
    by_speed: Vec<u32>,
    /// Free PEs, as places in `by_speed`.
    free: BinaryHeap<Reverse<u32>>,
    clock: Clock,
    running: Pool,
    queue: Line,
    jobs: Slab<Job>,
    due: Due,
    next: Option<Time>,
    stamps: Stamp,
    started: Vec<Started>,
}

impl SpaceShared {
    /// Idle PEs.
    pub fn new(pes: &Pes) -> Self {
        Self {
            pes: pes.clone(),
            by_speed: pes.by_speed(),
            free: (0..pes.count()).map(Reverse).collect(),
            clock: Clock::new(),
            running: Pool::new(),
            queue: Line::default(),
            jobs: Slab::new(),
            due: Due::new(),
            next: None,
            stamps: 0,
            started: Vec::new(),
        }
    }

    fn settle(&mut self) {
        self.running.settle(&self.clock, Share::WHOLE);
    }

    fn update_next(&mut self) {
        self.next = match self.due.first() {
            Some(_) => Some(self.clock.now),
            None => self.running.next(&self.clock, Share::WHOLE),
        };
    }

    /// A job that came, or came back, starts or waits.
    fn place(&mut self, slot: Slot, left: Work) {
        let job = &mut self.jobs[slot];
        (job.order, job.stamp) = (self.stamps, self.stamps);
        self.stamps += 1;
        match self.free.pop() {
            Some(Reverse(rank)) => self.start(slot, left, rank),
            None => {
                job.state = State::Queued(left);
                self.queue.push(job.stamp, slot);
            }
        }
    }

    fn start(&mut self, slot: Slot, left: Work, rank: u32) {
        self.settle();
        let pe = self.by_speed[rank as usize];
        let job = &mut self.jobs[slot];
        job.pe = rank;
        self.started.push(Started { job: job.id, pe: Some(pe) });
        self.running.join(slot, job, self.pes.onto(pe, left));
        self.update_next();
    }

    /// A PE without a job gets the next in the queue.
    fn release(&mut self, rank: u32) {
        let Some(slot) = self.queue.pop(&self.jobs) else {
            self.free.push(Reverse(rank));
            return self.update_next();
        };
        if let State::Queued(left) = self.jobs[slot].state {
            self.start(slot, left, rank);
        }
    }

    /// Takes a job from its PE; what it had left.
    fn stop(&mut self, slot: Slot) -> Work {
        self.settle();
        let rank = self.jobs[slot].pe;
        let left = self.running.leave(slot, &mut self.jobs, &mut self.due);
        self.release(rank);
        self.pes.off(self.by_speed[rank as usize], left)
    }
}

impl Allocation for SpaceShared {
    fn advance(&mut self, now: Time) {
        self.clock.now = now;
    }

    fn submit(&mut self, job: JobId, time: Ticks) -> Slot {
        let slot = self.jobs.insert(Job::new(job));
        self.place(slot, Work::of(time));
        slot
    }

    fn next_completion(&self) -> Option<Time> {
        self.next
    }

    fn complete(&mut self) -> Option<JobId> {
        if self.next? > self.clock.now {
            return None;
        }
        self.settle();
        self.running.collect(&mut self.jobs, &mut self.due);
        let slot = self.due.pop(&self.jobs)?;
        self.running.complete();
        let job = self.jobs.remove(slot)?;
        self.release(job.pe);
        Some(job.id)
    }

    fn take_started(&mut self, jobs: &mut Vec<Started>) {
        jobs.append(&mut self.started);
    }

    fn set_speed(&mut self, speed: Speed) {
        if speed != self.clock.speed {
            self.settle();
            self.clock.speed = speed;
            self.update_next();
        }
    }

    fn halt(&mut self, slot: Slot) -> bool {
        let left = match self.jobs.get(slot).map(|job| job.state) {
            None | Some(State::Halted(_)) => return false,
            Some(State::Running(_) | State::Due) => self.stop(slot),
            Some(State::Queued(left)) => {
                self.jobs[slot].stamp = NOWHERE;
                self.queue.forget(&self.jobs);
                left
            }
        };
        self.jobs[slot].state = State::Halted(left);
        true
    }

    fn resume(&mut self, slot: Slot) -> bool {
        let Some(&Job { state: State::Halted(left), .. }) = self.jobs.get(slot) else {
            return false;
        };
        self.place(slot, left);
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
        self.running.count as usize + self.queue.len()
    }

    fn fork(&self) -> Box<dyn Allocation> {
        Box::new(self.clone())
    }
}
