//! A proof by cases, as a list.

use serde::{Deserialize, Deserializer, Serialize};

/// A node of a proof by cases. Nodes come in the order in which they are met: a node, then
/// everything below it. C is what there is for a case whose formula is refuted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Node<C = RefutedCase> {
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
    Unsat(C),
    /// Some task has no host left. Nothing below.
    #[serde(deserialize_with = "no_fields")]
    Nowhere,
}

/// What is left of a case, and the refutation of its formula.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefutedCase {
    /// One price per task.
    pub prices: Vec<u64>,
    /// For each task the hosts on which the formula allows it.
    pub hosts: Vec<Vec<u32>>,
    /// The LRAT file, beside the certificate.
    pub proof: String,
    /// Its SHA-256 in hexadecimal.
    pub proof_sha256: String,
}

impl Node {
    pub(super) fn proof_name_mut(&mut self) -> Option<&mut String> {
        if let Self::Unsat(case) = self { Some(&mut case.proof) } else { None }
    }
}

impl<C> Node<C> {
    /// The same node with something else for a refuted case.
    pub fn try_map<D, E>(self, prove: impl FnOnce(C) -> Result<D, E>) -> Result<Node<D>, E> {
        Ok(match self {
            Self::Fix { prices } => Node::Fix { prices },
            Self::Branch { task, host } => Node::Branch { task, host },
            Self::Prices { prices } => Node::Prices { prices },
            Self::Unsat(case) => Node::Unsat(prove(case)?),
            Self::Nowhere => Node::Nowhere,
        })
    }
}

/// Of a node without fields the derived code would let others pass.
fn no_fields<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Nothing {}
    Nothing::deserialize(deserializer).map(|Nothing {}| ())
}
