//! Simulator of clusters with parallel jobs.
//!
//! ```text
//! source ──► simulation ──► pool: queue, nodes, running jobs ──► statistics
//!               ▲   │           ▲ starts, suspends                  observer
//!     engine ───┘   └─ pass ─► queue_policy: order, scan, backfill, …
//! ```
//!
//! Reimplements Beosim (Jones and Pang 2003): rigid jobs occupy whole nodes of a grid of clusters
//! exclusively, from one queue or from one queue per cluster; a job runs at the speed of its
//! slowest node. Additions are EASY and conservative backfilling, jobs distributed over clusters
//! with a penalty, and moldable jobs.
//!
//! It uses the same event engine as `gridsat-grid`, where a job uses one PE and PEs may be shared.
//! Times are whole ticks. Memory depends on the number of jobs in the system, not on the total
//! number.
//!
//! Not modelled: networks, several queues for one cluster.
//!
//! Depends on `gridsat-engine`, `gridsat-model`, `gridsat-statistics` and `gridsat-workload`.

mod error;
mod exact;
mod failure;
mod grid;
mod happening;
mod job;
mod pool;
mod queue_policy;
mod reservation;
mod run;
mod setup;
mod simulation;
mod speed;
mod speedup;
pub mod statistics;
mod terms;
pub mod view;

pub use error::ClusterError;
pub use failure::{FailureCounts, Failures, OnFailure, Outage, Outages};
pub use grid::{ClusterId, ClusterSpec, NodeGroup, NodeShare, Penalty};
pub use gridsat_engine::Observer;
pub use happening::{ClusterEvents, Happening, JobRecord, Outcome};
pub use job::{Components, ParallelJob, Request, Source, SourceError, source};
pub use pool::NodeChoice;
pub use queue_policy::{
    QueueChoice, QueueOrder, QueuePolicy, QueueRule, QueueView, Rule, WaitingJob,
};
pub use reservation::{ReservationSpec, ReservationState, ReservationSummary};
pub use run::Run;
pub use setup::{Overrun, SchedulerSpec, Setup};
pub use simulation::simulate;
pub use speed::Speed;
pub use speedup::{Moldable, Speedup, SpeedupError};
pub use statistics::{ClusterSummary, Summary};
pub use terms::{TermCounts, Terms};
