//! The rule `tree`: a proof by cases.
//!
//! Nodes are in depth-first order: everything below a node's first case comes before its second
//! case. So there is one case at a time, and a list of second cases to come back to. A case that is
//! found to be empty needs no proof; the nodes that the certificate has for it are counted only.

use super::leaf;
use super::pairs::{Mark, Pairs};
use super::prices;
use super::steps::{OpenProof, StepFault};
use gridsat_model::certificate::Node;
use gridsat_model::{HostId, Instance, TaskId, Ticks};

/// A proof by cases, given node by node.
pub(super) struct Tree<'a> {
    k: Ticks,
    proofs: OpenProof<'a>,
    /// The pairs of the present case; `None` if not even the whole problem has any.
    pairs: Option<Pairs<'a>>,
    present: Present,
    /// The second cases of the branches above the present case.
    later: Vec<Later>,
    nodes: usize,
}

/// The case that the next node is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Present {
    Open,
    /// Empty cases: the one found to be empty, and those that nodes have made of it since.
    Empty(u64),
    /// All cases are refuted.
    None,
}

/// The pairs at a branch without this one.
struct Later {
    branch: Mark,
    task: TaskId,
    host: HostId,
}

impl<'a> Tree<'a> {
    pub fn new(instance: &'a Instance, k: Ticks, proofs: OpenProof<'a>) -> Self {
        let pairs = Pairs::new(instance, k);
        let present = unless_empty(pairs.is_some());
        Self { k, proofs, pairs, present, later: Vec::new(), nodes: 0 }
    }

    /// Checks the next node.
    pub fn take(&mut self, node: &Node) -> Result<(), StepFault> {
        let index = self.nodes;
        self.nodes += 1;
        match (self.present, &mut self.pairs) {
            (Present::Empty(cases), _) => self.skip(cases, node),
            (Present::Open, Some(pairs)) => {
                let (k, proofs, later) = (self.k, self.proofs, &mut self.later);
                let below = case_below(pairs, node, k, proofs, later);
                let wrong = |fault| StepFault::Node { index, fault: Box::new(fault) };
                match below.map_err(wrong)? {
                    Some(is_possible) => self.present = unless_empty(is_possible),
                    None => self.next_case(),
                }
            }
            _ => return Err(StepFault::NodesLeftOver { used: index }),
        }
        Ok(())
    }

    /// Whether the nodes refute k.
    pub fn finish(self) -> Result<(), StepFault> {
        let present = match self.present {
            Present::None => return Ok(()),
            Present::Open => 1,
            Present::Empty(cases) => cases as usize,
        };
        Err(StepFault::CasesLeftOver { cases: self.later.len() + present })
    }

    /// Passes over a node of an empty case, whose cases are empty, too.
    fn skip(&mut self, cases: u64, node: &Node) {
        let below = match node {
            Node::Fix { .. } => 1,
            Node::Branch { .. } => 2,
            Node::Prices { .. } | Node::Unsat(_) | Node::Nowhere => 0,
        };
        match cases - 1 + below {
            0 => self.next_case(),
            cases => self.present = Present::Empty(cases),
        }
    }

    /// Goes on with the second case of the last branch.
    fn next_case(&mut self) {
        self.present = match (self.later.pop(), &mut self.pairs) {
            (Some(Later { branch, task, host }), Some(pairs)) => {
                pairs.undo(branch);
                unless_empty(pairs.remove(&[(task, host)]))
            }
            _ => Present::None,
        };
    }
}

fn unless_empty(is_possible: bool) -> Present {
    if is_possible { Present::Open } else { Present::Empty(1) }
}

/// Makes the pairs those of the case below the node, the first one of a branch. Returns whether it
/// may have a mapping, or `None` if there is no case below.
fn case_below(
    pairs: &mut Pairs,
    node: &Node,
    k: Ticks,
    proofs: OpenProof,
    later: &mut Vec<Later>,
) -> Result<Option<bool>, StepFault> {
    match node {
        Node::Nowhere => Err(StepFault::StillPossible),
        Node::Prices { prices } => prices::check_pairs(pairs, prices).map(|()| None),
        Node::Unsat(leaf) => leaf::check(leaf, pairs, k, proofs).map(|()| None),
        Node::Fix { prices } => {
            let gone = prices::ruled_out(pairs, prices)?;
            Ok(Some(pairs.remove(&gone)))
        }
        &Node::Branch { task, host } => {
            let (task, host) = known(pairs.instance(), task, host)?;
            later.push(Later { branch: pairs.mark(), task, host });
            Ok(Some(pairs.put(task, host)))
        }
    }
}

fn known(instance: &Instance, task: u32, host: u32) -> Result<(TaskId, HostId), StepFault> {
    let (tasks, hosts) = (instance.task_count(), instance.host_count());
    if task as usize >= tasks {
        return Err(StepFault::NoSuchTask { task, tasks });
    }
    if host as usize >= hosts {
        return Err(StepFault::NoSuchHost { host, hosts });
    }
    Ok((TaskId(task), HostId(host)))
}
