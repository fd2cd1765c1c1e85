//! Jobs at a resource that wait for their data.

use super::Resource;
use crate::allocation::{JobId, Slot};
use gridsat_model::Ticks;

impl Resource {
    /// Adds a job whose data have arrived, which may have been accounted for before.
    pub(crate) fn begin_expected(&mut self, job: JobId, time: Ticks, believed: Ticks) -> Slot {
        if !self.belief.as_ref().is_some_and(|belief| belief.is_queued(job)) {
            self.expect(job, believed);
        }
        self.allocation.submit(job, time)
    }

    /// Counts a job that is here and waits for its data.
    pub(crate) fn enter_staging(&mut self) {
        self.occupancy.enter();
        self.occupancy.stage();
    }

    /// Halts a job that waits for its data.
    pub(crate) fn halt_staging(&mut self, job: JobId) {
        self.occupancy.staged();
        self.occupancy.halt();
        self.forget(job);
    }

    /// Resumes a job that waits for its data.
    pub(crate) fn resume_staging(&mut self, job: JobId, believed: Ticks) {
        self.expect(job, believed);
        self.occupancy.resume();
        self.occupancy.stage();
    }

    /// Removes a job that is lost before it ran here.
    pub(crate) fn lose_staging(&mut self, job: JobId) {
        self.occupancy.staged();
        self.occupancy.lose();
        self.forget(job);
    }

    /// Removes a job that waits for its data.
    pub(crate) fn leave_staging(&mut self, job: JobId, was_halted: bool) {
        if !was_halted {
            self.occupancy.staged();
        }
        self.occupancy.cancel(was_halted);
        self.forget(job);
    }
}
