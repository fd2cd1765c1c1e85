//! How a resource divides its PEs among jobs. A new policy is one file with one [`Allocation`], and a
//! line in [`Policy`].

use super::time::Time;
use super::work::Speed;
use crate::model::Ticks;

/// A job in the whole simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u32);

/// A job's place at one resource, valid from `submit` until it completes or is cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub u32);

/// A job that began to run. `pe` is the PE it runs on where the policy ties jobs to PEs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Started {
    /// Which job.
    pub job: JobId,
    /// Which PE.
    pub pe: Option<u32>,
}

/// A resource's PEs at work.
///
/// The caller advances to the present before anything else it asks for at that time, and calls
/// `complete` until it gives `None` when the time of `next_completion` has come.
pub trait Allocation {
    /// Progress until `now`, which is not after `next_completion` and not before the time advanced to.
    fn advance(&mut self, now: Time);

    /// A new job. `time`: ticks alone on the fastest PE at full speed.
    fn submit(&mut self, job: JobId, time: Ticks) -> Slot;

    /// When the next job completes if nothing changes; `None` if none does.
    fn next_completion(&self) -> Option<Time>;

    /// Takes away a job that is done by now, the one submitted first if there are several.
    fn complete(&mut self) -> Option<JobId>;

    /// Moves all jobs that began to run since the last call into `jobs`, in order.
    fn take_started(&mut self, jobs: &mut Vec<Started>);

    /// From now on PEs give so much to jobs.
    fn set_speed(&mut self, speed: Speed);

    /// Stops a running or queued job, which keeps its progress and frees its PE. False if it already is.
    fn halt(&mut self, slot: Slot) -> bool;

    /// Lets a halted job go on: at the end of the queue, or with its share. False if it was not halted.
    fn resume(&mut self, slot: Slot) -> bool;

    /// Takes a job away for good.
    fn cancel(&mut self, slot: Slot);

    /// A copy to look into the future with.
    fn fork(&self) -> Box<dyn Allocation>;
}
