//! How a resource divides its PEs among jobs. A new policy needs one file with an [`Allocation`],
//! and a variant of [`AllocationPolicy`].
//!
//! Rules for all policies:
//!
//! - A job is complete at the first tick by which it has received all its work. Jobs complete at
//!   the same tick are collected in order of submission; until it is collected, a job keeps its PE
//!   or share.
//! - A job of time 0 is complete as soon as it runs, at any speed; in a queue it waits like others.
//! - A halted job keeps its progress. When resumed, it counts as submitted again: at the end of the
//!   queue and last in order.
//! - At speed 0 jobs still arrive, start, move and leave, but only those of time 0 complete.
//! - Progress is rounded down, by less than a millionth of a tick, when shares or the speed change,
//!   but not by advancing: inspecting a resource more often does not change it.

mod agenda;
mod chain;
mod equal;
mod even;
mod floor;
mod gridsim;
mod gsim;
mod jobs;
mod least;
mod levels;
mod ordered;
mod pes;
mod policy;
mod pool;
mod ranks;
mod reserving;
mod space_shared;

pub use equal::Equal;
pub use gridsim::GridSim;
pub use gsim::GSim;
pub use ordered::{Ordered, Queue};
pub use pes::{Pes, PesError};
pub use policy::{AllocationError, AllocationPolicy};
pub use reserving::{Leftover, Released, Reserving};
pub use space_shared::SpaceShared;

use super::work::{Speed, Work};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

gridsat_engine::id! {
    /// Identifies a job in the simulation.
    JobId
}

gridsat_engine::id! {
    /// Identifies a job at one resource, from `submit` until it completes or is cancelled.
    Slot
}

/// A job that started, or started again after it was halted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Started {
    /// The job that occupies a PE, or a share of one, from now on.
    pub job: JobId,
    /// Its PE under space sharing; `None` under time sharing.
    pub pe: Option<u32>,
}

/// What a job asks for besides its work. Policies that give every job one PE or a share ignore it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Number of PEs that it needs at once.
    pub pes: u32,
    /// Its estimated time, alone on the fastest PE at full speed.
    pub believed: Ticks,
}

/// A running or queued job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Present {
    /// The job that is at the resource.
    pub job: JobId,
    /// Its slot at the resource.
    pub slot: Slot,
    /// Whether it runs; otherwise it is queued.
    pub is_running: bool,
}

/// A job that was removed because its resource failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The job that was at the resource.
    pub job: JobId,
    /// The work it had left, in terms of the fastest PE.
    pub left: Work,
    /// Whether it ran; otherwise it was queued.
    pub is_running: bool,
}

/// The PEs of a resource and their jobs.
///
/// At each time the caller first advances to it. When the time of `next_completion` is reached, it
/// calls `complete` until that returns `None`.
pub trait Allocation: Send + Sync {
    /// Advances to `now`, which must not be after `next_completion` or before the current time.
    fn advance(&mut self, now: Time);

    /// Adds a job. `time` is its run time in ticks, alone on the fastest PE at full speed.
    fn submit(&mut self, job: JobId, time: Ticks) -> Slot;

    /// Adds a job that asks for more than one PE, or whose estimate matters.
    fn submit_as(&mut self, job: JobId, time: Ticks, request: Request) -> Slot {
        let _ = request;
        self.submit(job, time)
    }

    /// Time of the next completion if nothing changes; `None` if no job completes.
    fn next_completion(&self) -> Option<Time>;

    /// Removes a job that is complete by now: the one submitted or resumed first if there are
    /// several.
    fn complete(&mut self) -> Option<JobId>;

    /// Asked when `complete` has just returned a job: false only if no other one is complete.
    fn may_complete_more(&self) -> bool {
        true
    }

    /// Calls a function with some jobs that will be complete soon, from time to time: a hint to
    /// fetch what is known about them.
    fn soon(&self, _fetch: &mut dyn FnMut(JobId)) {}

    /// Jobs that started, in order, for the caller to take away.
    fn started(&mut self) -> &mut Vec<Started>;

    /// Sets the speed of the PEs from now on.
    fn set_speed(&mut self, speed: Speed);

    /// Halts a running or queued job, which keeps its progress and frees its PE. False if it is
    /// halted already.
    fn halt(&mut self, slot: Slot) -> bool;

    /// Resumes a halted job, at the end of the queue or with its share. False if it was not halted.
    fn resume(&mut self, slot: Slot) -> bool;

    /// Removes a job; returns the work it had left, in terms of the fastest PE.
    fn cancel(&mut self, slot: Slot) -> Work;

    /// Removes all running and queued jobs; returns them in order of submission.
    fn stop_all(&mut self) -> Vec<Stopped> {
        stop_each(self)
    }

    /// Running and queued jobs, in order of submission.
    fn present(&self) -> Vec<Present>;

    /// Number of running and queued jobs, without halted ones.
    fn job_count(&self) -> usize;

    /// Number of PEs that run a job, if the policy may leave PEs idle while jobs wait.
    fn busy(&self) -> Option<u32> {
        None
    }

    /// The interface for reservations; `None` if the policy does not bind jobs to PEs.
    fn reserving(&mut self) -> Option<&mut dyn Reserving> {
        None
    }

    /// A copy, for predictions.
    fn fork(&self) -> Box<dyn Allocation>;
}

/// Cancels all running and queued jobs; returns them in order of submission.
fn stop_each<A: Allocation + ?Sized>(at: &mut A) -> Vec<Stopped> {
    let present = at.present();
    let mut stopped: Vec<Option<Stopped>> = present.iter().map(|_| None).collect();
    // Queued jobs first, so that none of them starts in place of another.
    for is_running in [false, true] {
        for (job, stopped) in present.iter().zip(&mut stopped).rev() {
            if job.is_running == is_running {
                let &Present { job, slot, is_running } = job;
                let left = at.cancel(slot);
                *stopped = Some(Stopped { job, left, is_running });
            }
        }
    }
    stopped.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests;
