//! Who is told what happens. A simulation keeps nothing of jobs that left but sums; whoever wants more
//! observes.

use super::data::Flow;
use super::grid::ResourceId;
use super::job::JobRecord;
use super::reservation::State;
use super::scheduler::SchedulerId;
use gridsat_engine::time::Time;
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
    /// A resource gives so many percent of its speed from now on.
    Capacity { resource: ResourceId, percent: u8 },
    /// A running job stopped because its resource failed.
    Interrupted { job: u64, resource: ResourceId },
    /// A job is back at the scheduler that sent it to a resource, which failed.
    Returned { job: u64, scheduler: SchedulerId },
    /// A running job lost its PE because a reservation began, or its own ended.
    Suspended { job: u64, resource: ResourceId },
    /// A reservation is so far now.
    Reservation { reservation: ReservationId, resource: ResourceId, state: State },
    /// A job is lost because its resource failed.
    Lost { job: u64, resource: ResourceId },
    /// The information service knows a resource that was not there from the beginning.
    Registered { resource: ResourceId },
    /// The information service heard of so many resources; so many of them were up.
    Pinged { resources: usize, up: usize },
    /// Schedulers were told what that ping found.
    Told { resources: usize, up: usize },
}

/// Is told what happens, in order.
pub trait Observer {
    /// Everything, as it happens.
    fn happened(&mut self, now: Time, what: &Happening);

    /// A job left the system.
    fn left(&mut self, job: &JobRecord);

    /// Whether it has seen enough: asked before every event, and the simulation ends if so.
    fn wants_end(&self) -> bool {
        false
    }
}

/// Looks at nothing.
pub struct Nobody;

impl Observer for Nobody {
    fn happened(&mut self, _: Time, _: &Happening) {}

    fn left(&mut self, _: &JobRecord) {}
}
