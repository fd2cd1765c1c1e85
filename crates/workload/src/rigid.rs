//! Rigid jobs: a fixed number of nodes for a fixed time, as traces and models of clusters have
//! them.

use gridsat_model::Ticks;

/// A job that runs on this many nodes at once, no fewer and no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RigidJob {
    /// Its number in the trace.
    pub number: u64,
    /// When it is submitted.
    pub submit: Ticks,
    /// How many nodes it takes.
    pub nodes: u32,
    /// How long it really runs.
    pub run: Ticks,
    /// How long its user says it runs.
    pub estimate: Ticks,
    /// Its importance, for schedulers that care; 0 if nothing is known.
    pub priority: i32,
    /// Whose it is; 0 if unknown.
    pub user: u32,
}
