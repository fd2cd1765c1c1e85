//! The interface of scheduling policies.

use thiserror::Error;

use super::{Proofs, View};
use gridsat_model::HostId;

gridsat_engine::id! {
    /// Index of a job among the waiting ones, in the view of one decision.
    JobIndex
}

/// Sends one waiting job to one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// A job of the view.
    pub job: JobIndex,
    /// A host of the view.
    pub host: HostId,
}

/// Why a mapper failed; ends the simulation.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct MapperError(pub String);

/// Decides where waiting jobs go. It reads the view and returns assignments; it changes nothing
/// itself.
pub trait Mapper {
    /// The name in reports.
    fn name(&self) -> String;

    /// The assignments, in the order in which jobs are sent. Jobs without one keep waiting.
    fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError>;

    /// Like [`Mapper::decide`], which it calls, but appends to `made`, which is empty. Mappers that
    /// decide for one job at a time can implement it to save an allocation per job.
    fn decide_into(
        &mut self,
        view: &View<'_>,
        made: &mut Vec<Assignment>,
    ) -> Result<(), MapperError> {
        *made = self.decide(view)?;
        Ok(())
    }

    /// Jobs of the latest view that will never be sent: they stop waiting and remain unsent.
    fn given_up(&mut self) -> Vec<JobIndex> {
        Vec::new()
    }

    /// What it has proven about its batches, if it proves anything.
    fn proofs(&self) -> Option<Proofs> {
        None
    }

    /// A remark for the report at the end, if any.
    fn note(&self) -> Option<String> {
        None
    }
}
