//! Reduced ordered decision diagrams: Eén and Sörensson (2006), Abío et al. (2012).
//!
//! A node at level i means that the terms from i on weigh at most β. Many β are equivalent: the
//! node is the same for every β in an interval `[lo, hi]`. So a level keeps its nodes by interval,
//! and a β within a known interval costs nothing. With children f (term i false, β) and t (true,
//! β − wᵢ) the interval is `[max(lo_f, lo_t + wᵢ), min(hi_f, hi_t + wᵢ)]`.
//!
//! The constraint is monotone, so two clauses per node are enough: v → f, and v ∧ xᵢ → t.
//! Asserting the root makes unit propagation complete (Abío et al.). A node is written as the
//! variable that is its *negation*, "the terms from i on weigh at least hi + 1", because sinks take
//! meanings in that form.
//!
//! Nodes depend on β alone, so later bounds share the nodes of earlier ones.

use std::collections::BTreeMap;

use super::{Out, Written, add_limit_clause};
use crate::{Budget, ClauseSink, Lit, Meaning, Term};

/// All nodes built so far.
#[derive(Clone, Debug)]
pub(super) struct Diagram {
    terms: Vec<Term>,
    /// For each level, the total weight of its terms and all later ones; one more level at the end.
    most: Vec<i64>,
    /// For each level, nodes by the low end of their interval.
    levels: Vec<BTreeMap<i64, usize>>,
    /// Children before parents.
    nodes: Vec<Node>,
    /// The negations of the nodes, for the nodes written so far.
    denials: Vec<Lit>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    level: usize,
    hi: i64,
    if_false: Answer,
    if_true: Answer,
}

#[derive(Clone, Copy, Debug)]
enum Answer {
    Never,
    Always,
    Ask(usize),
}

impl Answer {
    /// Number of clauses needed to imply it.
    fn clauses(self) -> u64 {
        u64::from(!matches!(self, Self::Always))
    }
}

/// An answer, and the interval of β for which it is the same.
#[derive(Clone, Copy)]
struct Known {
    answer: Answer,
    lo: i64,
    hi: i64,
}

impl Diagram {
    pub(super) fn new(terms: Vec<Term>) -> Self {
        let mut most = vec![0_i64];
        for term in terms.iter().rev() {
            let rest = most[most.len() - 1];
            most.push(rest.saturating_add(signed(term.weight)));
        }
        most.reverse();
        Self {
            levels: vec![BTreeMap::new(); terms.len()],
            terms,
            most,
            nodes: Vec::new(),
            denials: Vec::new(),
        }
    }

    /// Writes that all terms weigh at most `bound`, and the nodes this needs.
    pub(super) fn limit(&mut self, bound: u64, guard: Option<Lit>, out: &mut Out) -> Written {
        let Out { sink, budget } = out;
        let root = self.answer(signed(bound), budget)?;
        budget.charge(root.clauses(), true)?;
        self.write(*sink);
        match root {
            Answer::Always => {}
            Answer::Never => add_limit_clause(&[], guard, *sink),
            Answer::Ask(node) => add_limit_clause(&[!self.denials[node]], guard, *sink),
        }
        Ok(())
    }

    /// Builds the nodes for β at level 0. The stack is explicit, because a diagram is as deep as
    /// there are terms.
    fn answer(&mut self, bound: i64, budget: &mut Budget) -> Written<Answer> {
        let mut open = vec![(0, bound)];
        while let Some(&(level, beta)) = open.last() {
            if self.known(level, beta).is_some() {
                open.pop();
                continue;
            }
            let below = beta - signed(self.terms[level].weight);
            let Some(if_false) = self.known(level + 1, beta) else {
                open.push((level + 1, beta));
                continue;
            };
            let Some(if_true) = self.known(level + 1, below) else {
                open.push((level + 1, below));
                continue;
            };
            budget.charge(if_false.answer.clauses() + if_true.answer.clauses(), true)?;
            self.insert(level, if_false, if_true);
            open.pop();
        }
        let known = self.known(0, bound);
        Ok(known.expect("the stack empties when the root is known").answer)
    }

    fn known(&self, level: usize, beta: i64) -> Option<Known> {
        if beta < 0 {
            let (lo, hi) = (i64::MIN, -1);
            return Some(Known { answer: Answer::Never, lo, hi });
        }
        if beta >= self.most[level] {
            let (lo, hi) = (self.most[level], i64::MAX);
            return Some(Known { answer: Answer::Always, lo, hi });
        }
        let (&lo, &node) = self.levels[level].range(..=beta).next_back()?;
        let hi = self.nodes[node].hi;
        (beta <= hi).then_some(Known { answer: Answer::Ask(node), lo, hi })
    }

    fn insert(&mut self, level: usize, if_false: Known, if_true: Known) {
        let weight = signed(self.terms[level].weight);
        let lo = if_false.lo.max(if_true.lo.saturating_add(weight));
        let hi = if_false.hi.min(if_true.hi.saturating_add(weight));
        self.levels[level].insert(lo, self.nodes.len());
        self.nodes.push(Node { level, hi, if_false: if_false.answer, if_true: if_true.answer });
    }

    /// Writes all nodes not yet written.
    fn write(&mut self, sink: &mut dyn ClauseSink) {
        for node in &self.nodes[self.denials.len()..] {
            let denial = sink.new_var();
            let meaning = Meaning::AtLeast {
                terms: &self.terms[node.level..],
                bound: node.hi.unsigned_abs() + 1,
            };
            sink.explain(denial, meaning);
            let denial = denial.positive();
            let term = self.terms[node.level].lit;
            self.imply(&[denial], node.if_false, sink);
            self.imply(&[denial, !term], node.if_true, sink);
            self.denials.push(denial);
        }
    }

    /// Writes that the condition, given as negated literals, implies the answer.
    fn imply(&self, condition: &[Lit], answer: Answer, sink: &mut dyn ClauseSink) {
        match answer {
            Answer::Always => {}
            Answer::Never => sink.add_clause(condition),
            Answer::Ask(node) => sink.add_clause(&[condition, &[!self.denials[node]]].concat()),
        }
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).expect("weights and bounds are below LoadEncoding::BOUND_LIMIT")
}
