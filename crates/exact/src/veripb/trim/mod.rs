//! What a proof by cases needs of a tree.
//!
//! The tree of a certificate removes every pair that prices exclude, since that costs nothing
//! there. Here each pair removed takes tables of its own. From the leaves up: a leaf needs those
//! pairs to be missing that would make its prices too weak, and a node `fix` has to exclude only
//! what is needed below it, which in turn needs pairs to be missing above. A node of which nothing
//! is needed is left out, and so is a branch if one of its cases does not need the decision.
//!
//! A case of the trimmed tree has more pairs than the one it was made for; that its nodes still
//! hold is what `needed` makes sure of.

mod marked;
mod needed;

use self::marked::{Empty, Marked, Needed};
use self::needed::Priced;
use super::VeripbError;
use crate::knapsack;
use crate::reason::OpenCase;
use gridsat_model::certificate;
use gridsat_model::{HostId, Instance, TaskId, Ticks};

/// A node of a trimmed tree.
#[derive(Clone, Debug)]
pub enum Node {
    /// These prices exclude these pairs.
    Fix { prices: Vec<u64>, pairs: Vec<(TaskId, HostId)> },
    /// The pair, or not.
    Branch(TaskId, HostId),
    /// These prices refute the case.
    Prices(Vec<u64>),
    /// A solver refutes the case with these prices.
    Unsat(Vec<u64>),
    /// A task of the case has no pair.
    Nowhere,
}

/// The refutation of a case: nodes, last one first, and what they need.
struct Refuted {
    nodes: Vec<Node>,
    needed: Needed,
}

/// A node whose cases are not refuted yet.
enum Open<'a> {
    Fix { case: Marked<'a>, removed: Vec<(TaskId, HostId)>, priced: Priced },
    Branch { case: Marked<'a>, pair: (TaskId, HostId), first: Option<Refuted> },
}

/// The nodes that refute the makespan k, in depth-first order.
pub fn trim(
    instance: &Instance,
    k: Ticks,
    nodes: &[certificate::Node<OpenCase>],
) -> Result<Vec<Node>, VeripbError> {
    let prices = nodes.iter().filter_map(prices_of);
    let total = |prices: &[u64]| prices.iter().map(|&price| u128::from(price)).sum::<u128>();
    let most = prices.map(total).max().unwrap_or(0);
    // Prices of placed tasks are sums of others, with the slack.
    let factor = (instance.host_count() + 2) as u128 * (instance.task_count() + 1) as u128;
    if most.saturating_mul(factor) > u128::from(knapsack::MAX_TOTAL) {
        return Err(VeripbError::NotShown);
    }
    let root = settled(Marked::root(instance, k));
    let mut refuted = Walk { nodes, next: 0, open: Vec::new() }.refute(root)?;
    refuted.nodes.reverse();
    Ok(refuted.nodes)
}

/// The prices of a node that has some.
pub fn prices_of(node: &certificate::Node<OpenCase>) -> Option<&[u64]> {
    match node {
        certificate::Node::Fix { prices } | certificate::Node::Prices { prices } => Some(prices),
        certificate::Node::Unsat(leaf) => Some(&leaf.prices),
        certificate::Node::Branch { .. } | certificate::Node::Nowhere => None,
    }
}

type Opened<'a> = Result<Marked<'a>, (Marked<'a>, Empty)>;

struct Walk<'w, 'a> {
    nodes: &'w [certificate::Node<OpenCase>],
    next: usize,
    open: Vec<Open<'a>>,
}

impl<'a> Walk<'_, 'a> {
    fn refute(&mut self, mut case: Opened<'a>) -> Result<Refuted, VeripbError> {
        loop {
            let below = match case {
                Ok(case) => self.step(case)?,
                Err((case, Empty(task))) => {
                    self.skip();
                    let mut needed = Needed::none(case.instance);
                    case.need_all(task, &mut needed);
                    Err(Refuted { nodes: vec![Node::Nowhere], needed })
                }
            };
            case = match below {
                Ok(below) => below,
                Err(refuted) => match self.leave(refuted)? {
                    Ok(second) => second,
                    Err(refuted) => return Ok(refuted),
                },
            };
        }
    }

    /// The case below the next node, or the refutation of this one.
    fn step(&mut self, case: Marked<'a>) -> Result<Result<Opened<'a>, Refuted>, VeripbError> {
        let node = self.nodes.get(self.next).ok_or(VeripbError::NotShown)?;
        self.next += 1;
        Ok(match node {
            certificate::Node::Nowhere => return Err(VeripbError::NotShown),
            certificate::Node::Prices { prices } => {
                let refuted = Priced::new(&case, prices).refute(&case);
                Err(refuted.ok_or(VeripbError::NotShown)?)
            }
            certificate::Node::Unsat(leaf) => {
                let priced = Priced::new(&case, &leaf.prices);
                Err(match priced.refute(&case) {
                    Some(refuted) => refuted,
                    None => priced.narrow(&case),
                })
            }
            certificate::Node::Fix { prices } => {
                let priced = Priced::new(&case, prices);
                if let Some(refuted) = priced.refute(&case) {
                    self.skip();
                    return Ok(Err(refuted));
                }
                let mut after = case.clone();
                let removed = priced.excluded(&case);
                removed.iter().for_each(|&pair| after.remove(pair));
                self.open.push(Open::Fix { case, removed, priced });
                Ok(settled(after))
            }
            &certificate::Node::Branch { task, host } => {
                let pair = (TaskId(task), HostId(host));
                if !case.is_possible(pair.0, pair.1) {
                    self.skip();
                    return Ok(Ok(Ok(case)));
                }
                let mut on = case.clone();
                case.other_pairs(pair).for_each(|other| on.remove(other));
                self.open.push(Open::Branch { case, pair, first: None });
                Ok(settled(on))
            }
        })
    }

    /// Goes on after a refuted case: with the second case of its branch, or upwards.
    fn leave(&mut self, mut below: Refuted) -> Result<Result<Opened<'a>, Refuted>, VeripbError> {
        while let Some(open) = self.open.pop() {
            match open {
                Open::Fix { case, removed, priced } => {
                    below = fixed(&case, removed, &priced, below)?;
                }
                Open::Branch { case, pair, first } => {
                    let decided = match first {
                        None => case.other_pairs(pair).collect(),
                        Some(_) => vec![pair],
                    };
                    let is_used = decided.iter().any(|&pair| below.needed.contains(pair));
                    decided.iter().for_each(|&pair| below.needed.remove(pair));
                    match (is_used, first) {
                        (true, None) => {
                            let mut off = case.clone();
                            off.remove(pair);
                            self.open.push(Open::Branch { case, pair, first: Some(below) });
                            return Ok(Ok(settled(off)));
                        }
                        // The case above is refuted without the decision.
                        (false, None) => self.skip(),
                        (false, Some(_)) => {}
                        (true, Some(first)) => {
                            below.nodes.extend(first.nodes);
                            below.nodes.push(Node::Branch(pair.0, pair.1));
                            below.needed.join(&first.needed);
                        }
                    }
                }
            }
        }
        Ok(Err(below))
    }

    /// Passes over the nodes of a case that is refuted already.
    fn skip(&mut self) {
        let mut cases = 1_usize;
        while let Some(node) = (cases > 0).then(|| self.nodes.get(self.next)).flatten() {
            self.next += 1;
            cases -= 1;
            cases += match node {
                certificate::Node::Fix { .. } => 1,
                certificate::Node::Branch { .. } => 2,
                certificate::Node::Prices { .. }
                | certificate::Node::Unsat(_)
                | certificate::Node::Nowhere => 0,
            };
        }
    }
}

fn settled(mut case: Marked<'_>) -> Opened<'_> {
    match case.settle() {
        Ok(()) => Ok(case),
        Err(empty) => Err((case, empty)),
    }
}

/// The refutation of a case in which prices exclude what is needed below.
fn fixed(
    case: &Marked,
    mut removed: Vec<(TaskId, HostId)>,
    priced: &Priced,
    mut below: Refuted,
) -> Result<Refuted, VeripbError> {
    removed.retain(|&pair| below.needed.contains(pair));
    let pairs = removed;
    if pairs.is_empty() {
        return Ok(below);
    }
    pairs.iter().for_each(|&pair| below.needed.remove(pair));
    let prices = priced.exclude(case, &pairs, &mut below.needed).ok_or(VeripbError::NotShown)?;
    below.nodes.push(Node::Fix { prices, pairs });
    Ok(below)
}
