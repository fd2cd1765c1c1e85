//! Cluster scenarios to start from, each commented.

use crate::Template;

/// All of them.
pub const CLUSTER_TEMPLATES: [Template; 3] = [
    Template {
        name: "beosim-100",
        title: "100 nodes, random jobs of 1 to 100 nodes (Beosim, largest test)",
        text: include_str!("../../templates/beosim-100.toml"),
    },
    Template {
        name: "beosim-grid",
        title: "four clusters, jobs spread over them at a penalty (Beosim)",
        text: include_str!("../../templates/beosim-grid.toml"),
    },
    Template {
        name: "swf-kth",
        title: "a year of the IBM SP2 in Stockholm, from its log (Parallel Workloads Archive)",
        text: include_str!("../../templates/swf-kth.toml"),
    },
];
