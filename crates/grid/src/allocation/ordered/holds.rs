//! Reservations beside a choice of queue.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::super::floor::Sharing;
use super::super::jobs::{Job, JobState, Stamp, in_order};
use super::super::reserving::{Leftover, Released, Reserving, Usage};
use super::super::{JobId, Request, Slot};
use super::Ordered;
use crate::work::Work;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::ReservationId;

/// Reservations with jobs or PEs.
pub(super) type Holds = BTreeMap<ReservationId, Hold>;

/// A reservation with jobs or PEs.
#[derive(Clone, Debug, Default)]
pub(super) struct Hold {
    /// Its queued jobs, in order of arrival.
    pub queue: BTreeSet<(Stamp, Slot)>,
    /// Its idle PEs, by speed rank.
    pub free: BTreeSet<u32>,
    /// Number of its PEs and expected end; `None` before it begins.
    pub active: Option<(u32, Time)>,
    pub usage: Usage,
}

impl Ordered {
    /// Starts jobs of reservations, in order, as long as the first one fits.
    pub(super) fn fill_holds(&mut self) {
        let ids: Vec<ReservationId> = self.holds.keys().copied().collect();
        for id in ids {
            while let Some(&(_, slot)) = self.holds[&id].queue.first()
                && self.fits(slot)
            {
                self.start(slot);
            }
        }
    }

    /// Running jobs without a reservation, the one that started last first.
    fn yielding(&self) -> Vec<Slot> {
        let is_yielding = |job: &Job| job.is_running() && job.hold.is_none();
        let jobs = self.floor.jobs.pairs().filter(|(_, job)| is_yielding(job));
        let mut jobs: Vec<_> = jobs.collect();
        jobs.sort_unstable_by_key(|(_, job)| Reverse(job.stamp));
        jobs.into_iter().map(|(slot, _)| slot).collect()
    }

    /// Puts a job before the queue.
    fn put_ahead(&mut self, slot: Slot, is_left: bool, state: JobState) {
        let stamp = self.floor.stamp();
        let job = &mut self.floor.jobs[slot];
        (job.stamp, job.state) = (stamp, state);
        self.ahead.insert((is_left, Reverse(stamp), slot));
    }

    /// Removes a job from its reservation; `None` if it is halted.
    fn let_go(&mut self, slot: Slot) -> Option<Leftover> {
        let Job { id: job, state, .. } = self.floor.jobs[slot];
        let (left, was_running) = match state {
            JobState::Halted(_) => (Work::NONE, false),
            JobState::Queued(left) | JobState::Suspended(left) => (left, false),
            JobState::Running(_) | JobState::Due => (self.stop(slot), true),
        };
        self.floor.jobs[slot].hold = None;
        if let JobState::Halted(_) = state {
            return None;
        }
        self.put_ahead(slot, true, JobState::Queued(left));
        Some(Leftover { job, left, was_running })
    }
}

impl Reserving for Ordered {
    fn reserve(&mut self, reservation: ReservationId, pes: u32, until: Time) -> Vec<JobId> {
        self.settle();
        let mut suspended = Vec::new();
        for slot in self.yielding() {
            if self.free.len() >= pes as usize {
                break;
            }
            let left = self.stop(slot);
            self.put_ahead(slot, false, JobState::Suspended(left));
            suspended.push(self.floor.jobs[slot].id);
        }
        let taken = (0..pes).map_while(|_| self.free.pop_first()).collect();
        let usage = Usage::begin(self.floor.clock.now);
        let hold = self.holds.entry(reservation).or_default();
        (hold.free, hold.active, hold.usage) = (taken, Some((pes, until)), usage);
        suspended
    }

    fn release(&mut self, reservation: ReservationId) -> Released {
        self.settle();
        let suspended = self.ahead.iter().filter(|(is_left, ..)| !is_left);
        let behind = suspended.map(|&(_, _, slot)| self.asked(slot).pes as usize).sum();
        if !self.holds.contains_key(&reservation) {
            return Released { behind, ..Released::default() };
        }
        let own = in_order(&self.floor.jobs, |job| job.hold == Some(reservation)).into_iter();
        let slots: Vec<Slot> = own.map(|(slot, _)| slot).rev().collect();
        let mut jobs: Vec<_> = slots.into_iter().filter_map(|slot| self.let_go(slot)).collect();
        jobs.reverse();
        let mut hold = self.holds.remove(&reservation).unwrap_or_default();
        self.free.append(&mut hold.free);
        let used = hold.active.map(|_| hold.usage.by(self.floor.clock.now));
        Released { jobs, behind, used }
    }

    fn fill(&mut self) {
        Ordered::fill(self);
    }

    fn submit_to(
        &mut self,
        reservation: ReservationId,
        job: JobId,
        time: Ticks,
        request: Request,
    ) -> Slot {
        let slot = self.floor.jobs.insert(Job { hold: Some(reservation), ..Job::new(job) });
        self.ask(slot, Work::of(time), request);
        self.place(slot, Work::of(time));
        slot
    }

    fn is_reserved(&self, slot: Slot) -> bool {
        self.floor.jobs.get(slot).is_some_and(|job| job.hold.is_some())
    }

    fn at_work(&self) -> u32 {
        let reserved: usize = self.holds.values().map(|hold| hold.free.len()).sum();
        self.pes.count() - (self.free.len() + reserved) as u32
    }

    fn has_room(&self) -> bool {
        !self.free.is_empty() && self.first().is_none()
    }

    fn used(&self, reservation: ReservationId) -> u128 {
        self.holds.get(&reservation).map_or(0, |hold| hold.usage.by(self.floor.clock.now))
    }

    fn by_start(&self) -> Vec<JobId> {
        self.yielding().into_iter().rev().map(|slot| self.floor.jobs[slot].id).collect()
    }

    fn next_release(&self) -> Option<(Time, ReservationId)> {
        self.holds.iter().filter_map(|(&id, hold)| Some((hold.active?.1, id))).min()
    }
}
