//! Reservations under space sharing.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::super::agenda::Line;
use super::super::floor::Sharing;
use super::super::jobs::{Job, JobState, in_order};
use super::super::reserving::{Leftover, Released, Reserving, Usage};
use super::super::{JobId, Request, Slot};
use super::SpaceShared;
use crate::work::Work;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::ReservationId;

/// Reservations with jobs or PEs.
pub(super) type Holds = BTreeMap<ReservationId, Hold>;

/// A reservation with jobs or PEs.
#[derive(Clone, Debug, Default)]
pub(super) struct Hold {
    /// Its queued jobs.
    pub queue: Line,
    /// Its idle PEs, by speed rank as in the resource's `free`.
    pub free: BinaryHeap<Reverse<u32>>,
    /// Expected end; `None` before it begins.
    until: Option<Time>,
    pub usage: Usage,
}

impl SpaceShared {
    /// Running jobs without a reservation, the one that started last first.
    fn yielding(&self) -> Vec<Slot> {
        let is_yielding = |job: &Job| job.is_running() && job.hold.is_none();
        let jobs = self.floor.jobs.pairs();
        let mut jobs: Vec<_> = jobs.filter(|(_, job)| is_yielding(job)).collect();
        jobs.sort_unstable_by_key(|(_, job)| Reverse(job.stamp));
        jobs.into_iter().map(|(slot, _)| slot).collect()
    }

    /// Takes a running job from its PE, which becomes free.
    fn evict(&mut self, slot: Slot) -> (Work, u32) {
        let rank = self.floor.jobs[slot].pe;
        let left = self.running.leave(slot, &mut self.floor.jobs, &mut self.floor.due);
        (self.pes.off(self.by_speed[rank as usize], left), rank)
    }

    /// Removes a job from its reservation; `None` if it is halted.
    fn let_go(&mut self, slot: Slot) -> Option<Leftover> {
        let Job { id: job, state, .. } = self.floor.jobs[slot];
        self.floor.jobs[slot].hold = None;
        let (left, was_running) = match state {
            JobState::Halted(_) => return None,
            JobState::Queued(left) | JobState::Suspended(left) => (left, false),
            JobState::Running(_) | JobState::Due => {
                let (left, rank) = self.evict(slot);
                self.free.push(Reverse(rank));
                (left, true)
            }
        };
        let stamp = self.stamp(slot);
        self.floor.jobs[slot].state = JobState::Queued(left);
        self.queue.push_front(stamp, slot);
        Some(Leftover { job, left, was_running })
    }
}

impl Reserving for SpaceShared {
    fn reserve(&mut self, reservation: ReservationId, pes: u32, until: Time) -> Vec<JobId> {
        self.settle();
        let mut taken: BinaryHeap<_> = (0..pes).map_while(|_| self.free.pop()).collect();
        let mut suspended = Vec::new();
        for slot in self.yielding().into_iter().take(pes as usize - taken.len()) {
            let (left, rank) = self.evict(slot);
            taken.push(Reverse(rank));
            let stamp = self.stamp(slot);
            self.floor.jobs[slot].state = JobState::Suspended(left);
            self.suspended.push_front(stamp, slot);
            suspended.push(self.floor.jobs[slot].id);
        }
        let hold = self.holds.entry(reservation).or_default();
        (hold.free, hold.until, hold.usage) =
            (taken, Some(until), Usage::begin(self.floor.clock.now));
        suspended
    }

    fn release(&mut self, reservation: ReservationId) -> Released {
        self.settle();
        let behind = self.suspended.len();
        let Some(mut hold) = self.holds.remove(&reservation) else {
            return Released { behind, ..Released::default() };
        };
        let own = in_order(&self.floor.jobs, |job| job.hold == Some(reservation)).into_iter();
        let slots: Vec<Slot> = own.map(|(slot, _)| slot).rev().collect();
        let mut jobs: Vec<_> = slots.into_iter().filter_map(|slot| self.let_go(slot)).collect();
        jobs.reverse();
        self.free.append(&mut hold.free);
        let used = hold.until.map(|_| hold.usage.by(self.floor.clock.now));
        Released { jobs, behind, used }
    }

    fn fill(&mut self) {
        while let Some(&Reverse(rank)) = self.free.peek()
            && self.start_next(rank, None)
        {
            self.free.pop();
        }
        let holds: Vec<ReservationId> = self.holds.keys().copied().collect();
        for id in holds {
            while let Some(Reverse(rank)) = self.holds.get_mut(&id).and_then(|hold| hold.free.pop())
            {
                if !self.start_next(rank, Some(id)) {
                    self.give_back(rank, Some(id));
                    break;
                }
            }
        }
        self.update_next();
    }

    fn submit_to(
        &mut self,
        reservation: ReservationId,
        job: JobId,
        time: Ticks,
        _: Request,
    ) -> Slot {
        let slot = self.floor.jobs.insert(Job { hold: Some(reservation), ..Job::new(job) });
        self.place(slot, Work::of(time));
        slot
    }

    fn is_reserved(&self, slot: Slot) -> bool {
        self.floor.jobs.get(slot).is_some_and(|job| job.hold.is_some())
    }

    fn at_work(&self) -> u32 {
        self.running.count
    }

    fn has_room(&self) -> bool {
        !self.free.is_empty()
    }

    fn used(&self, reservation: ReservationId) -> u128 {
        self.holds.get(&reservation).map_or(0, |hold| hold.usage.by(self.floor.clock.now))
    }

    fn by_start(&self) -> Vec<JobId> {
        self.yielding().into_iter().rev().map(|slot| self.floor.jobs[slot].id).collect()
    }

    fn next_release(&self) -> Option<(Time, ReservationId)> {
        self.holds.iter().filter_map(|(&id, hold)| Some((hold.until?, id))).min()
    }
}
