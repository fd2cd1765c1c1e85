//! The jobs in the system, in slots that are used again: memory follows the jobs that are there,
//! and nothing is allocated once it has been at its fullest.

use std::ops::{Index, IndexMut};

use super::blocks::Key;
use super::place::Share;
use crate::job::ParallelJob;
use crate::speed::{Done, Pace, Speed};
use gridsat_engine::EventId;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// A job in the system.
pub struct Active {
    pub spec: ParallelJob,
    /// Its place in the order of the queue.
    pub key: Key,
    /// Where it runs, or will.
    pub shares: Vec<Share>,
    /// How it gets on there.
    pub pace: Pace,
    /// When it began to run, the last time.
    pub since: Time,
    /// When it began to run, the first time.
    pub first: Option<Time>,
    /// When it is expected to end.
    pub expected: Time,
    /// Which of all starts was its last.
    pub start: u64,
    /// Its end to come.
    pub event: Option<EventId>,
    /// What was done before it was suspended.
    pub done: Done,
    /// Ticks that it has had nodes, without the present run.
    pub held: Ticks,
    /// How often it was suspended.
    pub suspensions: u32,
    /// How many later jobs started before it.
    pub hops: u32,
    /// How long it may still be delayed; `None` until it was the first that waits.
    pub budget: Option<Ticks>,
    /// When it will start, if the policy planned it.
    pub reserved: Option<Time>,
}

impl Active {
    fn new(spec: ParallelJob, shares: Vec<Share>) -> Self {
        Self {
            spec,
            key: (0, 0),
            shares,
            pace: Pace { rate: Speed::ONE, penalty: Ticks(0) },
            since: Time::ZERO,
            first: None,
            expected: Time::ZERO,
            start: 0,
            event: None,
            done: Done::NOTHING,
            held: Ticks(0),
            suspensions: 0,
            hops: 0,
            budget: None,
            reserved: None,
        }
    }
}

/// Jobs by slot.
#[derive(Default)]
pub struct Slots {
    slots: Vec<Active>,
    vacant: Vec<u32>,
}

impl Slots {
    /// Finds a slot for a job.
    pub fn insert(&mut self, spec: ParallelJob) -> u32 {
        if let Some(slot) = self.vacant.pop() {
            let old = &mut self.slots[slot as usize];
            let mut shares = std::mem::take(&mut old.shares);
            shares.clear();
            *old = Active::new(spec, shares);
            return slot;
        }
        self.slots.push(Active::new(spec, Vec::new()));
        u32::try_from(self.slots.len() - 1).expect("memory ends before four billion jobs")
    }

    /// The job has left; its slot keeps what it was until it is used again.
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
