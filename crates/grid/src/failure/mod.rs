//! Failures: when a resource is there, and what becomes of jobs when it goes.
//!
//! ```text
//! Availability: changes (list or trace), renewal ──► AvailabilityProcess ──► down, up, capacity
//! OnFailure ──► Recovery: what a job keeps, and where it goes ──► Stint: progress, lost, overhead
//! ```
//!
//! Availability depends on nothing that jobs or schedulers do, and every resource has a random
//! stream of its own: different schedulers meet the same failures. DSiDE (Chtepen et al. 2006) is
//! the source of the renewals and of jobs that are lost; restarts, checkpoints and migration are
//! what it leaves for later.
//!
//! Not here: failures of single PEs, failures that hit several resources at once, and schedulers
//! that foresee failures.

mod availability;
mod recovery;
mod renewal;
mod stint;
mod trace;

pub use availability::{Availability, AvailabilityProcess, Change, Changes, ChangesError};
pub use recovery::{Failures, Goes, Keeps, OnFailure};
pub use renewal::{Intervals, Renewal};
pub use stint::{Checkpoints, Stint, Taken};
pub use trace::{TraceError, read_trace};
