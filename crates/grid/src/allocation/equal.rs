//! Equal time sharing: each of `n` jobs on `P` PEs gets `min(1, P/n)` of a PE.
//!
//! Ideal round robin over all PEs; jobs are not bound to PEs. All jobs progress at the same rate,
//! so one [`Pool`] holds them. The cost of context switches is not modelled.

use super::floor::{Floor, Sharing};
use super::pool::Pool;
use super::{JobId, Slot, Started};
use crate::work::{Share, Work};
use gridsat_engine::time::Time;

/// Equal time sharing.
#[derive(Clone, Debug)]
pub struct Equal {
    pes: u32,
    pool: Pool,
    floor: Floor,
}

impl Equal {
    /// A resource with this many idle PEs, at least one.
    pub fn new(pes: u32) -> Self {
        Self { pes, pool: Pool::new(), floor: Floor::new() }
    }

    fn share(&self) -> Share {
        Share::equal(self.pes, self.pool.count)
    }
}

impl Sharing for Equal {
    fn floor(&self) -> &Floor {
        &self.floor
    }

    fn floor_mut(&mut self) -> &mut Floor {
        &mut self.floor
    }

    fn place(&mut self, slot: Slot, left: Work) {
        self.settle();
        let stamp = self.floor.stamp();
        let job = &mut self.floor.jobs[slot];
        (job.order, job.stamp) = (stamp, stamp);
        self.floor.started.push(Started { job: job.id, pe: None });
        self.pool.join(slot, job, left);
    }

    fn displace(&mut self, slot: Slot) -> Work {
        self.settle();
        self.pool.leave(slot, &mut self.floor.jobs, &mut self.floor.due)
    }

    fn settle(&mut self) {
        self.pool.settle(&self.floor.clock, self.share());
    }

    fn next(&self) -> Option<Time> {
        self.floor.due_now().or_else(|| self.pool.next(&self.floor.clock, self.share()))
    }

    fn take_completed(&mut self) -> Option<JobId> {
        self.settle();
        self.pool.collect(&mut self.floor.jobs, &mut self.floor.due);
        let slot = self.floor.due.pop(&self.floor.jobs)?;
        self.pool.complete();
        self.floor.jobs.remove(slot).map(|job| job.id)
    }

    fn count(&self) -> usize {
        self.pool.count as usize
    }
}
