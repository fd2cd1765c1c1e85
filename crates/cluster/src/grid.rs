//! Clusters and their nodes. Nodes of equal speed are a group with a count: nothing here or later
//! costs work or memory per node.

use super::speed::Speed;
use gridsat_model::Ticks;

/// A cluster, by its position in the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClusterId(pub u32);

impl ClusterId {
    /// Position in tables with one entry a cluster.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Nodes of one speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeGroup {
    /// How fast each is.
    pub speed: Speed,
    /// How many.
    pub nodes: u32,
}

/// A cluster. Jobs take its groups in the order given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterSpec {
    /// Its name.
    pub name: String,
    /// Its nodes.
    pub groups: Vec<NodeGroup>,
}

impl ClusterSpec {
    /// A cluster of reference nodes.
    pub fn equal(name: impl Into<String>, nodes: u32) -> Self {
        Self { name: name.into(), groups: vec![NodeGroup { speed: Speed::ONE, nodes }] }
    }

    /// Nodes of all groups.
    pub fn nodes(&self) -> u64 {
        self.groups.iter().map(|group| u64::from(group.nodes)).sum()
    }
}

/// What a job pays for nodes outside the cluster it was submitted to: added to its run time, each
/// time it starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Penalty {
    /// Once, if any node is not local.
    pub fixed: Ticks,
    /// For each node that is not local.
    pub per_node: Ticks,
}

impl Penalty {
    /// Ticks for this many nodes that are not local.
    pub(super) fn of(self, remote: u32) -> Ticks {
        if remote == 0 {
            return Ticks(0);
        }
        self.fixed.saturating_add(Ticks(self.per_node.0.saturating_mul(u64::from(remote))))
    }
}

/// Nodes of one group that a job has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeShare {
    /// The cluster.
    pub cluster: ClusterId,
    /// Which of its groups.
    pub group: u32,
    /// How many nodes.
    pub nodes: u32,
}
