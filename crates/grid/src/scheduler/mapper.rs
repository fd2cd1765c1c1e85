//! What a scheduling policy is.

use thiserror::Error;

use super::View;
use gridsat_model::HostId;

gridsat_engine::id! {
    /// Position of a job among those that wait, in the view of one decision.
    JobIndex
}

/// One waiting job goes to one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// One of the jobs of the view.
    pub job: JobIndex,
    /// One of the hosts of the view.
    pub host: HostId,
}

/// Why a mapper gave up; the simulation ends with it.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct MapperError(pub String);

/// Decides where waiting jobs go. It sees, and says what to do; it changes nothing itself.
pub trait Mapper {
    /// The name in reports.
    fn name(&self) -> String;

    /// Jobs in the order in which they are sent. Jobs left out keep waiting.
    fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError>;

    /// Jobs of the latest view that will never be sent: they stop waiting, and stay unsent.
    fn given_up(&mut self) -> Vec<JobIndex> {
        Vec::new()
    }

    /// What it has to say at the end.
    fn note(&self) -> Option<String> {
        None
    }
}
