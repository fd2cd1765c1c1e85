//! Jobs on several PEs of a resource.
//!
//! Estimates expect them to start in the order of their arrival, on all their PEs at once; other
//! orders and backfilling are not foreseen.

use std::collections::HashMap;

use super::Resource;
use crate::allocation::{AllocationPolicy, JobId, Queue, Request, Slot};
use crate::belief::{Layout, PesPerJob};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::ReservationId;

/// Numbers of PEs of the jobs that need more than one.
#[derive(Clone, Debug, Default)]
pub(super) struct Widths(HashMap<JobId, u32>);

impl Widths {
    pub fn of(&self, job: JobId) -> u32 {
        self.0.get(&job).copied().unwrap_or(1)
    }

    pub fn layout(&self, pes: u32, policy: AllocationPolicy) -> Layout {
        let jobs = match policy {
            AllocationPolicy::Queued(Queue::Backfill) => PesPerJob::Overtaking,
            _ => PesPerJob::InOrder,
        };
        Layout { pes, jobs }
    }
}

impl Resource {
    /// Number of PEs that a job here needs.
    pub(super) fn width(&self, job: JobId) -> u32 {
        self.widths.as_ref().map_or(1, |widths| widths.of(job))
    }

    /// How its queue is planned.
    pub(crate) fn layout(&self) -> Layout {
        let pes = self.pe_count();
        let of = |widths: &Widths| widths.layout(pes, self.spec.policy);
        self.widths.as_deref().map_or(Layout::plain(pes), of)
    }

    /// Whether its jobs may need several PEs, and wait in an order of their own.
    #[inline]
    pub(crate) fn has_wide_jobs(&self) -> bool {
        self.widths.is_some()
    }

    /// Notes how many PEs a job needs that is sent here. Ids are used again, so this replaces what
    /// was known of the id.
    pub(crate) fn set_width(&mut self, job: JobId, pes: u32) {
        if let Some(widths) = &mut self.widths {
            match pes {
                0 | 1 => drop(widths.0.remove(&job)),
                pes => drop(widths.0.insert(job, pes)),
            }
        }
    }

    /// Adds a job, which may have been accounted for before.
    pub(crate) fn begin_wide(
        &mut self,
        job: JobId,
        time: Ticks,
        believed: Ticks,
        reservation: Option<ReservationId>,
    ) -> Slot {
        if let Some(reservation) = reservation {
            return self.begin_in(reservation, job, time);
        }
        if !self.belief.as_ref().is_some_and(|belief| belief.is_queued(job)) {
            self.expect(job, believed);
        }
        let pes = self.width(job);
        self.allocation.submit_as(job, time, Request { pes, believed })
    }

    /// Counts the PEs that run jobs until now.
    pub(super) fn count_busy(&mut self, now: Time) {
        let busy = self.allocation.busy().filter(|_| self.is_up());
        self.occupancy.advance_busy(now, busy.unwrap_or(0));
    }
}
