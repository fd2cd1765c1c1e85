//! G-Sim's time sharing (thesis, section 3.4.2 and figure 3.7; errata E11, E12).
//!
//! - A job that arrives or is resumed goes to the first PE with the fewest jobs, at the end of its
//!   list.
//! - Each PE gives its jobs equal shares: one [`Pool`] per PE.
//! - When a job leaves a PE, complete or not, and another PE has at least two more jobs, the first
//!   such PE gives it one: the first job on its list, or the second if the first would finish next
//!   there.
//!
//! So the numbers of jobs on any two PEs never differ by more than one ([`Even`]), and a PE with two
//! more jobs than the one that lost a job has the largest number. O(log n) per change; only a new
//! speed visits all PEs.

use super::chain::{Chain, Links};
use super::even::Even;
use super::floor::{Floor, Sharing};
use super::jobs::JobSlab;
use super::least::Least;
use super::pool::{Clock, Pool};
use super::{JobId, Slot, Started};
use crate::work::{Share, Work};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// G-Sim's time sharing.
#[derive(Clone, Debug)]
pub struct GSim {
    floor: Floor,
    pes: Vec<Pe>,
    /// The numbers of jobs on the PEs.
    counts: Even,
    /// The neighbours of jobs on the lists of PEs.
    links: Links,
    /// The PE with the first completion that is not yet due; [`Time::NEVER`] without one.
    soonest: Least<Next>,
    running: usize,
}

/// A completion time and its PE: the time is in the higher bits.
type Next = u128;

#[inline]
fn next(time: Time, pe: u32) -> Next {
    u128::from(time.0) << u32::BITS | u128::from(pe)
}

#[inline]
fn time_of(next: Next) -> Time {
    Time(Ticks((next >> u32::BITS) as u64))
}

#[derive(Clone, Debug)]
struct Pe {
    pool: Pool,
    list: Chain,
}

impl Pe {
    #[inline]
    fn share(&self) -> Share {
        Share::equal(1, self.pool.count)
    }

    #[inline]
    fn settle(&mut self, clock: &Clock) {
        self.pool.settle(clock, self.share());
    }

    /// When its first job that is not yet due is complete.
    #[inline]
    fn next(&self, clock: &Clock) -> Time {
        self.pool.next(clock, self.share()).unwrap_or(Time::NEVER)
    }

    /// The job that the PE gives away.
    fn spare(&self, jobs: &JobSlab, links: &Links) -> Option<Slot> {
        let first = self.list.first()?;
        match self.pool.finishes_next(first, &jobs[first]) {
            true => self.list.second(links),
            false => Some(first),
        }
    }
}

impl GSim {
    /// A resource with this many idle PEs, at least one.
    pub fn new(pes: u32) -> Self {
        let idle = Pe { pool: Pool::new(), list: Chain::EMPTY };
        Self {
            floor: Floor::new(),
            pes: vec![idle; pes as usize],
            counts: Even::new(pes),
            links: Links::default(),
            soonest: Least::new((0..pes).map(|pe| next(Time::NEVER, pe))),
            running: 0,
        }
    }

    #[inline]
    fn update_next_of(&mut self, pe: u32) {
        let time = self.pes[pe as usize].next(&self.floor.clock);
        self.soonest.set(pe as usize, next(time, pe));
    }

    /// Adds a job to a PE.
    fn put(&mut self, slot: Slot, left: Work, pe: u32) {
        let stamp = self.floor.stamp();
        let job = &mut self.floor.jobs[slot];
        (job.stamp, job.pe) = (stamp, pe);
        let pe = &mut self.pes[pe as usize];
        pe.settle(&self.floor.clock);
        pe.list.push(slot, &mut self.links);
        pe.pool.join(slot, job, left);
    }

    /// Removes a job from its PE; returns the work it had left.
    fn take(&mut self, slot: Slot) -> Work {
        let pe = &mut self.pes[self.floor.jobs[slot].pe as usize];
        pe.settle(&self.floor.clock);
        pe.list.remove(slot, &mut self.links);
        pe.pool.leave(slot, &mut self.floor.jobs, &mut self.floor.due)
    }

    /// Balances the PEs after a job left this one.
    fn balance(&mut self, pe: u32) {
        self.running -= 1;
        if let Some(from) = self.counts.remove(pe) {
            let giver = &mut self.pes[from as usize];
            giver.settle(&self.floor.clock);
            let slot = giver.spare(&self.floor.jobs, &self.links).expect("it has two jobs or more");
            let left = self.take(slot);
            self.put(slot, left, pe);
            self.update_next_of(from);
        }
        self.update_next_of(pe);
    }

    /// The first job that is complete by now, of which there is mostly one. If there are several,
    /// `due` has all of them. The next completions on their PEs are determined when they leave.
    fn take_due(&mut self) -> Option<Slot> {
        let Floor { clock, jobs, due, .. } = &mut self.floor;
        let mut only = None;
        while let first = self.soonest.first()
            && time_of(first) <= clock.now
        {
            let number = first as u32;
            self.soonest.set(number as usize, next(Time::NEVER, number));
            let pe = &mut self.pes[number as usize];
            pe.settle(clock);
            let is_only = time_of(self.soonest.first()) > clock.now && due.first().is_none();
            match is_only {
                true => only = pe.pool.take_only(jobs, due),
                false => pe.pool.collect(jobs, due),
            }
        }
        only.or_else(|| {
            let slot = due.pop(jobs)?;
            self.pes[jobs[slot].pe as usize].pool.was_due();
            Some(slot)
        })
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
        let pe = self.counts.first_with_fewest();
        self.counts.add(pe);
        let order = self.floor.stamp();
        let job = &mut self.floor.jobs[slot];
        job.order = order;
        self.floor.started.push(Started { job: job.id, pe: None });
        self.running += 1;
        self.put(slot, left, pe);
        self.update_next_of(pe);
    }

    fn displace(&mut self, slot: Slot) -> Work {
        let left = self.take(slot);
        self.balance(self.floor.jobs[slot].pe);
        left
    }

    fn settle(&mut self) {
        self.pes.iter_mut().for_each(|pe| pe.settle(&self.floor.clock));
    }

    fn update_next(&mut self) {
        let pes = (0..).zip(&self.pes);
        self.soonest.set_all(pes.map(|(number, pe)| next(pe.next(&self.floor.clock), number)));
    }

    fn next(&self) -> Option<Time> {
        let soonest = time_of(self.soonest.first());
        self.floor.due_now().or((soonest < Time::NEVER).then_some(soonest))
    }

    fn take_completed(&mut self) -> Option<JobId> {
        let slot = self.take_due()?;
        let job = self.floor.jobs.remove(slot)?;
        let pe = &mut self.pes[job.pe as usize];
        pe.settle(&self.floor.clock);
        pe.list.remove(slot, &mut self.links);
        pe.pool.count -= 1;
        self.balance(job.pe);
        Some(job.id)
    }

    fn count(&self) -> usize {
        self.running
    }
}
