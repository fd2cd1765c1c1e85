//! Reserved PEs of a resource.

use super::Resource;
use crate::allocation::{JobId, Released, Request, Reserving, Slot};
use crate::reservation::Period;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::ReservationId;

/// A reservation of PEs that has been offered or committed and is not active yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Coming {
    pub id: ReservationId,
    pub pes: u32,
    pub period: Period,
}

/// Reservations of PEs.
#[derive(Default)]
pub(super) struct Reserved {
    /// Active ones: id, number of PEs, and end.
    pub(super) active: Vec<(ReservationId, u32, Time)>,
    /// Those to come, in order of their starts.
    coming: Vec<Coming>,
}

impl Resource {
    /// Active reservations: id, number of PEs, and end.
    pub(crate) fn active(&self) -> &[(ReservationId, u32, Time)] {
        self.reserved.as_ref().map_or(&[], |reserved| &reserved.active)
    }

    /// Reservations that have been offered or committed, in order of their starts.
    pub(crate) fn coming(&self) -> &[Coming] {
        self.reserved.as_ref().map_or(&[], |reserved| &reserved.coming)
    }

    /// A reservation was offered.
    pub(crate) fn announce(&mut self, next: Coming) {
        if let Some(reserved) = &mut self.reserved {
            let place = reserved.coming.partition_point(|c| c.period.start <= next.period.start);
            reserved.coming.insert(place, next);
        }
    }

    fn no_longer_coming(&mut self, id: ReservationId) {
        self.reserved.iter_mut().for_each(|reserved| reserved.coming.retain(|c| c.id != id));
    }

    /// Adds a job to a reservation that has not ended.
    pub(crate) fn begin_in(&mut self, id: ReservationId, job: JobId, time: Ticks) -> Slot {
        if self.belief.as_ref().is_some_and(|belief| belief.is_queued(job)) {
            // While it waited for its data it counted as queued.
            self.forget(job);
        }
        let request = Request { pes: self.width(job), believed: time };
        self.reserving().submit_to(id, job, time, request)
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
        self.no_longer_coming(id);
        if let Some(reserved) = &mut self.reserved {
            reserved.active.push((id, pes, until));
        }
        if let Some(belief) = &mut self.belief {
            for &job in &suspended {
                let width = self.widths.as_ref().map_or(1, |widths| widths.of(job));
                (0..width).for_each(|_| belief.suspend(job, self.now, self.speed));
            }
            belief.reserve(pes, until);
        }
        suspended
    }

    /// Ends a reservation, also one that was never active. Nothing starts before [`Self::fill`].
    pub(crate) fn release(&mut self, id: ReservationId) -> Released {
        let released = self.reserving().release(id);
        self.no_longer_coming(id);
        let reserved = self.reserved.iter_mut();
        let active = reserved.flat_map(|reserved| reserved.active.extract_if(.., |r| r.0 == id));
        for (_, pes, until) in active {
            self.belief.iter_mut().for_each(|belief| belief.release(pes, until));
        }
        released
    }

    /// Queues a job whose reservation ended behind jobs on this many PEs, with this estimated time
    /// left; returns on how many PEs it runs.
    pub(crate) fn queue_leftover(&mut self, job: JobId, behind: usize, believed: Ticks) -> usize {
        let width = self.width(job) as usize;
        if let Some(belief) = &mut self.belief {
            (0..width).for_each(|_| belief.insert(behind, job, believed));
        }
        width
    }

    /// Starts jobs on idle PEs, if any can be reserved.
    pub(crate) fn fill(&mut self) {
        self.allocation.reserving().into_iter().for_each(|reserving| reserving.fill());
    }

    /// PE time that the jobs of an active reservation have used.
    pub(crate) fn used(&mut self, id: ReservationId) -> u128 {
        self.reserving().used(id)
    }
}
