//! Errors that prevent or end a simulation of a grid.

use thiserror::Error;

use super::allocation::AllocationError;
use super::network::NoRoute;
use super::reservation::ReservationError;
use super::scheduler::MapperError;

/// Why a simulation could not start, or ended early.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum SimError {
    #[error("resource '{resource}': {error}")]
    Allocation { resource: String, error: AllocationError },
    #[error("scheduler '{0}' has a target that does not come after it")]
    Circle(String),
    #[error("scheduler '{0}' has a peer that does not exist, or is its own peer")]
    Peer(String),
    #[error(
        "scheduler '{0}': early decisions, adapt = \"dry\", rescheduling and passing need current \
         information, but information is delayed"
    )]
    Current(String),
    #[error(
        "scheduler '{0}': estimator exact needs current information, but information is delayed"
    )]
    Exact(String),
    #[error(
        "no resource that its scheduler reaches can run job {job} (QoS {qos}) and hold its data"
    )]
    NowhereToRun { job: u64, qos: u32 },
    #[error("job {job} was sent to resource '{resource}', which cannot run it")]
    Refused { job: u64, resource: String },
    #[error("reservation '{reservation}': {error}")]
    Reservation { reservation: String, error: ReservationError },
    #[error("job {job} names a reservation that does not exist, or whose resource cannot run it")]
    NoReservation { job: u64 },
    #[error("data cannot be moved: {0}")]
    Route(NoRoute),
    #[error("{0}")]
    Source(String),
    #[error("scheduler '{scheduler}': {error}")]
    Mapper { scheduler: String, error: MapperError },
}
