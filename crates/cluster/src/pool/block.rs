//! Nodes that no job may use for a while, because they failed or are reserved.
//!
//! They are held by an entry like that of a running job: the list of releases says when they will
//! be free again, so every policy plans with it. Its priority is the highest, so no job takes its
//! nodes.

use super::active::Active;
use super::blocks::Key;
use super::place::Share;
use super::{Pool, Release};
use crate::job::ParallelJob;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::RigidJob;

/// Why nodes are held back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// They failed.
    Down,
    /// They are reserved, and none of the jobs of the reservation uses them.
    Reserved,
}

impl Active {
    /// Whether it only holds nodes back.
    pub fn is_block(&self) -> bool {
        self.spec.rigid.nodes == 0
    }

    /// Whether it holds nodes back that failed.
    pub fn is_down(&self) -> bool {
        self.is_block() && self.spec.rigid.number == Block::Down as u64
    }
}

impl Pool {
    /// Holds free nodes back until some time; returns the slot of the entry.
    pub fn block(&mut self, shares: &[Share], now: Time, until: Time, why: Block) -> u32 {
        let rigid = RigidJob {
            number: why as u64,
            submit: Ticks(0),
            nodes: 0,
            run: Ticks(0),
            estimate: Ticks(0),
            priority: i32::MAX,
            user: 0,
        };
        let slot = self.jobs.insert(ParallelJob::from(rigid), Key::new(0, 0));
        self.starts += 1;
        let (start, nodes) = (self.starts, super::nodes(shares));
        let entry = &mut self.jobs[slot];
        entry.shares.extend_from_slice(shares);
        (entry.since, entry.expected, entry.start) = (now, until, start);
        super::take(&mut self.free, shares);
        self.free_total -= nodes;
        self.releases.insert(Release { time: until, start, slot, nodes });
        self.unforeseen();
        slot
    }

    /// Frees the nodes of an entry.
    pub fn unblock(&mut self, slot: u32) {
        self.vacate(slot);
        self.jobs.vacate(slot);
        self.unforeseen();
    }

    /// Makes policies plan again: nodes are there that were not planned, or are missing.
    pub fn unforeseen(&mut self) {
        self.hole = None;
        self.plan.extended();
    }
}
