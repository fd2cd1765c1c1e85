//! A proof by cases, as a list of nodes.

use serde::{Deserialize, Deserializer, Serialize};

/// A node of a proof by cases. Nodes are in depth-first order: a node, then everything below it. C
/// describes a case whose formula is refuted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Node<C = RefutedCase> {
    /// Removes the pairs that these prices rule out. One node follows below.
    Fix {
        /// One price per task.
        prices: Vec<u64>,
    },
    /// Two cases: the task is on the host, or it is not. Two nodes follow below, in that order.
    Branch {
        /// The task's number, from 0.
        task: u32,
        /// The host's number, from 0.
        host: u32,
    },
    /// The prices refute the case. No node below.
    Prices {
        /// One price per task.
        prices: Vec<u64>,
    },
    /// The formula of the case is unsatisfiable. No node below.
    Unsat(C),
    /// Some task has no possible host left. No node below.
    #[serde(deserialize_with = "no_fields")]
    Nowhere,
}

/// The open pairs of a case, and the refutation of its formula.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefutedCase {
    /// One price per task.
    pub prices: Vec<u64>,
    /// For each task the hosts on which the formula allows it.
    pub hosts: Vec<Vec<u32>>,
    /// Name of the LRAT file, next to the certificate.
    pub proof: String,
    /// SHA-256 of the LRAT file, in hexadecimal.
    pub proof_sha256: String,
}

impl Node {
    pub(super) fn proof_name_mut(&mut self) -> Option<&mut String> {
        if let Self::Unsat(case) = self { Some(&mut case.proof) } else { None }
    }
}

impl<C> Node<C> {
    /// The same node, with another description of a refuted case.
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

/// Rejects unknown fields, which the derived code would accept for a node without fields.
fn no_fields<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Nothing {}
    Nothing::deserialize(deserializer).map(|Nothing {}| ())
}
