//! What becomes of jobs at a resource that fails.
//!
//! | rule | running jobs keep | and go | queued jobs |
//! | --- | --- | --- | --- |
//! | lost | | nowhere, they are lost | stay |
//! | restart | nothing | stay | stay |
//! | resubmit | nothing | back to their scheduler | back, too |
//! | checkpoint | work until their last checkpoint | back, or stay | back, or stay |
//! | migrate | all their work, and pay for the move | back | back, too |
//!
//! Jobs that stay begin again when the resource is back, in their order. Halted jobs are on disk:
//! nothing happens to them. Jobs that are done at the very moment of the failure are done.

use super::{Availability, Checkpoints};
use crate::work::Work;

/// What a running job keeps of its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// It starts from zero.
    Nothing,
    /// What its last checkpoint holds.
    LastCheckpoint,
    /// All of it.
    Everything,
}

/// Where a running job goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goes {
    /// Nowhere: it is lost.
    Nowhere,
    /// It waits here until the resource is back.
    Stays,
    /// To the scheduler that sent it here.
    Back,
}

/// What becomes of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnFailure {
    /// Running jobs are lost.
    Lost,
    /// They start again here.
    Restart,
    /// They start again wherever their scheduler says.
    Resubmit,
    /// They go on from their last checkpoint, here if they stay.
    Checkpoint {
        /// When, and at what price.
        checkpoints: Checkpoints,
        /// Whether they wait for the resource.
        stay: bool,
    },
    /// They go on elsewhere, after this much overhead.
    Migrate {
        /// Added to the work of a job that ran.
        cost: Work,
    },
}

impl OnFailure {
    /// The checkpoints that jobs make here.
    pub fn checkpoints(self) -> Option<Checkpoints> {
        match self {
            Self::Checkpoint { checkpoints, .. } => Some(checkpoints),
            _ => None,
        }
    }

    /// What moving costs a job that ran.
    pub fn cost(self) -> Work {
        match self {
            Self::Migrate { cost } => cost,
            _ => Work::NONE,
        }
    }

    /// What running jobs keep.
    pub fn keeps(self) -> Keeps {
        match self {
            Self::Lost | Self::Restart | Self::Resubmit => Keeps::Nothing,
            Self::Checkpoint { .. } => Keeps::LastCheckpoint,
            Self::Migrate { .. } => Keeps::Everything,
        }
    }

    /// Where a job goes that runs, or is queued.
    pub fn goes(self, is_running: bool) -> Goes {
        match self {
            Self::Lost if is_running => Goes::Nowhere,
            Self::Lost | Self::Restart | Self::Checkpoint { stay: true, .. } => Goes::Stays,
            Self::Resubmit | Self::Checkpoint { .. } | Self::Migrate { .. } => Goes::Back,
        }
    }
}

/// When a resource fails, and what becomes of its jobs.
#[derive(Clone, Debug, PartialEq)]
pub struct Failures {
    /// When it is there.
    pub availability: Availability,
    /// What becomes of jobs when it goes.
    pub on_failure: OnFailure,
}
