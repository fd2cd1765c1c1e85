//! Failures of nodes, and what is counted of them.
//!
//! An outage takes some nodes of a cluster out of service, each node that is up with equal
//! probability, until they are repaired. A job that loses a node loses all its nodes; what becomes
//! of its work is a rule for all jobs. Policies do not know when nodes will fail, but from then on
//! when they will be repaired.

use super::grid::ClusterId;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// Nodes of a cluster that fail together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// When they fail.
    pub at: Time,
    /// Their cluster.
    pub cluster: ClusterId,
    /// Number of nodes; all that are up if there are not so many.
    pub nodes: u32,
    /// Ticks until they are repaired, at least one.
    pub repair: Ticks,
}

/// Outages in order of time, read one by one.
pub type Outages = Box<dyn Iterator<Item = Outage> + Send>;

/// What happens to a job that loses a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnFailure {
    /// It is lost.
    Lost,
    /// It returns to its place in the queue and starts again from the beginning.
    #[default]
    Restart,
    /// It returns with its work up to a multiple of this many ticks of run time on reference nodes.
    Checkpoint {
        /// Ticks between two checkpoints, at least one; they cost nothing.
        every: Ticks,
    },
    /// It returns with all its work.
    Continue,
}

/// All failures of a simulation.
pub struct Failures {
    /// When nodes fail, and for how long.
    pub outages: Outages,
    /// What happens to their jobs.
    pub on_failure: OnFailure,
    /// Seed of the choice of nodes.
    pub seed: u64,
}

/// Failures of the nodes of a cluster, and of the jobs submitted to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FailureCounts {
    /// Number of nodes that failed, each time.
    pub failed: u64,
    /// Time for which they were down, in nodes × ticks.
    pub down: u128,
    /// Number of times a job lost its nodes and returned to the queue.
    pub interrupted: u64,
    /// Jobs that were lost.
    pub lost: u64,
    /// Work that was done in vain: nodes × ticks on reference nodes.
    pub lost_work: u128,
}

impl FailureCounts {
    /// Whether any node failed.
    pub fn is_used(&self) -> bool {
        self.failed > 0
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.failed += other.failed;
        self.down += other.down;
        self.interrupted += other.interrupted;
        self.lost += other.lost;
        self.lost_work += other.lost_work;
    }
}
