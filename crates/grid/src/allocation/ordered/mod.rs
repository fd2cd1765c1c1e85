//! Space sharing with a choice of queue, for jobs on one or several PEs (GridSim, section 5.3.7).
//!
//! | queue | next job |
//! | --- | --- |
//! | [`Queue::Fcfs`] | the one that came first; none overtakes it |
//! | [`Queue::Sjf`] | the one with the shortest estimated time; none overtakes it |
//! | [`Queue::Backfill`] | the one that came first; others may overtake it if that does not delay it, by the estimates (EASY) |
//!
//! A job on p PEs takes the p fastest free ones at once and works on each of them at the rate of
//! the slowest: the rates of the others are not used. It leaves all of them at once.
//!
//! The queue is considered when a job arrives, leaves or is removed. Estimates are those of the
//! scheduler. A job that exceeds its estimate is expected to end at once. Jobs resumed after a halt
//! are estimated by the share of their work that is left.
//!
//! PEs can be set aside for reservations, whose jobs start on them in the order of their arrival.
//! Jobs suspended for a reservation, and those it leaves, come before all others.

mod backfill;
mod holds;

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::floor::{Floor, Sharing};
use super::jobs::{Job, JobState, NOWHERE, Stamp};
use super::pool::Pool;
use super::{JobId, Pes, Request, Reserving, Slot, Started};
use crate::work::{Share, Work};
use gridsat_engine::time::Time;
use gridsat_workload::ReservationId;
use holds::Holds;

/// The order in which queued jobs start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Queue {
    /// First come, first served.
    Fcfs,
    /// Shortest job first, by its estimated time on one PE.
    Sjf,
    /// First come, first served, with backfilling.
    Backfill,
}

/// What is known of the job in a slot besides its work.
#[derive(Clone, Debug)]
struct Asked {
    pes: u32,
    /// Its work when it was submitted, and the estimate of it.
    whole: Work,
    estimate: Work,
    /// Its PEs, by speed rank, while it runs.
    ranks: Vec<u32>,
    /// What the pool has served when it is expected to end.
    until: Work,
}

impl Asked {
    /// The estimate of the work left.
    fn estimate(&self, left: Work) -> Work {
        if left == self.whole || self.whole == Work::NONE {
            return self.estimate;
        }
        let share = left.0 as f64 / self.whole.0 as f64;
        Work((self.estimate.0 as f64 * share).round() as u128)
    }
}

/// Space sharing with a queue.
#[derive(Clone, Debug)]
pub struct Ordered {
    order: Queue,
    pes: Pes,
    /// PEs, fastest first.
    by_speed: Vec<u32>,
    /// Free PEs, as indices into `by_speed`.
    free: BTreeSet<u32>,
    floor: Floor,
    running: Pool,
    /// By slot; entries of slots without a job are meaningless.
    asked: Vec<Asked>,
    queue: BTreeSet<(Work, Stamp, Slot)>,
    /// Jobs that come before the queue: first suspended ones, then what reservations left; of each
    /// kind the one put there last first.
    ahead: BTreeSet<(bool, Reverse<Stamp>, Slot)>,
    holds: Holds,
    /// Whether nothing may start, because all jobs are being removed.
    is_closed: bool,
    next: Option<Time>,
}

impl Ordered {
    /// A resource with these PEs, all idle.
    pub fn new(order: Queue, pes: &Pes) -> Self {
        Self {
            order,
            pes: pes.clone(),
            by_speed: pes.by_speed(),
            free: (0..pes.count()).collect(),
            floor: Floor::new(),
            running: Pool::new(),
            asked: Vec::new(),
            queue: BTreeSet::new(),
            ahead: BTreeSet::new(),
            holds: Holds::new(),
            is_closed: false,
            next: None,
        }
    }

    fn asked(&self, slot: Slot) -> &Asked {
        &self.asked[slot.index()]
    }

    /// Work left of a queued job.
    fn left(&self, slot: Slot) -> Work {
        match self.floor.jobs[slot].state {
            JobState::Queued(left) | JobState::Suspended(left) => left,
            _ => Work::NONE,
        }
    }

    /// The place of a queued job in the queue.
    fn key(&self, slot: Slot) -> (Work, Stamp, Slot) {
        let rank = match self.order {
            Queue::Sjf => self.asked(slot).estimate(self.left(slot)),
            Queue::Fcfs | Queue::Backfill => Work::NONE,
        };
        (rank, self.floor.jobs[slot].order, slot)
    }

    /// Free PEs for the jobs of a reservation, or for ordinary ones.
    fn free_of(&self, hold: Option<ReservationId>) -> &BTreeSet<u32> {
        static NONE: BTreeSet<u32> = BTreeSet::new();
        match hold {
            None => &self.free,
            Some(id) => self.holds.get(&id).map_or(&NONE, |hold| &hold.free),
        }
    }

    fn fits(&self, slot: Slot) -> bool {
        self.asked(slot).pes as usize <= self.free_of(self.floor.jobs[slot].hold).len()
    }

    /// The PE that determines the speed of a job on this many of the fastest of these PEs.
    fn slowest_of(&self, pes: u32, free: &BTreeSet<u32>) -> u32 {
        let rank = free.iter().nth(pes as usize - 1);
        self.by_speed[*rank.expect("as many PEs are free") as usize]
    }

    /// Waiting jobs without a reservation, in order.
    fn waiting(&self) -> impl Iterator<Item = Slot> {
        let queued = self.queue.iter().map(|&(_, _, slot)| slot);
        self.ahead.iter().map(|&(_, _, slot)| slot).chain(queued)
    }

    /// The first of them.
    fn first(&self) -> Option<Slot> {
        self.waiting().next()
    }

    /// Takes a job out of the queue in which it waits.
    fn leave_queue(&mut self, slot: Slot) {
        if let Some(id) = self.floor.jobs[slot].hold {
            let hold = self.holds.entry(id).or_default();
            hold.queue.remove(&(self.floor.jobs[slot].order, slot));
        } else if !self.queue.remove(&self.key(slot)) {
            self.ahead.retain(|&(_, _, other)| other != slot);
        }
    }

    /// Starts a queued job that fits.
    fn start(&mut self, slot: Slot) {
        let (left, pes) = (self.left(slot), self.asked(slot).pes);
        self.leave_queue(slot);
        let (id, now) = (self.floor.jobs[slot].hold, self.floor.clock.now);
        let slowest = self.slowest_of(pes, self.free_of(id));
        let estimate = self.pes.onto(slowest, self.asked(slot).estimate(left));
        let free = match id {
            None => &mut self.free,
            Some(id) => {
                let hold = self.holds.entry(id).or_default();
                hold.usage.start(pes, now);
                &mut hold.free
            }
        };
        let ranks: Vec<u32> = (0..pes).map_while(|_| free.pop_first()).collect();
        let pe = self.by_speed[ranks[0] as usize];
        self.settle();
        let asked = &mut self.asked[slot.index()];
        (asked.until, asked.ranks) = (self.running.served() + estimate, ranks);
        let stamp = self.floor.stamp();
        let job = &mut self.floor.jobs[slot];
        job.stamp = stamp;
        self.floor.started.push(Started { job: job.id, pe: Some(pe) });
        self.running.join(slot, job, self.pes.onto(slowest, left));
    }

    /// Frees the PEs of a job that has left them, for others of its reservation if it has one.
    fn vacate(&mut self, slot: Slot, hold: Option<ReservationId>) -> Option<u32> {
        let ranks = std::mem::take(&mut self.asked[slot.index()].ranks);
        let slowest = ranks.last().map(|&rank| self.by_speed[rank as usize]);
        match hold {
            None => self.free.extend(ranks),
            Some(id) => {
                let hold = self.holds.entry(id).or_default();
                hold.usage.stop(ranks.len() as u32, self.floor.clock.now);
                hold.free.extend(ranks);
            }
        }
        slowest
    }

    /// Starts the jobs that may start now.
    fn fill(&mut self) {
        if !self.is_closed {
            while let Some(slot) = self.first().filter(|&slot| self.fits(slot)) {
                self.start(slot);
            }
            if self.order == Queue::Backfill {
                self.backfill();
            }
            self.fill_holds();
        }
        self.update_next();
    }

    /// Removes a job from its PEs; returns the work it had left.
    fn stop(&mut self, slot: Slot) -> Work {
        self.settle();
        let left = self.running.leave(slot, &mut self.floor.jobs, &mut self.floor.due);
        let slowest = self.vacate(slot, self.floor.jobs[slot].hold);
        slowest.map_or(left, |pe| self.pes.off(pe, left))
    }
}

impl Sharing for Ordered {
    fn floor(&self) -> &Floor {
        &self.floor
    }

    fn floor_mut(&mut self) -> &mut Floor {
        &mut self.floor
    }

    fn ask(&mut self, slot: Slot, work: Work, Request { pes, believed }: Request) {
        let nothing = Asked {
            pes: 1,
            whole: Work::NONE,
            estimate: Work::NONE,
            ranks: Vec::new(),
            until: Work::NONE,
        };
        let length = self.asked.len().max(slot.index() + 1);
        self.asked.resize(length, nothing.clone());
        let estimate = Work::of(believed);
        self.asked[slot.index()] = Asked { pes, whole: work, estimate, ..nothing };
    }

    fn place(&mut self, slot: Slot, left: Work) {
        let stamp = self.floor.stamp();
        let job = &mut self.floor.jobs[slot];
        (job.order, job.stamp, job.state) = (stamp, stamp, JobState::Queued(left));
        match job.hold {
            None => drop(self.queue.insert(self.key(slot))),
            Some(id) => drop(self.holds.entry(id).or_default().queue.insert((stamp, slot))),
        }
        self.fill();
    }

    fn displace(&mut self, slot: Slot) -> Work {
        let left = match self.floor.jobs[slot].state {
            JobState::Running(_) | JobState::Due => self.stop(slot),
            JobState::Queued(left) | JobState::Suspended(left) | JobState::Halted(left) => {
                self.leave_queue(slot);
                self.floor.jobs[slot].stamp = NOWHERE;
                left
            }
        };
        // The caller sets the final state; until then it must not look like a queued job.
        self.floor.jobs[slot].state = JobState::Halted(left);
        self.fill();
        left
    }

    fn close(&mut self, is_closed: bool) {
        self.is_closed = is_closed;
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
        let Job { id, hold, .. } = self.floor.jobs.remove(slot)?;
        self.vacate(slot, hold);
        self.fill();
        Some(id)
    }

    fn count(&self) -> usize {
        let reserved: usize = self.holds.values().map(|hold| hold.queue.len()).sum();
        self.running.count as usize + self.queue.len() + self.ahead.len() + reserved
    }

    fn busy(&self) -> Option<u32> {
        Some(self.at_work())
    }

    fn holds(&mut self) -> Option<&mut dyn Reserving> {
        Some(self)
    }
}
