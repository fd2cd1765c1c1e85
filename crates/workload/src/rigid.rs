//! Rigid jobs: a fixed number of nodes for a fixed time, as in traces and models of clusters.

use gridsat_model::Ticks;

/// A job that occupies a fixed number of nodes for its whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RigidJob {
    /// Job number in the trace.
    pub number: u64,
    /// Submission time in ticks.
    pub submit: Ticks,
    /// Number of nodes it occupies.
    pub nodes: u32,
    /// True run time in ticks.
    pub run: Ticks,
    /// Run time estimated by the user, in ticks.
    pub estimate: Ticks,
    /// Priority for schedulers that use it; 0 if unknown.
    pub priority: i32,
    /// User number; 0 if unknown.
    pub user: u32,
}
