//! The jobs of a resource and their progress.

use super::{JobId, Slot};
use crate::work::Work;
use gridsat_engine::Slab;
use gridsat_workload::ReservationId;

/// A unique number of one placement of one job. Entries in other structures about that placement
/// carry it, and are invalid as soon as the job has another stamp.
pub(super) type Stamp = u64;

/// The stamp of jobs that are not placed.
pub(super) const NOWHERE: Stamp = Stamp::MAX;

/// A job at a resource.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub id: JobId,
    /// Sequence number of its submission or last resumption, among all jobs.
    pub order: Stamp,
    /// Stamp of its current placement.
    pub stamp: Stamp,
    /// Its PE, if the policy binds jobs to PEs.
    pub pe: u32,
    /// Its reservation, if it has one.
    pub hold: Option<ReservationId>,
    pub state: JobState,
}

impl Job {
    /// A job that is not placed yet.
    pub fn new(id: JobId) -> Self {
        let state = JobState::Halted(Work::NONE);
        Self { id, order: NOWHERE, stamp: NOWHERE, pe: 0, hold: None, state }
    }

    pub fn is_halted(&self) -> bool {
        matches!(self.state, JobState::Halted(_))
    }

    pub fn is_running(&self) -> bool {
        matches!(self.state, JobState::Running(_) | JobState::Due)
    }

    /// The work that a halted job has left.
    pub fn halted(&self) -> Work {
        if let JobState::Halted(left) = self.state { left } else { Work::NONE }
    }
}

/// State of a job, with its remaining work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobState {
    /// In the queue, with this much work left.
    Queued(Work),
    /// Suspended for a reservation, with this much work left.
    Suspended(Work),
    /// Running until its pool has served this much work.
    Running(Work),
    /// Complete, but not yet collected.
    Due,
    /// Halted, with this much work left.
    Halted(Work),
}

/// Jobs by slot.
pub(super) type JobSlab = Slab<Slot, Job>;

/// The jobs that satisfy a condition, in order of submission.
pub(super) fn in_order(jobs: &JobSlab, counts: impl Fn(&Job) -> bool) -> Vec<(Slot, &Job)> {
    let mut jobs: Vec<_> = jobs.pairs().filter(|(_, job)| counts(job)).collect();
    jobs.sort_unstable_by_key(|(_, job)| job.order);
    jobs
}

/// Whether a job still has the placement with this stamp.
pub(super) fn has_stamp(jobs: &JobSlab, stamp: Stamp, slot: Slot) -> bool {
    jobs.get(slot).is_some_and(|job| job.stamp == stamp)
}
