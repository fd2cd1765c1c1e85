//! The jobs in the system, in reused slots. Memory depends on the largest number of jobs in the
//! system at once; nothing is allocated after that point.

use std::ops::{Index, IndexMut};

use super::blocks::Key;
use super::place::Share;
use crate::job::ParallelJob;
use crate::speed::{Done, Pace, Ratio, Speed};
use gridsat_engine::EventId;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// A job in the system.
pub struct Active {
    pub spec: ParallelJob,
    /// Position in the queue order.
    pub key: Key,
    /// The nodes it occupies or is planned on.
    pub shares: Vec<Share>,
    /// Its speed and penalty there.
    pub pace: Pace,
    /// Time of its latest start.
    pub since: Time,
    /// Time of its first start.
    pub first: Option<Time>,
    /// Expected time of its end.
    pub expected: Time,
    /// Time of its end, unless it is suspended before; unknown to policies.
    pub end: Time,
    /// Sequence number of its latest start, counted over all jobs.
    pub start: u64,
    /// The pending event of its end or expected end.
    pub event: Option<EventId>,
    /// Work done before it was suspended.
    pub done: Done,
    /// Ticks during which it occupied nodes, without the current run.
    pub held: Ticks,
    /// Number of times it was suspended.
    pub suspensions: u32,
    /// Number of later jobs that started before it.
    pub hops: u32,
    /// Whether it runs in a reservation.
    pub is_reserved: bool,
    /// Ticks by which it may still be delayed; `None` until it is first in the queue.
    pub budget: Option<Ticks>,
}

impl Active {
    fn new(spec: ParallelJob, key: Key, shares: Vec<Share>) -> Self {
        Self {
            spec,
            key,
            shares,
            pace: Pace { rate: Speed::ONE, slowdown: Ratio::ONE, penalty: Ticks(0) },
            since: Time::ZERO,
            first: None,
            expected: Time::ZERO,
            end: Time::ZERO,
            start: 0,
            event: None,
            done: Done::NOTHING,
            held: Ticks(0),
            suspensions: 0,
            hops: 0,
            is_reserved: false,
            budget: None,
        }
    }
}

/// Jobs by slot number.
#[derive(Default)]
pub struct Slots {
    slots: Vec<Active>,
    vacant: Vec<u32>,
}

impl Slots {
    /// Stores a job and returns its slot.
    pub fn insert(&mut self, spec: ParallelJob, key: Key) -> u32 {
        if let Some(slot) = self.vacant.pop() {
            let old = &mut self.slots[slot as usize];
            let mut shares = std::mem::take(&mut old.shares);
            shares.clear();
            *old = Active::new(spec, key, shares);
            return slot;
        }
        self.slots.push(Active::new(spec, key, Vec::new()));
        u32::try_from(self.slots.len() - 1).expect("memory ends before four billion jobs")
    }

    /// Frees the slot of a job that has left; the data remain until the slot is reused.
    pub fn vacate(&mut self, slot: u32) {
        self.vacant.push(slot);
    }
}

impl Index<u32> for Slots {
    type Output = Active;

    fn index(&self, slot: u32) -> &Active {
        &self.slots[slot as usize]
    }
}

impl IndexMut<u32> for Slots {
    fn index_mut(&mut self, slot: u32) -> &mut Active {
        &mut self.slots[slot as usize]
    }
}
