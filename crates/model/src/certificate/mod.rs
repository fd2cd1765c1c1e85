//! What `solve` hands over and `verify` checks: a mapping and the reason nothing shorter exists.
//!
//! Data only. The format and the mathematics are in `docs/certificates.md`.

mod digest;
mod tree;

use serde::{Deserialize, Serialize};

pub use digest::{Hashing, instance_digest, sha256_hex};
pub use tree::{Node, RefutedCase};

use crate::{Instance, Mapping, Ticks};

/// The `format` field of every certificate.
pub const FORMAT: &str = "gridsat-certificate";

/// The `version` field of certificates this program writes and reads.
pub const FORMAT_VERSION: u32 = 1;

/// A mapping with makespan `makespan` and a proof that none is below `lower_bound`. All times are
/// in ticks; the mapping is optimal when the two are equal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    /// Always [`FORMAT`].
    pub format: String,
    /// Always [`FORMAT_VERSION`].
    pub version: u32,
    /// The version of the program that wrote it.
    pub gridsat: String,
    /// The instance it speaks of.
    pub instance: InstanceRef,
    /// Makespan of the mapping.
    pub makespan: Ticks,
    /// No mapping has a makespan below this.
    pub lower_bound: Ticks,
    /// The host of each task, from 0.
    pub mapping: Vec<u32>,
    /// Why; the last step must refute `lower_bound − 1`. Empty only if `lower_bound` is 0.
    pub steps: Vec<Step>,
}

impl Document {
    /// States that the mapping is one of the instance, and that the steps prove the lower bound.
    pub fn new(
        instance: &Instance,
        mapping: &Mapping,
        lower_bound: Ticks,
        steps: Vec<Step>,
    ) -> Self {
        Self {
            format: FORMAT.to_owned(),
            version: FORMAT_VERSION,
            gridsat: crate::VERSION.to_owned(),
            instance: InstanceRef {
                name: instance.name().to_owned(),
                tasks: instance.task_count(),
                hosts: instance.host_count(),
                decimals: instance.scale().decimals(),
                rounded: instance.is_rounded(),
                sha256: instance_digest(instance),
            },
            makespan: mapping.makespan(),
            lower_bound,
            mapping: mapping.hosts().iter().map(|host| host.0).collect(),
            steps,
        }
    }

    /// The names of all proof files.
    pub fn proof_names_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.steps.iter_mut().flat_map(|step| match step {
            Step::Unsat(formula) => vec![&mut formula.proof],
            Step::Tree { nodes, .. } => nodes.iter_mut().filter_map(Node::proof_name_mut).collect(),
            _ => Vec::new(),
        })
    }
}

/// Which instance a certificate speaks of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstanceRef {
    /// Its name, for people.
    pub name: String,
    /// Number of tasks.
    pub tasks: usize,
    /// Number of hosts.
    pub hosts: usize,
    /// Decimal places of a tick.
    pub decimals: u32,
    /// Whether the times in the file were rounded up to that many decimals. A reader does the same;
    /// the digest decides.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rounded: bool,
    /// [`instance_digest`] in hexadecimal.
    pub sha256: String,
}

/// One reason why no mapping has makespan ≤ k.
///
/// F is what it has for a refuted formula, C for a refuted case: in a certificate their proofs,
/// before that the questions to prove.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Step<F = RefutedFormula, C = RefutedCase> {
    /// This host is not even ready by k.
    Ready {
        /// The bound refuted.
        k: Ticks,
        /// The host.
        host: u32,
    },
    /// This task ends after k on every host, even alone.
    LongestTask {
        /// The bound refuted.
        k: Ticks,
        /// The task.
        task: u32,
    },
    /// Host weights w with `Σ_t min_h w_h·p_th > Σ_h w_h·(k − ready_h)`, pairs that do not fit k
    /// dropped. With all weights 1 this is the average-load bound; the best weights give the LP
    /// bound.
    Weights {
        /// The bound refuted.
        k: Ticks,
        /// One weight a host.
        weights: Vec<u64>,
    },
    /// Task prices u with `Σ u > Σ_h KP_h`, where `KP_h` is the largest total price of tasks that
    /// fit host h by k together.
    Prices {
        /// The bound refuted.
        k: Ticks,
        /// One price a task.
        prices: Vec<u64>,
    },
    /// Cases, each of them refuted.
    Tree {
        /// The bound refuted.
        k: Ticks,
        /// The proof.
        nodes: Vec<Node<C>>,
    },
    /// The formula has a refutation.
    Unsat(F),
}

/// A formula of all mappings with makespan ≤ k, and its refutation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefutedFormula {
    /// The bound refuted.
    pub k: Ticks,
    /// Encoding of the loads, by name.
    pub encoding: String,
    /// Encoding of at-most-one, by name.
    pub at_most_one: String,
    /// Whether equal tasks and hosts are put in order.
    pub symmetry: bool,
    /// Weights of the implied constraint over all hosts; empty if it is not in the formula.
    pub surrogate: Vec<u64>,
    /// The LRAT file, beside the certificate.
    pub proof: String,
    /// Its SHA-256 in hexadecimal.
    pub proof_sha256: String,
}

/// A formula that no mapping with makespan ≤ k satisfies.
pub trait Refutes {
    /// The bound refuted.
    fn k(&self) -> Ticks;
}

impl Refutes for RefutedFormula {
    fn k(&self) -> Ticks {
        self.k
    }
}

impl<F: Refutes, C> Step<F, C> {
    /// The bound this step refutes.
    pub fn k(&self) -> Ticks {
        match self {
            Self::Ready { k, .. }
            | Self::LongestTask { k, .. }
            | Self::Weights { k, .. }
            | Self::Prices { k, .. }
            | Self::Tree { k, .. } => *k,
            Self::Unsat(formula) => formula.k(),
        }
    }
}

impl<F, C> Step<F, C> {
    /// The rule's name, as in the file.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::Ready { .. } => "ready",
            Self::LongestTask { .. } => "longest-task",
            Self::Weights { .. } => "weights",
            Self::Prices { .. } => "prices",
            Self::Tree { .. } => "tree",
            Self::Unsat(_) => "unsat",
        }
    }

    /// What kind of reason it is, in words.
    pub fn title(&self) -> &'static str {
        match self {
            Self::Ready { .. } => "a ready time",
            Self::LongestTask { .. } => "the longest task",
            Self::Weights { .. } => "host weights",
            Self::Prices { .. } => "task prices",
            Self::Tree { .. } => "cases by task prices",
            Self::Unsat(_) => "a SAT refutation",
        }
    }

    /// Whether a formula must be refuted for it.
    pub fn needs_sat(&self) -> bool {
        match self {
            Self::Unsat(_) => true,
            Self::Tree { nodes, .. } => nodes.iter().any(|node| matches!(node, Node::Unsat(_))),
            _ => false,
        }
    }
}
