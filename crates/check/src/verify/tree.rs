//! The rule `tree`: a proof by cases.
//!
//! Nodes are in depth-first order: everything below a node's first case comes before its second
//! case. A stack of open cases is therefore sufficient. A case that is found to be empty needs no
//! proof; the nodes that the certificate has for it are skipped.

use super::leaf;
use super::pairs::Pairs;
use super::prices;
use super::steps::{OpenProof, StepFault};
use gridsat_model::certificate::Node;
use gridsat_model::{HostId, Instance, TaskId, Ticks};

/// Most pairs in all open cases together; each takes one byte.
const MAX_PAIRS: usize = 1 << 30;

/// Whether the nodes refute k.
pub(super) fn check(
    instance: &Instance,
    k: Ticks,
    nodes: &[Node],
    proofs: OpenProof,
) -> Result<(), StepFault> {
    let size = instance.task_count() * instance.host_count();
    let mut open: Vec<Option<Pairs>> = vec![Pairs::new(instance, k)];
    for (index, node) in nodes.iter().enumerate() {
        let case = open.pop().ok_or(StepFault::NodesLeftOver { used: index })?;
        let below = case_below(instance, k, node, case, proofs)
            .map_err(|fault| StepFault::Node { index, fault: Box::new(fault) })?;
        open.extend(below);
        if open.iter().flatten().count() * size > MAX_PAIRS {
            return Err(StepFault::TooManyCases { index });
        }
    }
    match open.len() {
        0 => Ok(()),
        cases => Err(StepFault::CasesLeftOver { cases }),
    }
}

/// The cases below the node, the first one last, as they are pushed onto the stack.
fn case_below<'a>(
    instance: &Instance,
    k: Ticks,
    node: &Node,
    case: Option<Pairs<'a>>,
    proofs: OpenProof,
) -> Result<Vec<Option<Pairs<'a>>>, StepFault> {
    match (node, case) {
        (Node::Fix { .. }, None) => Ok(vec![None]),
        (Node::Branch { .. }, None) => Ok(vec![None, None]),
        (Node::Prices { .. } | Node::Unsat(_) | Node::Nowhere, None) => Ok(Vec::new()),
        (Node::Nowhere, Some(_)) => Err(StepFault::StillPossible),
        (Node::Prices { prices }, Some(pairs)) => {
            prices::check_pairs(&pairs, prices).map(|()| Vec::new())
        }
        (Node::Unsat(leaf), Some(pairs)) => {
            leaf::check(leaf, &pairs, k, proofs).map(|()| Vec::new())
        }
        (Node::Fix { prices }, Some(pairs)) => {
            let gone = prices::ruled_out(&pairs, prices)?;
            Ok(vec![pairs.without(&gone)])
        }
        (&Node::Branch { task, host }, Some(pairs)) => {
            let (task, host) = known(instance, task, host)?;
            let with = pairs.clone().with(task, host);
            Ok(vec![pairs.without(&[(task, host)]), with])
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
