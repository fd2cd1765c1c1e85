//! The jobs of a resource, and how far each is.

use super::{JobId, Slot};
use crate::work::Work;
use gridsat_engine::Slab;
use gridsat_workload::ReservationId;

/// A number given to one placement of one job and never again. What is kept elsewhere about that
/// placement carries it, and is out of date as soon as the job no longer has it.
pub(super) type Stamp = u64;

/// The stamp of jobs that are placed nowhere.
pub(super) const NOWHERE: Stamp = Stamp::MAX;

/// A job at a resource.
#[derive(Clone, Debug)]
pub(super) struct Job {
    pub id: JobId,
    /// When it was submitted, or last resumed, among all jobs.
    pub order: Stamp,
    /// Its present placement.
    pub stamp: Stamp,
    /// Its PE, where that matters.
    pub pe: u32,
    /// Its reservation, where there are any.
    pub hold: Option<ReservationId>,
    pub state: JobState,
}

impl Job {
    /// A job that is nowhere yet.
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

    /// What it has left, if it is halted.
    pub fn halted(&self) -> Work {
        if let JobState::Halted(left) = self.state { left } else { Work::NONE }
    }
}

/// Where a job stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobState {
    /// In the queue, with so much to do.
    Queued(Work),
    /// Had to give way to a reservation, with so much to do.
    Suspended(Work),
    /// Running until its pool has served so much.
    Running(Work),
    /// Done, but not yet taken away.
    Due,
    /// Stopped, with so much to do.
    Halted(Work),
}

/// Jobs by slot.
pub(super) type JobSlab = Slab<Slot, Job>;

/// Those of some jobs that count, in order of submission.
pub(super) fn in_order(jobs: &JobSlab, counts: impl Fn(&Job) -> bool) -> Vec<(Slot, &Job)> {
    let mut jobs: Vec<_> = jobs.pairs().filter(|(_, job)| counts(job)).collect();
    jobs.sort_unstable_by_key(|(_, job)| job.order);
    jobs
}

/// Whether a job still has the placement of this stamp.
pub(super) fn has_stamp(jobs: &JobSlab, stamp: Stamp, slot: Slot) -> bool {
    jobs.get(slot).is_some_and(|job| job.stamp == stamp)
}
