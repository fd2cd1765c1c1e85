//! PEs set aside for a reservation.
//!
//! While a reservation is active its PEs run its own jobs and no others, first come first served,
//! and are idle if there are none. To get them it takes idle PEs, the fastest first, then those of
//! the jobs that began last. These jobs are suspended: they keep their progress and get the next
//! PEs that become free, before all that are queued, in the order in which they had begun.
//!
//! When it ends, its unfinished jobs lose their PEs and are jobs like any other, at the head of the
//! queue: behind those that had to give way.
//!
//! Nothing starts on PEs that come and go this way until [`Reserving::fill`] is called, so that
//! several reservations can end and begin at one moment without jobs that start for nothing.

use super::{JobId, Slot};
use crate::work::Work;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::ReservationId;

/// A job that lost its reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leftover {
    /// Which job.
    pub job: JobId,
    /// What it has left, as work of the fastest PE.
    pub left: Work,
    /// Whether it ran.
    pub was_running: bool,
}

/// What a reservation leaves behind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Released {
    /// Its unfinished jobs but for halted ones, in their new order in the queue.
    pub jobs: Vec<Leftover>,
    /// Their place in the queue: this many suspended jobs are before them.
    pub behind: usize,
    /// PE time that its jobs used; `None` if it never had PEs.
    pub used: Option<u128>,
}

/// PEs that can be set aside. As with [`Allocation`](super::Allocation), the caller advances to the
/// present and takes away what is done before anything else.
pub trait Reserving {
    /// A reservation gets PEs, as many as asked for, until it is released; expected at `until`.
    /// Gives the jobs that are suspended for it, the one that began last first.
    fn reserve(&mut self, reservation: ReservationId, pes: u32, until: Time) -> Vec<JobId>;

    /// A reservation is over, or will never get its PEs.
    fn release(&mut self, reservation: ReservationId) -> Released;

    /// Idle PEs get jobs again.
    fn fill(&mut self);

    /// A new job of a reservation that is not over.
    fn submit_to(&mut self, reservation: ReservationId, job: JobId, time: Ticks) -> Slot;

    /// Whether a job belongs to a reservation.
    fn is_reserved(&self, slot: Slot) -> bool;

    /// PEs that run a job.
    fn at_work(&self) -> u32;

    /// Whether a job without a reservation would start at once.
    fn has_room(&self) -> bool;

    /// PE time that the jobs of a reservation have used so far.
    fn used(&self, reservation: ReservationId) -> u128;

    /// The reservation that is expected to be over first, and when.
    fn next_release(&self) -> Option<(Time, ReservationId)>;
}
