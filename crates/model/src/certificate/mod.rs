//! Certificates: a mapping and the proof of its lower bound, written by `solve`, checked by
//! `verify`.
//!
//! Data only. `docs/certificates.md` describes the format and the mathematics.

mod digest;
mod filling;
mod tree;

use serde::{Deserialize, Serialize};

pub use digest::{Hashing, instance_digest, sha256_hex};
pub use filling::FillingNode;
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
    /// The version of gridsat that wrote the certificate.
    pub gridsat: String,
    /// The instance it applies to.
    pub instance: InstanceRef,
    /// Makespan of the mapping, in ticks.
    pub makespan: Ticks,
    /// No mapping has a makespan below this, in ticks.
    pub lower_bound: Ticks,
    /// The number of each task's host, from 0.
    pub mapping: Vec<u32>,
    /// The proof; the last step must refute `lower_bound − 1`. Empty only if `lower_bound` is 0.
    pub steps: Vec<Step>,
}

impl Document {
    /// A certificate that states this mapping and these steps; nothing is checked.
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
                parts: instance.scale().parts(),
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

/// The instance to which a certificate applies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstanceRef {
    /// The instance's name, for people; not checked.
    pub name: String,
    /// Number of tasks.
    pub tasks: usize,
    /// Number of hosts.
    pub hosts: usize,
    /// Decimal places of a tick: one time unit is `parts · 10^decimals` ticks.
    pub decimals: u32,
    /// More than 1 if times are no decimal numbers, such as 10/3.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub parts: u64,
    /// Whether times in the file were rounded up to that many decimals. A reader must round the
    /// same way; the digest shows whether it did.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rounded: bool,
    /// [`instance_digest`] in hexadecimal.
    pub sha256: String,
}

fn one() -> u64 {
    1
}

fn is_one(number: &u64) -> bool {
    *number == 1
}

/// One reason why no mapping has makespan ≤ k.
///
/// F describes a refuted formula and C a refuted case: in a certificate with their proofs, before
/// that as the questions still to be proven.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Step<F = RefutedFormula, C = RefutedCase> {
    /// This host is ready only after k.
    Ready {
        /// The refuted makespan, in ticks.
        k: Ticks,
        /// The host's number, from 0.
        host: u32,
    },
    /// This task ends after k on every host, even alone.
    LongestTask {
        /// The refuted makespan, in ticks.
        k: Ticks,
        /// The task's number, from 0.
        task: u32,
    },
    /// Host weights w with `Σ_t min_h w_h·p_th > Σ_h w_h·(k − ready_h)`, without the pairs
    /// that do not end by k. With all weights 1 this is the average-load bound; the best weights
    /// give the LP bound.
    Weights {
        /// The refuted makespan, in ticks.
        k: Ticks,
        /// One weight per host.
        weights: Vec<u64>,
    },
    /// All hosts are equal, and some of them get more of the longest tasks than they can hold. Of
    /// the `tasks` longest tasks, the `hosts` hosts with most of them have at least
    /// `q = hosts·⌊tasks / m⌋ + min(hosts, tasks mod m)`; the q shortest of these tasks take longer
    /// than `hosts` times the room of a host.
    Part {
        /// The refuted makespan, in ticks.
        k: Ticks,
        /// The number of hosts of the part.
        hosts: u32,
        /// The number of longest tasks.
        tasks: u32,
        /// Whether the room of a host is the largest sum of times of some of these tasks that ends
        /// by k, instead of all time until k.
        sums: bool,
    },
    /// Task prices u with `Σ u > Σ_h KP_h`, where `KP_h` is the largest total price of tasks that
    /// together fit host h by k.
    Prices {
        /// The refuted makespan, in ticks.
        k: Ticks,
        /// One price per task.
        prices: Vec<u64>,
    },
    /// Hosts, equal or of several speeds, are filled one after the other in all ways that matter.
    Fillings {
        /// The refuted makespan, in ticks.
        k: Ticks,
        /// The nodes of the tree, in depth-first order.
        nodes: Vec<FillingNode>,
    },
    /// A proof by cases, each of which is refuted.
    Tree {
        /// The refuted makespan, in ticks.
        k: Ticks,
        /// The nodes of the tree, in depth-first order.
        nodes: Vec<Node<C>>,
    },
    /// A formula of all mappings with makespan ≤ k that is unsatisfiable.
    Unsat(F),
}

/// A formula of all mappings with makespan ≤ k, and its refutation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefutedFormula {
    /// The refuted makespan, in ticks.
    pub k: Ticks,
    /// Name of the encoding of the loads.
    pub encoding: String,
    /// Name of the at-most-one encoding.
    pub at_most_one: String,
    /// Whether symmetries are broken: equal tasks and equal hosts are put in order.
    pub symmetry: bool,
    /// Weights of the implied constraint over all hosts; empty if it is not in the formula.
    pub surrogate: Vec<u64>,
    /// Task prices of the encoding `window`; empty in all others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prices: Vec<u64>,
    /// Name of the LRAT file, next to the certificate.
    pub proof: String,
    /// SHA-256 of the LRAT file, in hexadecimal.
    pub proof_sha256: String,
}

/// A formula that no mapping with makespan ≤ k satisfies.
pub trait Refutes {
    /// The refuted makespan, in ticks.
    fn k(&self) -> Ticks;
}

impl Refutes for RefutedFormula {
    fn k(&self) -> Ticks {
        self.k
    }
}

impl<F: Refutes, C> Step<F, C> {
    /// The makespan that this step refutes, in ticks.
    pub fn k(&self) -> Ticks {
        match self {
            Self::Ready { k, .. }
            | Self::LongestTask { k, .. }
            | Self::Weights { k, .. }
            | Self::Part { k, .. }
            | Self::Prices { k, .. }
            | Self::Fillings { k, .. }
            | Self::Tree { k, .. } => *k,
            Self::Unsat(formula) => formula.k(),
        }
    }
}

impl<F, C> Step<F, C> {
    /// The names of each rule: in certificates and JSON, and in tables and progress lines. The
    /// first is part of the file format.
    fn names(&self) -> (&'static str, &'static str) {
        match self {
            Self::Ready { .. } => ("ready", "ready time"),
            Self::LongestTask { .. } => ("longest-task", "longest task"),
            Self::Weights { .. } => ("weights", "host weights"),
            Self::Part { .. } => ("part", "part of the hosts"),
            Self::Prices { .. } => ("prices", "task prices"),
            Self::Fillings { .. } => ("fillings", "fillings of hosts"),
            Self::Tree { .. } => ("tree", "branch-and-bound tree"),
            Self::Unsat(_) => ("unsat", "SAT refutation"),
        }
    }

    /// The rule's name in certificates and JSON, such as `longest-task`.
    pub fn rule(&self) -> &'static str {
        self.names().0
    }

    /// The kind of reason, in words.
    pub fn title(&self) -> &'static str {
        self.names().1
    }

    /// Whether the step needs the refutation of a formula.
    pub fn needs_sat(&self) -> bool {
        match self {
            Self::Unsat(_) => true,
            Self::Tree { nodes, .. } => nodes.iter().any(|node| matches!(node, Node::Unsat(_))),
            _ => false,
        }
    }
}
