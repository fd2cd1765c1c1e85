//! Space sharing: one job a PE, the others wait first-come first-served.
//!
//! A job takes the fastest free PE, the first one among equals, and keeps it until it leaves. All PEs
//! serve their jobs at the same rate, counted in each PE's own work, so one [`Pool`] holds the running
//! jobs. Jobs wait only while no PE is free. A halted job gives up its PE and its turn; resumed, it
//! goes to the end of the queue. Thesis 3.4.1 with figure 3.5 corrected, GridSim figures 5.9 and 5.10.
//! PEs can be set aside for reservations. Not here: backfilling, and jobs that take several PEs.

mod holds;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::agenda::Line;
use super::pool::{Clock, Due, Pool};
use super::slab::{Job, NOWHERE, Slab, Stamp, State};
use super::{Allocation, JobId, Pes, Present, Reserving, Slot, Started};
use crate::work::{Share, Speed, Work};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::ReservationId;
use holds::{Hold, Holds};

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
    /// Before the queue: jobs that had to give way to reservations.
    suspended: Line,
    holds: Holds,
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
            suspended: Line::default(),
            holds: Holds::new(),
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
        let stamp = self.stamp(slot);
        let job = &mut self.jobs[slot];
        job.order = stamp;
        let free = match job.hold {
            None => &mut self.free,
            Some(hold) => &mut self.holds.entry(hold).or_default().free,
        };
        match free.pop() {
            Some(Reverse(rank)) => self.start(slot, left, rank),
            None => {
                job.state = State::Queued(left);
                match job.hold {
                    None => self.queue.push(stamp, slot),
                    Some(hold) => self.hold(hold).queue.push(stamp, slot),
                }
            }
        }
    }

    fn hold(&mut self, id: ReservationId) -> &mut Hold {
        self.holds.entry(id).or_default()
    }

    /// A new stamp for a job that is placed anew.
    fn stamp(&mut self, slot: Slot) -> Stamp {
        self.stamps += 1;
        self.jobs[slot].stamp = self.stamps;
        self.stamps
    }

    fn start(&mut self, slot: Slot, left: Work, rank: u32) {
        self.settle();
        let pe = self.by_speed[rank as usize];
        let job = &mut self.jobs[slot];
        job.pe = rank;
        if let Some(hold) = job.hold {
            self.holds.entry(hold).or_default().start(self.clock.now);
        }
        self.started.push(Started { job: job.id, pe: Some(pe) });
        self.running.join(slot, job, self.pes.onto(pe, left));
        self.update_next();
    }

    /// A job left its PE, which gets the next one.
    fn vacate(&mut self, rank: u32, hold: Option<ReservationId>) {
        if let Some(hold) = hold {
            let now = self.clock.now;
            self.hold(hold).stop(now);
        }
        if !self.start_next(rank, hold) {
            self.give_back(rank, hold);
            self.update_next();
        }
    }

    /// The next job in line starts on an idle PE; false if there is none.
    fn start_next(&mut self, rank: u32, hold: Option<ReservationId>) -> bool {
        let next = match hold {
            None => self.suspended.pop(&self.jobs).or_else(|| self.queue.pop(&self.jobs)),
            Some(hold) => self.holds.entry(hold).or_default().queue.pop(&self.jobs),
        };
        let Some(slot) = next else { return false };
        if let State::Queued(left) | State::Suspended(left) = self.jobs[slot].state {
            // Stamps of running jobs are in the order in which they began.
            self.stamp(slot);
            self.start(slot, left, rank);
        }
        true
    }

    /// A PE is idle.
    fn give_back(&mut self, rank: u32, hold: Option<ReservationId>) {
        match hold {
            None => self.free.push(Reverse(rank)),
            Some(hold) => self.hold(hold).free.push(Reverse(rank)),
        }
    }

    /// Takes a job from its PE; what it had left.
    fn stop(&mut self, slot: Slot) -> Work {
        self.settle();
        let Job { pe: rank, hold, .. } = self.jobs[slot];
        let left = self.running.leave(slot, &mut self.jobs, &mut self.due);
        self.vacate(rank, hold);
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
        self.vacate(job.pe, job.hold);
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
                match self.jobs[slot].hold {
                    None => self.queue.forget(&self.jobs),
                    Some(hold) => self.holds.entry(hold).or_default().queue.forget(&self.jobs),
                }
                left
            }
            Some(State::Suspended(left)) => {
                self.jobs[slot].stamp = NOWHERE;
                self.suspended.forget(&self.jobs);
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
        let reserved: usize = self.holds.values().map(|hold| hold.queue.len()).sum();
        self.running.count as usize + self.queue.len() + self.suspended.len() + reserved
    }

    fn reserving(&mut self) -> Option<&mut dyn Reserving> {
        Some(self)
    }

    fn fork(&self) -> Box<dyn Allocation> {
        Box::new(self.clone())
    }
}
