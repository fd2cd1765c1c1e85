//! What happens to the jobs of a resource that fails.
//!
//! | rule | running jobs keep | and go | queued jobs |
//! | --- | --- | --- | --- |
//! | lost | | they are lost | stay |
//! | restart | nothing | stay | stay |
//! | resubmit | nothing | back to their scheduler | back |
//! | checkpoint | work until their last checkpoint | back, or stay | back, or stay |
//! | migrate | all their work, at a cost | back | back |
//!
//! Queued jobs and those in transit can be lost too, under every rule ([`AlsoLost`]).
//!
//! Jobs that stay start again when the resource is up, in their order. Halted jobs are on disk and
//! are not affected. Jobs that complete at the time of the failure are complete.

use super::{Availability, Checkpoints};
use crate::work::Work;

/// How much of its work a running job keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// Nothing: it starts from the beginning.
    Nothing,
    /// The work until its last checkpoint.
    LastCheckpoint,
    /// All of it.
    Everything,
}

/// Where a job goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goes {
    /// Nowhere: it is lost.
    Nowhere,
    /// It waits at the resource until that is up again.
    Stays,
    /// To the scheduler that sent it here.
    Back,
}

/// Rule for the jobs of a resource that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnFailure {
    /// Running jobs are lost.
    Lost,
    /// Running jobs start again at this resource.
    Restart,
    /// Jobs return to their scheduler and start again from the beginning.
    Resubmit,
    /// Running jobs continue from their last checkpoint, at this resource if they stay.
    Checkpoint {
        /// Interval and cost of checkpoints.
        checkpoints: Checkpoints,
        /// Whether they wait for the resource; otherwise they return to their scheduler.
        stay: bool,
    },
    /// Running jobs continue elsewhere, with all their work, at a cost.
    Migrate {
        /// Added to the work of a job that was running.
        cost: Work,
    },
}

impl OnFailure {
    /// The checkpoints that jobs make at this resource, if any.
    pub fn checkpoints(self) -> Option<Checkpoints> {
        match self {
            Self::Checkpoint { checkpoints, .. } => Some(checkpoints),
            _ => None,
        }
    }

    /// Cost of a migration of a running job.
    pub fn cost(self) -> Work {
        match self {
            Self::Migrate { cost } => cost,
            _ => Work::NONE,
        }
    }

    /// How much of their work running jobs keep.
    pub fn keeps(self) -> Keeps {
        match self {
            Self::Lost | Self::Restart | Self::Resubmit => Keeps::Nothing,
            Self::Checkpoint { .. } => Keeps::LastCheckpoint,
            Self::Migrate { .. } => Keeps::Everything,
        }
    }

    /// Where a running or a queued job goes.
    pub fn goes(self, is_running: bool) -> Goes {
        match self {
            Self::Lost if is_running => Goes::Nowhere,
            Self::Lost | Self::Restart | Self::Checkpoint { stay: true, .. } => Goes::Stays,
            Self::Resubmit | Self::Checkpoint { .. } | Self::Migrate { .. } => Goes::Back,
        }
    }
}

/// Jobs that are lost with their resource although they do not run, whatever the rule. DSiDE says
/// only that running jobs are lost; these are the other readings of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AlsoLost {
    /// Jobs that wait for a PE.
    pub queued: bool,
    /// Jobs that wait for their input or for storage, and jobs whose results are on their way home.
    pub transit: bool,
}

/// When a resource fails, and what happens to its jobs.
#[derive(Clone, Debug, PartialEq)]
pub struct Failures {
    /// When it is up or down.
    pub availability: Availability,
    /// What happens to its jobs when it fails.
    pub on_failure: OnFailure,
    /// Jobs that are lost then although they do not run.
    pub also_lost: AlsoLost,
}
