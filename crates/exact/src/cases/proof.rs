//! A proof by cases whose cases are decided in any order.

use crate::reason::OpenCase;
use gridsat_model::certificate::Node;

/// The number of a case in its proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(usize);

/// The steps of each case. Certificates list them depth first.
#[derive(Debug)]
pub(super) struct Proof {
    parts: Vec<Part>,
}

#[derive(Debug, Default)]
struct Part {
    nodes: Vec<Node<OpenCase>>,
    /// The two cases into which the last node splits this one.
    below: Option<[Place; 2]>,
}

impl Proof {
    /// The place of the root.
    pub const ROOT: Place = Place(0);

    /// A proof whose root is not decided.
    pub fn new() -> Self {
        Self { parts: vec![Part::default()] }
    }

    /// Writes down the steps that refute a case.
    pub fn refute(&mut self, place: Place, nodes: Vec<Node<OpenCase>>) {
        self.parts[place.0].nodes = nodes;
    }

    /// Writes down steps that end with a branch; returns the places of the two cases below it.
    pub fn split(&mut self, place: Place, nodes: Vec<Node<OpenCase>>) -> [Place; 2] {
        let below = [0, 1].map(|case| Place(self.parts.len() + case));
        self.parts.extend([Part::default(), Part::default()]);
        self.parts[place.0] = Part { nodes, below: Some(below) };
        below
    }

    /// All steps in the order of a certificate.
    pub fn into_nodes(mut self) -> Vec<Node<OpenCase>> {
        let mut nodes = Vec::new();
        let mut next = vec![Self::ROOT];
        while let Some(place) = next.pop() {
            let part = std::mem::take(&mut self.parts[place.0]);
            nodes.extend(part.nodes);
            next.extend(part.below.into_iter().flatten().rev());
        }
        nodes
    }
}
