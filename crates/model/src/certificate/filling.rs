//! A proof for hosts that are equal or differ in speed, which fills one host after the other, as a
//! list of nodes.

use serde::{Deserialize, Serialize};

/// A node of a proof by fillings. A case is the tasks and the number of hosts of each room left.
/// Times are works, in a unit that is the same on all hosts. Nodes are in
/// depth-first order: a node, then everything below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "kebab-case", deny_unknown_fields)]
pub enum FillingNode {
    /// The longest task left, which fits one room only, shares a host with the one task, if any,
    /// that takes as long as any set of tasks left that fits beside it. This many hosts are filled
    /// in this way, one after the other. One node follows below.
    Forced {
        /// The number of hosts that are filled.
        hosts: u32,
    },
    /// The longest task left shares a host with one of the sets of tasks that these prices leave,
    /// and that cannot be made longer by adding or exchanging a task. One node per set follows
    /// below.
    Branch {
        /// One price per distinct time of the tasks left, longest time first.
        prices: Vec<u64>,
        /// The numbers of the sets, from 0, in the order of the nodes below. Sets are numbered by
        /// room, largest first, then in lexicographic order of their times, longest first.
        order: Vec<u32>,
    },
    /// The prices refute the case. No node below.
    Prices {
        /// One price per distinct time of the tasks left, longest time first.
        prices: Vec<u64>,
    },
    /// The tasks left take longer than all hosts left have room for. No node below.
    Work {},
    /// A case with the same tasks left and at least as many hosts had a node before. No node below.
    Seen {},
}
