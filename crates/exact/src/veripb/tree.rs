//! Proofs by cases: the nodes of a tree in depth-first order, as in a certificate.
//!
//! A case ends with its guard derived. Of two cases with guards g₁ and g₂, defined by
//! `g₁ ⇔ f ∨ ¬d` and `g₂ ⇔ f ∨ d`, follows f, the guard of the case above. All else that was
//! derived in a case is then deleted.

use std::io::{self, Write};

use super::case::{Case, Opened, Refuted};
use super::lines::{ConstraintId, Lines};
use super::prices::Sacks;
use super::trim::Node;
use super::{Refuter, VeripbError, fixing, windows};
use gridsat_model::{HostId, TaskId};

/// A branch whose cases are being refuted.
struct Branch<'a> {
    above: Case<'a>,
    pair: (TaskId, HostId),
    /// Where its constraints begin.
    start: ConstraintId,
    /// Connects the guard of the case that is open now with the guard above.
    back: ConstraintId,
    /// The refutation of the first case and its connection.
    first: Option<[ConstraintId; 2]>,
}

/// What a node makes of a case.
enum Step<'a> {
    /// The nodes that follow are about this case.
    Open(Opened<'a>),
    /// The case is refuted, and its nodes are read.
    Closed(Refuted),
}

/// Refutes a case by nodes.
pub struct Walk<'w, 'a, W> {
    nodes: std::slice::Iter<'w, Node>,
    lines: &'w mut Lines<W>,
    refuter: &'w Refuter<'w>,
    branches: Vec<Branch<'a>>,
}

impl<'w, 'a, W: Write> Walk<'w, 'a, W> {
    pub fn new(nodes: &'w [Node], lines: &'w mut Lines<W>, refuter: &'w Refuter<'w>) -> Self {
        Self { nodes: nodes.iter(), lines, refuter, branches: Vec::new() }
    }

    /// Refutes the case.
    pub fn refute(mut self, mut open: Opened<'a>) -> Result<Refuted, VeripbError> {
        loop {
            let step = match open {
                Ok(case) => self.step(case)?,
                Err(refuted) => {
                    self.skip();
                    Step::Closed(refuted)
                }
            };
            open = match step {
                Step::Open(below) => below,
                Step::Closed(refuted) => match self.leave(refuted)? {
                    Step::Open(second) => second,
                    Step::Closed(refuted) => return Ok(refuted),
                },
            };
        }
    }

    fn step(&mut self, mut case: Case<'a>) -> Result<Step<'a>, VeripbError> {
        if self.refuter.stop.is_requested() {
            return Err(VeripbError::Stopped);
        }
        let start = (self.lines.next(), self.lines.names());
        let refuted = match self.nodes.next().ok_or(VeripbError::NotShown)? {
            Node::Nowhere => return Err(VeripbError::NotShown),
            Node::Prices(prices) => {
                Sacks::new(&mut case, prices, self.lines)?.refute(self.lines)?
            }
            Node::Unsat(prices) => windows::refute(&mut case, prices, self.lines, self.refuter)?,
            Node::Fix { prices, pairs } => {
                let sacks = Sacks::new(&mut case, prices, self.lines)?;
                let fixed = fixing::fix(sacks, pairs, self.lines)?;
                return Ok(Step::Open(fixed));
            }
            &Node::Branch(task, host) => {
                return Ok(Step::Open(self.branch(case, (task, host))?));
            }
        };
        self.lines.forget(start, refuted.0)?;
        Ok(Step::Closed(refuted))
    }

    /// The first case of the branch. If one of its cases is empty, the other one is the case
    /// itself.
    fn branch(&mut self, case: Case<'a>, pair: (TaskId, HostId)) -> io::Result<Opened<'a>> {
        let (task, host) = pair;
        let is_possible = case.is_possible(task, host);
        if !is_possible {
            self.skip();
            return Ok(Ok(case));
        }
        let start = self.lines.next();
        let (back, below) = case.below(pair, true, self.lines)?;
        self.branches.push(Branch { above: case, pair, start, back, first: None });
        Ok(below)
    }

    /// Goes on after a refuted case: with the second case of its branch, or upwards.
    fn leave(&mut self, mut refuted: Refuted) -> io::Result<Step<'a>> {
        while let Some(mut branch) = self.branches.pop() {
            let back = branch.back;
            self.lines.delete_range(branch.start, back)?;
            self.lines.delete_range(back.next(), refuted.0)?;
            if let Some([first, first_back]) = branch.first {
                let hints = [first, first_back, refuted.0, back];
                let id = self.lines.clause(&[branch.above.guard()], &hints)?;
                self.lines.delete(&hints)?;
                refuted = Refuted(id);
                continue;
            }
            branch.first = Some([refuted.0, back]);
            branch.start = self.lines.next();
            let (back, below) = branch.above.below(branch.pair, false, self.lines)?;
            branch.back = back;
            self.branches.push(branch);
            return Ok(Step::Open(below));
        }
        Ok(Step::Closed(refuted))
    }

    /// Passes over the nodes of a case that is refuted already.
    fn skip(&mut self) {
        let mut cases = 1_usize;
        while let Some(node) = (cases > 0).then(|| self.nodes.next()).flatten() {
            cases -= 1;
            cases += match node {
                Node::Fix { .. } => 1,
                Node::Branch(..) => 2,
                Node::Prices(_) | Node::Unsat(_) | Node::Nowhere => 0,
            };
        }
    }
}
