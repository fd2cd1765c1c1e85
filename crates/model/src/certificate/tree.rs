//! A proof by cases, as a list.

use serde::{Deserialize, Deserializer, Serialize};

/// A node of a proof by cases. Nodes come in the order in which they are met: a node, then
/// everything below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Node {
    /// The pairs these prices rule out are gone below. One node below.
    Fix {
        /// One price a task.
        prices: Vec<u64>,
    },
    /// The task is on the host, or it is not. Two nodes below, in that order.
    Branch {
        /// The task.
        task: u32,
        /// The host.
        host: u32,
    },
    /// The prices refute what is left. Nothing below.
    Prices {
        /// One price a task.
        prices: Vec<u64>,
    },
    /// The formula of what is left has a refutation. Nothing below.
    Unsat {
        /// One price a task.
        prices: Vec<u64>,
        /// For each task the hosts on which the formula allows it.
        hosts: Vec<Vec<u32>>,
        /// The LRAT file, beside the certificate.
        proof: String,
        /// Its SHA-256 in hexadecimal.
        proof_sha256: String,
    },
    /// Some task has no host left. Nothing below.
    #[serde(deserialize_with = "no_fields")]
    Nowhere,
}

/// Of a node without fields the derived code would let others pass.
fn no_fields<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Nothing {}
    Nothing::deserialize(deserializer).map(|Nothing {}| ())
}
