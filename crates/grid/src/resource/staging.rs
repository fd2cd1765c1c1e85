//! Jobs at a resource that wait for their data.

use super::Resource;
use crate::allocation::{JobId, Slot};
use gridsat_model::Ticks;

impl Resource {
    /// The same of a job that was perhaps expected.
    pub(crate) fn begin_expected(&mut self, job: JobId, time: Ticks, believed: Ticks) -> Slot {
        if !self.belief.as_ref().is_some_and(|belief| belief.is_queued(job)) {
            self.expect(job, believed);
        }
        self.allocation.submit(job, time)
    }

    /// A job is there from now on, but waits for its data.
    pub(crate) fn enter_staging(&mut self) {
        self.occupancy.enter();
        self.occupancy.stage();
    }

    /// It stands still until it is resumed.
    pub(crate) fn halt_staging(&mut self, job: JobId) {
        self.occupancy.staged();
        self.occupancy.halt();
        self.forget(job);
    }

    /// It waits for its data again.
    pub(crate) fn resume_staging(&mut self, job: JobId, believed: Ticks) {
        self.expect(job, believed);
        self.occupancy.resume();
        self.occupancy.stage();
    }

    /// It goes away.
    pub(crate) fn leave_staging(&mut self, job: JobId, was_halted: bool) {
        if !was_halted {
            self.occupancy.staged();
        }
        self.occupancy.cancel(was_halted);
        self.forget(job);
    }
}
