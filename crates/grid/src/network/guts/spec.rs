//! Description of a graph, and its possible errors.

use std::collections::{HashMap, HashSet};

use thiserror::Error;

use super::super::NodeId;
use super::super::units::{Bandwidth, Span};
use super::link::Link;
use crate::load::LocalLoad;

/// A link between two nodes, in the units of scenario files.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkSpec {
    /// Name of one end.
    pub a: String,
    /// Name of the other end.
    pub b: String,
    /// Bits per second, for both directions together.
    pub bandwidth: u64,
    /// Propagation delay in seconds.
    pub latency: f64,
    /// Largest packet in bytes.
    pub mtu: u32,
    /// Local load: how much of the bandwidth others use.
    pub load: LocalLoad,
}

impl LinkSpec {
    /// Default packet size in bytes, that of Ethernet.
    pub const DEFAULT_MTU: u32 = 1500;

    fn name(&self) -> String {
        format!("link '{}' - '{}'", self.a, self.b)
    }
}

/// Why a description is invalid.
#[derive(Clone, Debug, PartialEq, Error)]
#[allow(missing_docs, reason = "the messages say what each field is")]
pub enum GutsError {
    #[error("two nodes are called '{0}'")]
    DuplicateNode(String),
    #[error("{link}: no node is called '{node}'")]
    UnknownNode { link: String, node: String },
    #[error("{0} connects a node with itself")]
    SelfLink(String),
    #[error("{0} is listed twice")]
    DuplicateLink(String),
    #[error(
        "{link}: bandwidth is {bandwidth}, must be from 1 to {} bits per second",
        Bandwidth::MOST
    )]
    Bandwidth { link: String, bandwidth: u64 },
    #[error(
        "{link}: latency is {latency}, not a number of seconds from 0 to the largest simulated time"
    )]
    Latency { link: String, latency: f64 },
    #[error("{0}: mtu is 0, must be at least 1 byte")]
    Mtu(String),
}

/// Numbers of the nodes by name.
#[derive(Clone, Debug)]
pub(super) struct Names(HashMap<String, NodeId>);

impl Names {
    pub fn new(nodes: &[String]) -> Result<Self, GutsError> {
        let mut names = HashMap::new();
        for (name, number) in nodes.iter().zip(0..) {
            if names.insert(name.clone(), NodeId(number)).is_some() {
                return Err(GutsError::DuplicateNode(name.clone()));
            }
        }
        Ok(Self(names))
    }

    pub fn get(&self, name: &str) -> Option<NodeId> {
        self.0.get(name).copied()
    }
}

/// Reads links and remembers which pairs of nodes are connected.
pub(super) struct Reader<'a> {
    pub names: &'a Names,
    pub second: Span,
    pub pairs: HashSet<[NodeId; 2]>,
}

impl Reader<'_> {
    /// The link and its ends, the lower-numbered first.
    pub fn read(&mut self, spec: &LinkSpec) -> Result<([NodeId; 2], Link), GutsError> {
        let ends = self.ends(spec)?;
        if !self.pairs.insert(ends) {
            return Err(GutsError::DuplicateLink(spec.name()));
        }
        Ok((ends, self.link(spec)?))
    }

    fn ends(&self, spec: &LinkSpec) -> Result<[NodeId; 2], GutsError> {
        let node = |node: &String| {
            let unknown = || GutsError::UnknownNode { link: spec.name(), node: node.clone() };
            self.names.get(node).ok_or_else(unknown)
        };
        let (a, b) = (node(&spec.a)?, node(&spec.b)?);
        if a == b { Err(GutsError::SelfLink(spec.name())) } else { Ok([a.min(b), a.max(b)]) }
    }

    fn link(&self, spec: &LinkSpec) -> Result<Link, GutsError> {
        let &LinkSpec { bandwidth, latency, mtu, .. } = spec;
        let capacity = Bandwidth::of(bandwidth)
            .ok_or_else(|| GutsError::Bandwidth { link: spec.name(), bandwidth })?;
        let delay = Span::of_seconds(latency, self.second)
            .ok_or_else(|| GutsError::Latency { link: spec.name(), latency })?;
        if mtu == 0 {
            return Err(GutsError::Mtu(spec.name()));
        }
        Ok(Link { capacity, delay, mtu, reserved: 0, transfers: 0, load: 0, set_aside: 0 })
    }
}
