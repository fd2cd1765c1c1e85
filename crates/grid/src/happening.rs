//! Events that a simulation of a grid reports.

use super::data::Flow;
use super::grid::ResourceId;
use super::job::JobRecord;
use super::network::NodeId;
use super::reservation::ReservationState;
use super::scheduler::SchedulerId;
use gridsat_engine::Reports;
use gridsat_workload::ReservationId;

/// Something that happened. Jobs are identified by their number in order of arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are what their types and names say")]
pub enum Happening {
    /// A job arrived at a scheduler.
    Arrived { job: u64, scheduler: SchedulerId },
    /// A scheduler decided on its waiting jobs and sent some of them.
    Decided { scheduler: SchedulerId, waiting: usize, sent: usize },
    /// A scheduler gave a job up: its budget or deadline does not permit sending it.
    GivenUp { job: u64, scheduler: SchedulerId },
    /// A job was sent to a resource.
    Sent { job: u64, resource: ResourceId },
    /// A job started, or started again after it was halted.
    Started { job: u64, resource: ResourceId, pe: Option<u32> },
    /// A transfer began.
    Moving(Flow),
    /// A transfer ended.
    Moved(Flow),
    /// A job has run, and its results are being transferred to its home.
    Ran { job: u64, resource: ResourceId },
    /// A job finished.
    Finished { job: u64, resource: ResourceId },
    /// A job was halted.
    Halted { job: u64 },
    /// A job was resumed.
    Resumed { job: u64 },
    /// A job was cancelled.
    Cancelled { job: u64 },
    /// The local load of a resource changed.
    Load { resource: ResourceId, percent: u8 },
    /// The local load of the memory of a resource changed.
    MemoryLoad { resource: ResourceId, percent: u8 },
    /// The local load of a link between these nodes changed.
    LinkLoad { ends: [NodeId; 2], percent: u8 },
    /// A resource failed.
    Down { resource: ResourceId },
    /// A resource is up again.
    Up { resource: ResourceId },
    /// A disk or link, by its number in the description of data, failed or is back.
    Part { number: u32, is_up: bool },
    /// A resource gives this percentage of its speed from now on.
    Capacity { resource: ResourceId, percent: u8 },
    /// A running job was interrupted by a failure of its resource, or because it migrates.
    Interrupted { job: u64, resource: ResourceId },
    /// A scheduler passed a job to another one.
    Passed { job: u64, from: SchedulerId, to: SchedulerId },
    /// A job returned to its scheduler because its resource failed, or because the scheduler
    /// reconsiders it.
    Returned { job: u64, scheduler: SchedulerId },
    /// A running job lost its PE because a reservation began, or because its own reservation ended.
    Suspended { job: u64, resource: ResourceId },
    /// A reservation changed to this state.
    Reservation { reservation: ReservationId, resource: ResourceId, state: ReservationState },
    /// A job was lost by a failure of its resource.
    Lost { job: u64, resource: ResourceId },
    /// A resource registered with the information service after the start.
    Registered { resource: ResourceId },
    /// The information service pinged this many resources; `up` of them were up.
    Pinged { resources: usize, up: usize },
    /// Schedulers received the results of that ping.
    Told { resources: usize, up: usize },
}

/// Marker for what a grid simulation reports.
pub enum GridEvents {}

impl Reports for GridEvents {
    type Happening<'a> = Happening;
    type Record<'a> = JobRecord;
}
