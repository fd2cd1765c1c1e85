//! What happens in a grid.

use super::data::Flow;
use super::grid::ResourceId;
use super::job::JobRecord;
use super::reservation::ReservationState;
use super::scheduler::SchedulerId;
use gridsat_engine::Reports;
use gridsat_workload::ReservationId;

/// Something that happened. Jobs are named by their number in order of arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields are what their types and names say")]
pub enum Happening {
    /// A job came to a scheduler.
    Arrived { job: u64, scheduler: SchedulerId },
    /// A scheduler looked at its waiting jobs and sent some of them on.
    Decided { scheduler: SchedulerId, waiting: usize, sent: usize },
    /// A scheduler will never send a job: its budget or deadline does not allow it.
    GivenUp { job: u64, scheduler: SchedulerId },
    /// A job came to a resource.
    Sent { job: u64, resource: ResourceId },
    /// A job ran for the first time, or again after it was halted.
    Started { job: u64, resource: ResourceId, pe: Option<u32> },
    /// A transfer began.
    Moving(Flow),
    /// A transfer ended.
    Moved(Flow),
    /// A job has run, and its results are on their way home.
    Ran { job: u64, resource: ResourceId },
    /// A job is done.
    Finished { job: u64, resource: ResourceId },
    /// A job stands still.
    Halted { job: u64 },
    /// A job goes on.
    Resumed { job: u64 },
    /// A job was taken away.
    Cancelled { job: u64 },
    /// The local load of a resource changed.
    Load { resource: ResourceId, percent: u8 },
    /// A resource failed.
    Down { resource: ResourceId },
    /// A resource is back.
    Up { resource: ResourceId },
    /// A resource gives this many percent of its speed from now on.
    Capacity { resource: ResourceId, percent: u8 },
    /// A running job stopped because its resource failed.
    Interrupted { job: u64, resource: ResourceId },
    /// A job is back at the scheduler that sent it to a resource, which failed.
    Returned { job: u64, scheduler: SchedulerId },
    /// A running job lost its PE because a reservation began, or its own ended.
    Suspended { job: u64, resource: ResourceId },
    /// A reservation is so far now.
    Reservation { reservation: ReservationId, resource: ResourceId, state: ReservationState },
    /// A job is lost because its resource failed.
    Lost { job: u64, resource: ResourceId },
    /// The information service knows a resource that was not there from the beginning.
    Registered { resource: ResourceId },
    /// The information service heard of this many resources; this many of them were up.
    Pinged { resources: usize, up: usize },
    /// Schedulers were told what that ping found.
    Told { resources: usize, up: usize },
}

/// What a grid simulation reports.
pub enum GridEvents {}

impl Reports for GridEvents {
    type Happening<'a> = Happening;
    type Record<'a> = JobRecord;
}
