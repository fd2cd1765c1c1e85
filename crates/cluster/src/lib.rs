//! Clusters with parallel jobs.
//!
//! ```text
//! source ──► simulation ──► pool: queue, nodes, running jobs ──► statistics
//!               ▲   │           ▲ starts, suspends                  observer
//!     engine ───┘   └─ pass ─► queue_policy: order, scan, backfill, …
//! ```
//!
//! Rebuilt from Beosim (Jones and Pang 2003): rigid jobs take whole nodes of a grid of clusters,
//! for themselves, from one queue or a queue for each cluster; a job is as fast as its slowest
//! node. Added are EASY and conservative backfilling, jobs spread over clusters with a penalty, and
//! moldable jobs.
//!
//! It shares the event engine with `gridsat-grid`, where a job takes one PE and PEs are shared.
//! Times are whole ticks; memory follows the jobs in the system, not those that come.
//!
//! Not here: networks, failures, advance reservations by users, several queues in front of one
//! cluster.
//!
//! May name `gridsat-engine`, `gridsat-model`, `gridsat-statistics` and `gridsat-workload`.

mod error;
mod grid;
mod happening;
mod job;
mod pool;
mod queue_policy;
mod run;
mod setup;
mod simulation;
mod speed;
mod speedup;
pub mod statistics;
pub mod view;

pub use error::ClusterError;
pub use grid::{ClusterId, ClusterSpec, NodeGroup, NodeShare, Penalty};
pub use gridsat_engine::Observer;
pub use happening::{ClusterEvents, Happening, JobRecord, Outcome};
pub use job::{Components, ParallelJob, Request, Source, SourceError, source};
pub use pool::NodeChoice;
pub use queue_policy::{QueueOrder, QueuePolicy, QueueRule, QueueView, Rule, WaitingJob};
pub use run::Run;
pub use setup::{Overrun, SchedulerSpec, Setup};
pub use simulation::simulate;
pub use speed::Speed;
pub use speedup::{Moldable, Speedup, SpeedupError};
pub use statistics::{ClusterSummary, Summary};
