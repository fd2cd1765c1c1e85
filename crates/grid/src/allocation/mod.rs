//! How a resource divides its PEs among jobs. A new policy is one file with one [`Allocation`], and
//! a line in [`AllocationPolicy`].
//!
//! What holds for all of them:
//!
//! - A job is done at the first tick by which it got all its work. Several at one tick are taken
//!   away in order of submission; until it is taken away, a job keeps its PE or share.
//! - A job of time 0 is done as soon as it runs, at any speed; in a queue it waits like others.
//! - A halted job keeps its progress and nothing else: resumed, it counts as submitted again, at
//!   the end of the queue and after all others in order.
//! - At speed 0 jobs still come, start, move and leave, but only those of time 0 get done.
//! - Progress is rounded (down, by less than a millionth of a tick) when shares or the speed
//!   change, never by advancing: looking at a resource more often has no influence on it.

mod agenda;
mod equal;
mod floor;
mod gridsim;
mod gsim;
mod jobs;
mod pes;
mod policy;
mod pool;
mod ranks;
mod reserving;
mod space_shared;

pub use equal::Equal;
pub use gridsim::GridSim;
pub use gsim::GSim;
pub use pes::{Pes, PesError};
pub use policy::{AllocationError, AllocationPolicy};
pub use reserving::{Leftover, Released, Reserving};
pub use space_shared::SpaceShared;

use super::work::{Speed, Work};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

gridsat_engine::id! {
    /// A job in the whole simulation.
    JobId
}

gridsat_engine::id! {
    /// A job's place at one resource, valid from `submit` until it completes or is cancelled.
    Slot
}

/// A job that began to run, or runs again after it was halted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Started {
    /// Which job.
    pub job: JobId,
    /// Its PE, under space sharing; time-shared jobs have none of their own.
    pub pe: Option<u32>,
}

/// A job that runs or waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Present {
    /// Which job.
    pub job: JobId,
    /// Its place.
    pub slot: Slot,
    /// Whether it runs.
    pub is_running: bool,
}

/// A resource's PEs at work.
///
/// The caller advances to the present before anything else it asks for at that time, and calls
/// `complete` until it gives `None` when the time of `next_completion` has come.
pub trait Allocation: Send + Sync {
    /// Progress until `now`, which is not after `next_completion` and not before the time advanced
    /// to.
    fn advance(&mut self, now: Time);

    /// A new job. `time`: ticks alone on the fastest PE at full speed.
    fn submit(&mut self, job: JobId, time: Ticks) -> Slot;

    /// When the next job completes if nothing changes; `None` if none does.
    fn next_completion(&self) -> Option<Time>;

    /// Takes away a job that is done by now, the one submitted (or resumed) first if there are
    /// several.
    fn complete(&mut self) -> Option<JobId>;

    /// Moves all jobs that began to run since the last call into `jobs`, in order.
    fn take_started(&mut self, jobs: &mut Vec<Started>);

    /// From now on PEs give so much to jobs.
    fn set_speed(&mut self, speed: Speed);

    /// Stops a running or queued job, which keeps its progress and frees its PE. False if it
    /// already is.
    fn halt(&mut self, slot: Slot) -> bool;

    /// Lets a halted job go on: at the end of the queue, or with its share. False if it was not
    /// halted.
    fn resume(&mut self, slot: Slot) -> bool;

    /// Takes a job away for good; what it had left, as work of the fastest PE.
    fn cancel(&mut self, slot: Slot) -> Work;

    /// Jobs that run or wait, in order of submission.
    fn present(&self) -> Vec<Present>;

    /// Jobs that run or wait; halted ones do neither.
    fn job_count(&self) -> usize;

    /// Where PEs can be set aside; `None` where jobs have none of their own.
    fn reserving(&mut self) -> Option<&mut dyn Reserving> {
        None
    }

    /// A copy to look into the future with.
    fn fork(&self) -> Box<dyn Allocation>;
}

#[cfg(test)]
mod tests;
