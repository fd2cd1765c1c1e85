//! Failures: when a resource is down, and what happens to its jobs then.
//!
//! ```text
//! Availability: changes (list or trace), renewal ──► AvailabilityProcess ──► down, up, capacity
//! OnFailure ──► Recovery: what a job keeps, and where it goes ──► Stint: progress, lost, overhead
//! ```
//!
//! Availability does not depend on jobs or schedulers, and every resource has a separate random
//! stream: different schedulers face the same failures. Random failures and lost jobs follow DSiDE
//! (Chtepen et al. 2006); restarts, checkpoints and migration are future work there.
//!
//! Not modelled: failures of single PEs, correlated failures of several resources, and schedulers
//! that predict failures.

mod availability;
mod recovery;
mod renewal;
mod stint;
mod trace;

pub use availability::{Availability, AvailabilityProcess, Change, Changes, ChangesError};
pub use recovery::{AlsoLost, Failures, Goes, Keeps, OnFailure};
pub use renewal::{Intervals, Renewal};
pub use stint::{Checkpoints, Stint, Taken};
pub use trace::{TraceError, read_trace};
