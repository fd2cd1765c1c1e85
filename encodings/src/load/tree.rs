//! Trees of attainable sums, the common part of [`totalizer`](super::totalizer) and
//! [`counter`](super::counter), which differ only in the shape of the tree.
//!
//! A node covers consecutive terms and has an output `c_t` for each sum `t ≤ max` they can
//! attain, with the meaning "they weigh at least t"; the only output of a leaf is its literal. For
//! children a and b:
//!
//! * `a_s ∧ b_t → c_{s+t}`, also with s or t absent, where `s + t ≤ max`;
//! * `¬a_s ∨ ¬b_t` where `s + t > max`, which needs the constraint itself;
//! * `c_t → c_{t'}` for the next smaller output t′. Thanks to these clauses only the smallest s
//!   and t need be forbidden, and one clause limits the root.
//!
//! If no smaller bound will follow, the root has no outputs, because only forbidding is left to do.
//! Sums between two attainable ones have no variable: "at least" one of them is "at least" the
//! next.
//!
//! The whole tree is planned, and charged to the budget, before the first clause is written.

use std::ops::Range;

use super::{Out, Written, add_limit_clause};
use crate::{Budget, ClauseSink, Lit, Meaning, Term};

/// A tree under construction.
pub(super) struct Plan<'a> {
    terms: &'a [Term],
    max: u64,
    /// Children before parents; the root is last.
    nodes: Vec<Node>,
}

struct Node {
    covers: Range<usize>,
    /// Attainable sums, from 1 to `max`, ascending. A root without outputs has none.
    sums: Vec<u64>,
    children: Option<(NodeId, NodeId)>,
}

/// Whether the bound may be lowered later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Root {
    /// No: sums above `max` are forbidden, and the root has no outputs.
    Fixed,
    /// Yes: the root has outputs like every other node.
    Lowered,
}

#[derive(Clone, Copy)]
pub(super) struct NodeId(usize);

impl<'a> Plan<'a> {
    pub(super) fn new(terms: &'a [Term], max: u64) -> Self {
        Self { terms, max, nodes: Vec::new() }
    }

    pub(super) fn leaf(&mut self, term: usize) -> NodeId {
        self.push(Node {
            covers: term..term + 1,
            sums: vec![self.terms[term].weight],
            children: None,
        })
    }

    /// Joins two nodes; the right one must begin where the left one ends.
    pub(super) fn join(
        &mut self,
        left: NodeId,
        right: NodeId,
        budget: &mut Budget,
    ) -> Written<NodeId> {
        let join = Join::of(&self.nodes[left.0], &self.nodes[right.0], self.max);
        budget.charge(join.forbidden().count() as u64 + join.implications(), true)?;
        let sums = join.sums();
        budget.charge(sums.len().saturating_sub(1) as u64, true)?;
        Ok(self.push(Node {
            covers: self.nodes[left.0].covers.start..self.nodes[right.0].covers.end,
            sums,
            children: Some((left, right)),
        }))
    }

    /// Joins the last two nodes.
    pub(super) fn root(
        &mut self,
        left: NodeId,
        right: NodeId,
        root: Root,
        budget: &mut Budget,
    ) -> Written<NodeId> {
        if root == Root::Lowered {
            return self.join(left, right, budget);
        }
        let join = Join::of(&self.nodes[left.0], &self.nodes[right.0], self.max);
        budget.charge(join.forbidden().count() as u64, true)?;
        Ok(self.push(Node {
            covers: 0..self.terms.len(),
            sums: Vec::new(),
            children: Some((left, right)),
        }))
    }

    fn push(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(self.nodes.len() - 1)
    }

    /// Writes all nodes and returns the outputs of the root.
    pub(super) fn write(mut self, sink: &mut dyn ClauseSink) -> Outputs {
        let mut written: Vec<Vec<Lit>> = Vec::new();
        for node in &self.nodes {
            let outputs = match node.children {
                None => vec![self.terms[node.covers.start].lit],
                Some((left, right)) => {
                    let outputs = self.outputs(node, sink);
                    let a = std::mem::take(&mut written[left.0]);
                    let b = std::mem::take(&mut written[right.0]);
                    let join = Join::of(&self.nodes[left.0], &self.nodes[right.0], self.max);
                    if !outputs.is_empty() {
                        join.imply(&a, &b, &node.sums, &outputs, sink);
                    }
                    join.forbid(&a, &b, sink);
                    outputs
                }
            };
            written.push(outputs);
        }
        let sums = self.nodes.pop().map(|root| root.sums).unwrap_or_default();
        let lits = written.pop().unwrap_or_default();
        Outputs { sums, lits }
    }

    /// Fresh outputs of a node, in order.
    fn outputs(&self, node: &Node, sink: &mut dyn ClauseSink) -> Vec<Lit> {
        let terms = &self.terms[node.covers.clone()];
        let output = |&bound| {
            let var = sink.new_var();
            sink.explain(var, Meaning::AtLeast { terms, bound });
            var.positive()
        };
        let lits: Vec<_> = node.sums.iter().map(output).collect();
        for pair in lits.windows(2) {
            sink.add_clause(&[!pair[1], pair[0]]);
        }
        lits
    }
}

/// The sums of two nodes that are joined.
struct Join<'a> {
    left: &'a [u64],
    right: &'a [u64],
    max: u64,
}

impl<'a> Join<'a> {
    fn of(left: &'a Node, right: &'a Node, max: u64) -> Self {
        Self { left: &left.sums, right: &right.sums, max }
    }

    /// For each sum on the left, the number of sums on the right that fit with it: never
    /// increasing.
    fn fits(&self) -> impl Iterator<Item = usize> {
        let fits = |&s| self.right.partition_point(|t| s + t <= self.max);
        self.left.iter().map(fits)
    }

    /// The smallest pairs of sums that are too heavy, as indices.
    fn forbidden(&self) -> impl Iterator<Item = (usize, usize)> {
        let mut smallest = self.right.len();
        self.fits().enumerate().filter(move |&(_, fit)| {
            let smaller = fit < smallest;
            smallest = smallest.min(fit);
            smaller
        })
    }

    /// Number of pairs, and of sums of one side alone, that imply an output.
    fn implications(&self) -> u64 {
        (self.left.len() + self.right.len() + self.fits().sum::<usize>()) as u64
    }

    /// The sums that both sides together attain, ascending.
    fn sums(&self) -> Vec<u64> {
        let pairs = self.left.iter().zip(self.fits());
        let both = pairs.flat_map(|(s, fit)| self.right[..fit].iter().map(move |t| s + t));
        let sums = self.left.iter().chain(self.right).copied().chain(both);
        if self.max <= self.implications() {
            return sorted_by_table(sums, self.max);
        }
        let mut sums: Vec<_> = sums.collect();
        sums.sort();
        sums.dedup();
        sums
    }

    fn imply(&self, a: &[Lit], b: &[Lit], sums: &[u64], c: &[Lit], sink: &mut dyn ClauseSink) {
        let output = |sum| c[sums.binary_search(&sum).expect("the node attains this sum")];
        for (&s, &lit) in self.left.iter().zip(a) {
            sink.add_clause(&[!lit, output(s)]);
        }
        for (&t, &lit) in self.right.iter().zip(b) {
            sink.add_clause(&[!lit, output(t)]);
        }
        for ((&s, &left), fit) in self.left.iter().zip(a).zip(self.fits()) {
            for (&t, &right) in self.right.iter().zip(b).take(fit) {
                sink.add_clause(&[!left, !right, output(s + t)]);
            }
        }
    }

    fn forbid(&self, a: &[Lit], b: &[Lit], sink: &mut dyn ClauseSink) {
        for (s, t) in self.forbidden() {
            sink.add_root_clause(&[!a[s], !b[t]]);
        }
    }
}

/// Sorts without duplicates. A table is smaller than a list if most numbers up to `max` occur.
fn sorted_by_table(numbers: impl Iterator<Item = u64>, max: u64) -> Vec<u64> {
    let mut occurs = vec![false; max as usize + 1];
    for number in numbers {
        occurs[number as usize] = true;
    }
    (0..=max).filter(|&number| occurs[number as usize]).collect()
}

/// The outputs of a root.
#[derive(Clone, Debug, Default)]
pub(super) struct Outputs {
    sums: Vec<u64>,
    lits: Vec<Lit>,
}

impl Outputs {
    /// Writes that the load is at most `bound`.
    pub(super) fn limit(&self, bound: u64, guard: Option<Lit>, out: &mut Out) -> Written {
        let smallest_above = self.sums.partition_point(|&sum| sum <= bound);
        if let Some(&lit) = self.lits.get(smallest_above) {
            out.budget.charge(1, true)?;
            add_limit_clause(&[!lit], guard, out.sink);
        }
        Ok(())
    }
}
