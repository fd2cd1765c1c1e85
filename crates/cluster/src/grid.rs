//! Clusters and their nodes. Nodes of equal speed form a group with a count, so that neither time
//! nor memory depends on the number of nodes.

use super::speed::Speed;
use gridsat_model::Ticks;

/// Identifies a cluster by its position in the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClusterId(pub u32);

impl ClusterId {
    /// Position in tables with one entry per cluster.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Nodes of equal speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeGroup {
    /// Speed of each node.
    pub speed: Speed,
    /// Number of nodes.
    pub nodes: u32,
}

/// A cluster. Jobs use its groups in the order given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterSpec {
    /// Name of the cluster.
    pub name: String,
    /// Its nodes, by group.
    pub groups: Vec<NodeGroup>,
    /// Index of its network, by which the migration costs of jobs are divided.
    pub network: Speed,
}

impl ClusterSpec {
    /// A cluster with these groups and a network of index 1.
    pub fn new(name: impl Into<String>, groups: Vec<NodeGroup>) -> Self {
        Self { name: name.into(), groups, network: Speed::ONE }
    }

    /// A cluster of reference nodes.
    pub fn equal(name: impl Into<String>, nodes: u32) -> Self {
        Self::new(name, vec![NodeGroup { speed: Speed::ONE, nodes }])
    }

    /// Number of nodes in all groups.
    pub fn nodes(&self) -> u64 {
        self.groups.iter().map(|group| u64::from(group.nodes)).sum()
    }
}

/// The cost of nodes outside the cluster a job was submitted to, in ticks that are added to its run
/// time at each start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Penalty {
    /// Added once if any node is not local.
    pub fixed: Ticks,
    /// Added for each node that is not local.
    pub per_node: Ticks,
}

impl Penalty {
    /// Ticks added for this many nodes that are not local.
    pub(super) fn of(self, remote: u32) -> Ticks {
        if remote == 0 {
            return Ticks(0);
        }
        self.fixed.saturating_add(Ticks(self.per_node.0.saturating_mul(u64::from(remote))))
    }
}

/// Nodes of one group that a job occupies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeShare {
    /// The cluster of the nodes.
    pub cluster: ClusterId,
    /// Index of the group in the cluster.
    pub group: u32,
    /// Number of nodes.
    pub nodes: u32,
}
