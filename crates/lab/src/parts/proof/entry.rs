//! Entries of an unfinished proof, as files contain them.

use gridsat_exact::cases::Piece;
use gridsat_exact::reason::OpenCase;
use gridsat_exact::sat::SolverChoice;
use gridsat_exact::solve::{CertifyError, ProvenCase, prove_node};
use gridsat_model::certificate::Node;
use gridsat_model::{Instance, Stop, Ticks};
use serde::{Deserialize, Serialize};

/// An entry of a part: a step, or a case left open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Entry {
    Node(Node<ProvenCase>),
    Open(OpenCase),
}

/// The first line of a part.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    /// The largest makespan that the nodes refute.
    pub k: Ticks,
    /// Number of lists that follow, one per line.
    pub lists: usize,
}

pub(super) fn open(entry: &Entry) -> Option<&OpenCase> {
    if let Entry::Open(case) = entry { Some(case) } else { None }
}

pub(super) fn open_of(entries: &[Entry]) -> impl Iterator<Item = &OpenCase> {
    entries.iter().filter_map(open)
}

pub(super) fn nodes_of(entries: Vec<Entry>) -> Vec<Node<ProvenCase>> {
    let node = |entry| if let Entry::Node(node) = entry { Some(node) } else { None };
    entries.into_iter().filter_map(node).collect()
}

/// The entry of a piece, with the proof of its case at k.
pub(super) fn prove(
    instance: &Instance,
    k: Ticks,
    piece: Piece,
    solver: &SolverChoice,
    stop: &Stop,
) -> Result<Entry, CertifyError> {
    Ok(match piece {
        Piece::Open(case) => Entry::Open(case),
        Piece::Node(node) => Entry::Node(prove_node(instance, k, node, solver, stop)?),
    })
}
