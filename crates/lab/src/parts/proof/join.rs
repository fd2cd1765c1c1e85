//! Puts the lists of all parts in the places of their cases.

use gridsat_exact::sat::SolverChoice;
use gridsat_exact::solve::{CertifyError, ProvenCase, prove_node};
use gridsat_model::certificate::Node;
use gridsat_model::{Instance, Stop, Ticks};

use super::entry::Entry;

/// What a part found.
#[derive(Clone, Debug)]
pub(in super::super) struct Found {
    /// The largest makespan that its nodes refute.
    pub(super) k: Ticks,
    /// What takes the place of each of its cases.
    pub(super) lists: Vec<Vec<Entry>>,
}

/// A tree with the k for which each entry was made.
pub(super) type Tree = Vec<(Ticks, Entry)>;

/// Replaces each open case, in order, by the list of its part.
pub(super) fn substituted(tree: Tree, parts: &mut [Found]) -> Tree {
    let mut whole = Vec::with_capacity(tree.len());
    let mut case = 0;
    let count = parts.len();
    for (k, entry) in tree {
        match entry {
            Entry::Node(_) => whole.push((k, entry)),
            Entry::Open(_) => {
                let Found { k, lists } = &mut parts[case % count];
                let list = std::mem::take(&mut lists[case / count]);
                whole.extend(list.into_iter().map(|entry| (*k, entry)));
                case += 1;
            }
        }
    }
    whole
}

/// The nodes of a tree without open cases, with the refutations that were made for another k
/// repeated.
pub(super) fn proven(
    instance: &Instance,
    k: Ticks,
    tree: Tree,
    stop: &Stop,
) -> Result<Vec<Node<ProvenCase>>, CertifyError> {
    let again = |(made_for, entry): (Ticks, Entry)| match entry {
        Entry::Node(Node::Unsat(case)) if made_for != k => {
            let node = Node::Unsat(case.into_open());
            prove_node(instance, k, node, &SolverChoice::Varisat, stop)
        }
        Entry::Node(node) => Ok(node),
        Entry::Open(_) => Err(CertifyError::Stopped),
    };
    tree.into_iter().map(again).collect()
}
