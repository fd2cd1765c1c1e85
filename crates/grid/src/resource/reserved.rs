//! Reserved PEs of a resource.

use super::Resource;
use crate::allocation::{JobId, Released, Reserving, Slot};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::ReservationId;

/// Active reservations: id, number of PEs, and end.
#[derive(Default)]
pub(super) struct Reserved(pub(super) Vec<(ReservationId, u32, Time)>);

impl Resource {
    /// Adds a job to a reservation that has not ended.
    pub(crate) fn begin_in(&mut self, id: ReservationId, job: JobId, time: Ticks) -> Slot {
        if self.belief.as_ref().is_some_and(|belief| belief.is_queued(job)) {
            // While it waited for its data it counted as queued.
            self.forget(job);
        }
        self.reserving().submit_to(id, job, time)
    }

    /// Prepares for reservations, which only space-shared resources have.
    pub(crate) fn expect_reservations(&mut self) {
        self.reserved.get_or_insert_default();
    }

    pub(super) fn reserving(&mut self) -> &mut dyn Reserving {
        self.allocation.reserving().expect("only space-shared resources have reservations")
    }

    /// Gives a reservation its PEs; returns the suspended jobs. Nothing starts before
    /// [`Self::fill`].
    pub(crate) fn reserve(&mut self, id: ReservationId, pes: u32, until: Time) -> Vec<JobId> {
        let suspended = self.reserving().reserve(id, pes, until);
        if let Some(reserved) = &mut self.reserved {
            reserved.0.push((id, pes, until));
        }
        if let Some(belief) = &mut self.belief {
            suspended.iter().for_each(|&job| belief.suspend(job, self.now, self.speed));
            belief.reserve(pes, until);
        }
        suspended
    }

    /// Ends a reservation, also one that was never active. Nothing starts before [`Self::fill`].
    pub(crate) fn release(&mut self, id: ReservationId) -> Released {
        let released = self.reserving().release(id);
        let active =
            self.reserved.iter_mut().flat_map(|reserved| reserved.0.extract_if(.., |r| r.0 == id));
        for (_, pes, until) in active {
            self.belief.iter_mut().for_each(|belief| belief.release(pes, until));
        }
        released
    }

    /// Queues a job whose reservation ended behind this many others, with this estimated time left.
    pub(crate) fn queue_leftover(&mut self, job: JobId, behind: usize, believed: Ticks) {
        self.belief.iter_mut().for_each(|belief| belief.insert(behind, job, believed));
    }

    /// Starts jobs on idle PEs.
    pub(crate) fn fill(&mut self) {
        self.reserving().fill();
    }

    /// PE time that the jobs of an active reservation have used.
    pub(crate) fn used(&mut self, id: ReservationId) -> u128 {
        self.reserving().used(id)
    }
}
