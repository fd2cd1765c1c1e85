//! Space sharing: one job per PE; the others wait first come, first served.
//!
//! A job gets the fastest free PE, the first one among equals, and keeps it until it leaves. All
//! PEs serve their jobs at the same rate, counted in each PE's own work, so one [`Pool`] holds the
//! running jobs. Jobs wait only while no PE is free. A halted job gives up its PE and its turn;
//! when resumed, it goes to the end of the queue. After the thesis, section 3.4.1 with figure 3.5
//! corrected, and figures 5.9 and 5.10 of the GridSim paper. PEs can be set aside for reservations.
//! Backfilling and jobs on several PEs are in [`Ordered`](super::Ordered).

mod holds;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::agenda::Line;
use super::floor::{Floor, Sharing};
use super::jobs::{Job, JobState, NOWHERE, Stamp};
use super::pool::Pool;
use super::{JobId, Pes, Reserving, Slot, Started};
use crate::work::{Share, Work};
use gridsat_engine::time::Time;
use gridsat_workload::ReservationId;
use holds::{Hold, Holds};

/// Space sharing, first come, first served.
#[derive(Clone, Debug)]
pub struct SpaceShared {
    pes: Pes,
    /// PEs, fastest first.
    by_speed: Vec<u32>,
    /// Free PEs, as indices into `by_speed`.
    free: BinaryHeap<Reverse<u32>>,
    floor: Floor,
    running: Pool,
    queue: Line,
    /// Jobs suspended for reservations, which come before the queue.
    suspended: Line,
    holds: Holds,
    next: Option<Time>,
}

impl SpaceShared {
    /// A resource with these PEs, all idle.
    pub fn new(pes: &Pes) -> Self {
        Self {
            pes: pes.clone(),
            by_speed: pes.by_speed(),
            free: (0..pes.count()).map(Reverse).collect(),
            floor: Floor::new(),
            running: Pool::new(),
            queue: Line::default(),
            suspended: Line::default(),
            holds: Holds::new(),
            next: None,
        }
    }

    fn hold(&mut self, id: ReservationId) -> &mut Hold {
        self.holds.entry(id).or_default()
    }

    /// A new stamp for a job that is placed again.
    fn stamp(&mut self, slot: Slot) -> Stamp {
        let stamp = self.floor.stamp();
        self.floor.jobs[slot].stamp = stamp;
        stamp
    }

    fn start(&mut self, slot: Slot, left: Work, rank: u32) {
        self.settle();
        let pe = self.by_speed[rank as usize];
        let job = &mut self.floor.jobs[slot];
        job.pe = rank;
        if let Some(hold) = job.hold {
            self.holds.entry(hold).or_default().usage.start(1, self.floor.clock.now);
        }
        self.floor.started.push(Started { job: job.id, pe: Some(pe) });
        self.running.join(slot, job, self.pes.onto(pe, left));
        self.update_next();
    }

    /// Starts the next job on a PE that a job has left.
    fn vacate(&mut self, rank: u32, hold: Option<ReservationId>) {
        if let Some(hold) = hold {
            let now = self.floor.clock.now;
            self.hold(hold).usage.stop(1, now);
        }
        if !self.start_next(rank, hold) {
            self.give_back(rank, hold);
            self.update_next();
        }
    }

    /// Starts the next queued job on an idle PE; false if there is none.
    fn start_next(&mut self, rank: u32, hold: Option<ReservationId>) -> bool {
        let next = match hold {
            None => {
                self.suspended.pop(&self.floor.jobs).or_else(|| self.queue.pop(&self.floor.jobs))
            }
            Some(hold) => self.holds.entry(hold).or_default().queue.pop(&self.floor.jobs),
        };
        let Some(slot) = next else { return false };
        if let JobState::Queued(left) | JobState::Suspended(left) = self.floor.jobs[slot].state {
            // Stamps of running jobs are in the order in which they started.
            self.stamp(slot);
            self.start(slot, left, rank);
        }
        true
    }

    /// Marks a PE as idle.
    fn give_back(&mut self, rank: u32, hold: Option<ReservationId>) {
        match hold {
            None => self.free.push(Reverse(rank)),
            Some(hold) => self.hold(hold).free.push(Reverse(rank)),
        }
    }

    /// Removes a job from its PE; returns the work it had left.
    fn stop(&mut self, slot: Slot) -> Work {
        self.settle();
        let Job { pe: rank, hold, .. } = self.floor.jobs[slot];
        let left = self.running.leave(slot, &mut self.floor.jobs, &mut self.floor.due);
        self.vacate(rank, hold);
        self.pes.off(self.by_speed[rank as usize], left)
    }
}

impl Sharing for SpaceShared {
    fn floor(&self) -> &Floor {
        &self.floor
    }

    fn floor_mut(&mut self) -> &mut Floor {
        &mut self.floor
    }

    /// Starts the job or adds it to the queue.
    fn place(&mut self, slot: Slot, left: Work) {
        let stamp = self.stamp(slot);
        let job = &mut self.floor.jobs[slot];
        job.order = stamp;
        let free = match job.hold {
            None => &mut self.free,
            Some(hold) => &mut self.holds.entry(hold).or_default().free,
        };
        match free.pop() {
            Some(Reverse(rank)) => self.start(slot, left, rank),
            None => {
                job.state = JobState::Queued(left);
                match job.hold {
                    None => self.queue.push(stamp, slot),
                    Some(hold) => self.hold(hold).queue.push(stamp, slot),
                }
            }
        }
    }

    fn displace(&mut self, slot: Slot) -> Work {
        let left = match self.floor.jobs[slot].state {
            JobState::Running(_) | JobState::Due => return self.stop(slot),
            JobState::Queued(left) | JobState::Suspended(left) | JobState::Halted(left) => left,
        };
        self.floor.jobs[slot].stamp = NOWHERE;
        let Job { state, hold, .. } = self.floor.jobs[slot];
        let line = match (state, hold) {
            (JobState::Suspended(_), _) => &mut self.suspended,
            (_, None) => &mut self.queue,
            (_, Some(hold)) => &mut self.holds.entry(hold).or_default().queue,
        };
        line.forget(&self.floor.jobs);
        left
    }

    fn settle(&mut self) {
        self.running.settle(&self.floor.clock, Share::WHOLE);
    }

    fn update_next(&mut self) {
        let next = || self.running.next(&self.floor.clock, Share::WHOLE);
        self.next = self.floor.due_now().or_else(next);
    }

    fn next(&self) -> Option<Time> {
        self.next
    }

    fn take_completed(&mut self) -> Option<JobId> {
        if self.next? > self.floor.clock.now {
            return None;
        }
        self.settle();
        let slot = self.running.take_complete(&mut self.floor.jobs, &mut self.floor.due)?;
        let job = self.floor.jobs.remove(slot)?;
        self.vacate(job.pe, job.hold);
        Some(job.id)
    }

    fn count(&self) -> usize {
        let reserved: usize = self.holds.values().map(|hold| hold.queue.len()).sum();
        self.running.count as usize + self.queue.len() + self.suspended.len() + reserved
    }

    fn holds(&mut self) -> Option<&mut dyn Reserving> {
        Some(self)
    }
}
