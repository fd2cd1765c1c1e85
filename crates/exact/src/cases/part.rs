//! Part of a proof by cases: one case decided apart from all others, as far as it gets.
//!
//! A case is passed on as its possible pairs and its prices ([`OpenCase`]), which is all that a
//! visit needs. What comes back is a list in the order of a certificate in which some cases may be
//! left open. Since a list in that order is a tree, putting a list in the place of its open case
//! gives the list of the whole.

use super::case::{Case, End};
use super::sat::CaseSolver;
use crate::reason::OpenCase;
use crate::sat::SolverChoice;
use gridsat_model::certificate::Node;
use gridsat_model::{Instance, Mapping, Stop, Ticks};

/// An entry of an unfinished proof, in the order of a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A step.
    Node(Node<OpenCase>),
    /// A case that is not decided.
    Open(OpenCase),
}

/// How far a case was explored.
#[derive(Debug)]
pub struct Explored {
    /// What takes the place of the case.
    pub pieces: Vec<Piece>,
    /// A mapping with makespan ≤ k, if one was found; then cases are left open.
    pub mapping: Option<Mapping>,
    /// Number of cases visited.
    pub visited: usize,
}

/// The case of all mappings, with prices to begin with.
pub fn whole(instance: &Instance, prices: Vec<u64>) -> OpenCase {
    let hosts = |task| instance.times(task).map(|(host, _)| host.0).collect();
    OpenCase { prices, hosts: instance.tasks().map(hosts).collect() }
}

/// Visits at most this many cases of makespan ≤ k, depth first, from a case that is open. `None`
/// if a stop was requested. The same case and number give the same pieces.
pub fn explore(
    instance: &Instance,
    k: Ticks,
    case: &OpenCase,
    most: usize,
    (solver, stop): (&SolverChoice, &Stop),
) -> Option<Explored> {
    let solver = CaseSolver::new(solver.clone(), stop.clone());
    let mut open = vec![Case::restored(instance, k, case)];
    let mut explored = Explored { pieces: Vec::new(), mapping: None, visited: 0 };
    while let Some(mut case) = open.pop() {
        let Some(before) = case.open() else {
            explored.pieces.push(Piece::Node(Node::Nowhere));
            continue;
        };
        if explored.mapping.is_some() || explored.visited >= most {
            explored.pieces.push(Piece::Open(before));
            continue;
        }
        explored.visited += 1;
        let mut nodes = Vec::new();
        let end = case.visit(k, Some(&solver), stop, &mut nodes);
        if stop.is_due() {
            // Steps of an ascent that ended early prove less.
            return None;
        }
        if let End::Found(mapping) = end {
            explored.mapping = Some(mapping);
            explored.pieces.push(Piece::Open(before));
            continue;
        }
        explored.pieces.extend(nodes.into_iter().map(Piece::Node));
        if let End::Split(cases) = end {
            open.extend((*cases).into_iter().rev());
        }
    }
    Some(explored)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reason::Reason;
    use crate::sat::SolverChoice;
    use gridsat_model::certificate::Step;

    /// Explores case after case, each with few visits, until none is open.
    fn in_parts(instance: &Instance, k: u64, most: usize) -> (Vec<Node<OpenCase>>, usize) {
        let (mut rest, mut nodes, mut parts) = (vec![Piece::Open(start(instance))], Vec::new(), 0);
        let stop = Stop::never();
        while let Some(piece) = rest.pop() {
            match piece {
                Piece::Node(node) => nodes.push(node),
                Piece::Open(case) => {
                    let with = (&SolverChoice::Varisat, &stop);
                    let explored = explore(instance, Ticks(k), &case, most, with);
                    let explored = explored.expect("no stop");
                    assert!(explored.mapping.is_none() && explored.visited <= most);
                    rest.extend(explored.pieces.into_iter().rev());
                    parts += 1;
                }
            }
        }
        (nodes, parts)
    }

    fn start(instance: &Instance) -> OpenCase {
        whole(instance, vec![1; instance.task_count()])
    }

    /// Thirteen tasks of 5 to 9 on three hosts of different speeds.
    fn instance() -> Instance {
        let row = |t: u64| [5 + t % 5, 6 + t * t % 5, 7 + t % 3];
        Instance::from_rows((0..13).map(row)).expect("valid")
    }

    #[test]
    fn parts_make_one_tree_of_a_certificate() {
        let instance = instance();
        let mut solver = crate::solve::Solver::new();
        let solution = solver.solve(&instance).expect("solved");
        assert!(solution.is_optimal());
        let k = solution.mapping().makespan() - Ticks(1);
        let (whole, one) = in_parts(&instance, k.0, usize::MAX);
        assert_eq!(one, 1);
        for most in [1, 2, 5] {
            let (nodes, _) = in_parts(&instance, k.0, most);
            let reason: Reason = Step::Tree { k, nodes: nodes.clone() };
            assert_eq!(reason.k(), k);
            let branches = |nodes: &[Node<OpenCase>]| {
                nodes.iter().filter(|node| matches!(node, Node::Branch { .. })).count()
            };
            let leaves = nodes.len()
                - nodes.iter().filter(|node| matches!(node, Node::Fix { .. })).count()
                - branches(&nodes);
            assert_eq!(leaves, branches(&nodes) + 1, "most {most}: a binary tree");
        }
        assert!(!whole.is_empty());
    }

    #[test]
    fn a_mapping_that_is_found_leaves_cases_open() {
        let instance = instance();
        let with = (&SolverChoice::Varisat, &Stop::never());
        let explored = explore(&instance, Ticks(60), &start(&instance), 100, with);
        let explored = explored.expect("no stop");
        let mapping = explored.mapping.expect("60 is long enough");
        assert!(mapping.makespan() <= Ticks(60));
        assert!(explored.pieces.iter().any(|piece| matches!(piece, Piece::Open(_))));
        let stop = Stop::never();
        stop.request();
        let with = (&SolverChoice::Varisat, &stop);
        assert!(explore(&instance, Ticks(60), &start(&instance), 100, with).is_none());
    }
}
