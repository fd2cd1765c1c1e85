//! What a scheduling policy is.

use thiserror::Error;

use super::View;

/// One waiting job goes to one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Position among the jobs of the view.
    pub job: usize,
    /// Position among the hosts of the view.
    pub host: usize,
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
    fn given_up(&mut self) -> Vec<usize> {
        Vec::new()
    }

    /// What it has to say at the end.
    fn note(&self) -> Option<String> {
        None
    }
}
