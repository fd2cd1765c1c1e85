//! PEs set aside for a reservation.
//!
//! While a reservation is active its PEs run only its jobs, first come, first served, and are idle
//! if there are none. It takes idle PEs, the fastest first, then the PEs of the jobs that started
//! last. These jobs are suspended: they keep their progress and get the next free PEs, before all
//! queued jobs, in the order in which they had started.
//!
//! When it ends, its unfinished jobs lose their PEs and become ordinary jobs at the head of the
//! queue, behind suspended jobs.
//!
//! Nothing starts on PEs that become free this way until [`Reserving::fill`] is called, so that
//! several reservations can end and begin at the same time without starting jobs that would be
//! suspended at once.

use super::{JobId, Request, Slot};
use crate::work::Work;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::ReservationId;

/// An unfinished job whose reservation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leftover {
    /// The job that did not finish in time.
    pub job: JobId,
    /// Work it has left, in terms of the fastest PE.
    pub left: Work,
    /// Whether it was running.
    pub was_running: bool,
}

/// What a reservation leaves when it ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Released {
    /// Its unfinished jobs except halted ones, in their new order in the queue.
    pub jobs: Vec<Leftover>,
    /// Their position in the queue: suspended jobs on this many PEs come before them.
    pub behind: usize,
    /// PE time that its jobs used; `None` if it never had PEs.
    pub used: Option<u128>,
}

/// PE time that the jobs of a reservation use.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Usage {
    /// Number of PEs in use.
    running: u32,
    since: Time,
    used: u128,
}

impl Usage {
    /// Nothing used from now on.
    pub fn begin(now: Time) -> Self {
        Self { running: 0, since: now, used: 0 }
    }

    /// A job starts on this many PEs.
    pub fn start(&mut self, pes: u32, now: Time) {
        *self = Self { running: self.running + pes, since: now, used: self.by(now) };
    }

    /// A job leaves this many PEs.
    pub fn stop(&mut self, pes: u32, now: Time) {
        *self = Self { running: self.running - pes, since: now, used: self.by(now) };
    }

    /// PE time used so far.
    pub fn by(&self, now: Time) -> u128 {
        self.used + u128::from(now - self.since) * u128::from(self.running)
    }
}

/// A resource whose PEs can be reserved. As with [`Allocation`](super::Allocation), the caller
/// first advances to the current time and collects complete jobs.
pub trait Reserving {
    /// Gives this many PEs to a reservation until it is released, which is expected at `until`.
    /// Returns the jobs that are suspended for it, the one that started last first.
    fn reserve(&mut self, reservation: ReservationId, pes: u32, until: Time) -> Vec<JobId>;

    /// Ends a reservation, also one that never got its PEs.
    fn release(&mut self, reservation: ReservationId) -> Released;

    /// Starts jobs on idle PEs.
    fn fill(&mut self);

    /// Adds a job of a reservation that has not ended.
    fn submit_to(
        &mut self,
        reservation: ReservationId,
        job: JobId,
        time: Ticks,
        request: Request,
    ) -> Slot;

    /// Whether a job belongs to a reservation.
    fn is_reserved(&self, slot: Slot) -> bool;

    /// Number of PEs that run a job.
    fn at_work(&self) -> u32;

    /// Whether a job without a reservation would start at once.
    fn has_room(&self) -> bool;

    /// PE time that the jobs of a reservation have used so far.
    fn used(&self, reservation: ReservationId) -> u128;

    /// Running jobs without a reservation, in the order in which they started.
    fn by_start(&self) -> Vec<JobId>;

    /// The reservation with the earliest expected end, and that time.
    fn next_release(&self) -> Option<(Time, ReservationId)>;
}
