//! G-Sim's time sharing (thesis, section 3.4.2 and figure 3.7; errata E11, E12).
//!
//! - A job that arrives or is resumed goes to the first PE with the fewest jobs, at the end of its
//!   list.
//! - Each PE gives its jobs equal shares: one [`Pool`] per PE.
//! - When a job leaves a PE, complete or not, and another PE has at least two more jobs, the first
//!   such PE gives it one: the first job on its list, or the second if the first would finish next
//!   there.
//!
//! So the numbers of jobs on any two PEs never differ by more than one, and a PE with two more jobs
//! than the one that lost a job has the largest number. O(log n) per change; only a new speed
//! visits all PEs.

use std::cmp::Reverse;

use super::agenda::Line;
use super::floor::{Floor, Sharing};
use super::jobs::JobSlab;
use super::least::Least;
use super::pool::{Clock, Pool};
use super::{JobId, Slot, Started};
use crate::work::{Share, Work};
use gridsat_engine::time::Time;

/// G-Sim's time sharing.
#[derive(Clone, Debug)]
pub struct GSim {
    floor: Floor,
    pes: Vec<Pe>,
    /// The PE with the fewest jobs, and the one with the most; the first of several.
    fewest: Least<(u32, u32)>,
    most: Least<(Reverse<u32>, u32)>,
    /// The PE with the first completion that is not yet due; [`Time::NEVER`] without one.
    soonest: Least<(Time, u32)>,
    running: usize,
}

#[derive(Clone, Debug)]
struct Pe {
    pool: Pool,
    list: Line,
}

impl Pe {
    fn share(&self) -> Share {
        Share::equal(1, self.pool.count)
    }

    fn settle(&mut self, clock: &Clock) {
        self.pool.settle(clock, self.share());
    }

    /// The job that the PE gives away.
    fn spare(&mut self, jobs: &JobSlab) -> Option<Slot> {
        let first = self.list.first()?;
        match self.pool.finishes_next(first, &jobs[first]) {
            true => self.list.second(jobs),
            false => Some(first),
        }
    }
}

impl GSim {
    /// A resource with this many idle PEs, at least one.
    pub fn new(pes: u32) -> Self {
        let idle = Pe { pool: Pool::new(), list: Line::default() };
        Self {
            floor: Floor::new(),
            pes: vec![idle; pes as usize],
            fewest: Least::new((0..pes).map(|pe| (0, pe))),
            most: Least::new((0..pes).map(|pe| (Reverse(0), pe))),
            soonest: Least::new((0..pes).map(|pe| (Time::NEVER, pe))),
            running: 0,
        }
    }

    /// Changes the jobs of a PE and updates the indices.
    fn change<T>(&mut self, pe: u32, what: impl FnOnce(&mut Self, usize) -> T) -> T {
        let p = pe as usize;
        self.pes[p].settle(&self.floor.clock);
        let before = self.pes[p].pool.count;
        let result = what(self, p);
        let after = self.pes[p].pool.count;
        if after != before {
            self.fewest.set(p, (after, pe));
            self.most.set(p, (Reverse(after), pe));
        }
        result
    }

    fn update_next_of(&mut self, pe: u32) {
        let Pe { pool, .. } = &self.pes[pe as usize];
        let next = pool.next(&self.floor.clock, Share::equal(1, pool.count));
        self.soonest.set(pe as usize, (next.unwrap_or(Time::NEVER), pe));
    }

    fn put(&mut self, slot: Slot, left: Work, pe: u32) {
        let stamp = self.floor.stamp();
        self.change(pe, |this, p| {
            let job = &mut this.floor.jobs[slot];
            (job.stamp, job.pe) = (stamp, pe);
            this.pes[p].list.push(stamp, slot);
            this.pes[p].pool.join(slot, job, left);
        });
    }

    /// Removes a job from its PE; returns the work it had left.
    fn take(&mut self, slot: Slot) -> Work {
        self.change(self.floor.jobs[slot].pe, |this, p| {
            let left = this.pes[p].pool.leave(slot, &mut this.floor.jobs, &mut this.floor.due);
            this.pes[p].list.forget(&this.floor.jobs);
            left
        })
    }

    /// Balances the PEs after a job left this one.
    fn balance(&mut self, pe: u32) {
        let (Reverse(most), from) = self.most.first();
        if most >= self.pes[pe as usize].pool.count + 2 {
            self.pes[from as usize].settle(&self.floor.clock);
            if let Some(slot) = self.pes[from as usize].spare(&self.floor.jobs) {
                let left = self.take(slot);
                self.put(slot, left, pe);
            }
            self.update_next_of(from);
        }
        self.update_next_of(pe);
    }

    /// Finds all jobs that are complete by now. The next completions on their PEs are determined
    /// when they leave.
    fn collect(&mut self) {
        loop {
            let (time, pe) = self.soonest.first();
            if time > self.floor.clock.now {
                return;
            }
            self.soonest.set(pe as usize, (Time::NEVER, pe));
            let pe = &mut self.pes[pe as usize];
            pe.settle(&self.floor.clock);
            pe.pool.collect(&mut self.floor.jobs, &mut self.floor.due);
        }
    }
}

impl Sharing for GSim {
    fn floor(&self) -> &Floor {
        &self.floor
    }

    fn floor_mut(&mut self) -> &mut Floor {
        &mut self.floor
    }

    fn place(&mut self, slot: Slot, left: Work) {
        let (_, pe) = self.fewest.first();
        self.floor.jobs[slot].order = self.floor.stamp();
        self.running += 1;
        self.floor.started.push(Started { job: self.floor.jobs[slot].id, pe: None });
        self.put(slot, left, pe);
        self.update_next_of(pe);
    }

    fn displace(&mut self, slot: Slot) -> Work {
        let left = self.take(slot);
        self.running -= 1;
        self.balance(self.floor.jobs[slot].pe);
        left
    }

    fn settle(&mut self) {
        self.pes.iter_mut().for_each(|pe| pe.settle(&self.floor.clock));
    }

    fn update_next(&mut self) {
        (0..self.pes.len() as u32).for_each(|pe| self.update_next_of(pe));
    }

    fn next(&self) -> Option<Time> {
        let (soonest, _) = self.soonest.first();
        self.floor.due_now().or((soonest < Time::NEVER).then_some(soonest))
    }

    fn take_completed(&mut self) -> Option<JobId> {
        self.collect();
        let slot = self.floor.due.pop(&self.floor.jobs)?;
        let job = self.floor.jobs.remove(slot)?;
        self.running -= 1;
        self.change(job.pe, |this, p| {
            this.pes[p].pool.complete();
            this.pes[p].list.forget(&this.floor.jobs);
        });
        self.balance(job.pe);
        Some(job.id)
    }

    fn count(&self) -> usize {
        self.running
    }
}
