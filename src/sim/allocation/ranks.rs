//! Jobs in order of submission, where the first `k` get one amount of work done and the others another,
//! in O(log n) whatever `k` is.
//!
//! A segment tree over jobs in order: each node holds how many jobs are below it, the least any of them
//! has left, and what all of them got done that its children do not know of yet. Work left stops at
//! zero; that agrees with being late, since `(x ⊖ a) ⊖ b = x ⊖ (a + b)`, and with the least of several.
//!
//! New jobs take the next leaf. When none is left, or few are in use, the tree is built anew with room
//! for as many again: O(1) a change in the long run.

use super::Slot;
use crate::sim::work::Work;

/// More than any job has left: for leaves without a job.
const NO_JOB: Work = Work(u128::MAX);

/// The fewest leaves.
const LEAVES: usize = 16;

#[derive(Clone, Copy, Debug)]
struct Node {
    jobs: u32,
    least: Work,
    late: Work,
}

const EMPTY: Node = Node { jobs: 0, least: NO_JOB, late: Work::NONE };

/// Jobs in order of submission, with what they have left.
#[derive(Clone, Debug)]
pub(super) struct Ranks {
    /// The root is 1, the children of `i` are `2i` and `2i + 1`, leaves are the second half.
    nodes: Vec<Node>,
    /// Whose the leaves are that were ever taken.
    slots: Vec<Slot>,
    /// The leaf of a slot, if it has one.
    leaves: Vec<u32>,
}

impl Ranks {
    pub fn new() -> Self {
        Self { nodes: vec![EMPTY; 2 * LEAVES], slots: Vec::new(), leaves: Vec::new() }
    }

    pub fn len(&self) -> u32 {
        self.nodes[1].jobs
    }

    fn width(&self) -> usize {
        self.nodes.len() / 2
    }

    /// A new last job.
    pub fn push(&mut self, slot: Slot, left: Work) {
        if self.slots.len() == self.width() {
            self.rebuild();
        }
        let leaf = self.assign(slot);
        self.set(leaf, Node { jobs: 1, least: left, late: Work::NONE });
    }

    /// Takes a job away; what it had left.
    pub fn remove(&mut self, slot: Slot) -> Work {
        let leaf = self.leaves[slot.0 as usize] as usize;
        self.push_down_to(leaf);
        let left = self.nodes[leaf].least;
        self.set(leaf, EMPTY);
        if self.width() > LEAVES && self.len() as usize * 8 < self.width() {
            self.rebuild();
        }
        left
    }

    /// The first `k` jobs get `first` done, the others `rest`.
    pub fn serve(&mut self, k: u32, first: Work, rest: Work) {
        let node = self.split(k, |node, is_first| node.serve(if is_first { first } else { rest }));
        self.pull_up_from(node);
    }

    /// The least that any of the first `k` jobs has left, and any of the others.
    pub fn least(&mut self, k: u32) -> (Option<Work>, Option<Work>) {
        let (mut first, mut rest) = (NO_JOB, NO_JOB);
        self.split(k, |node, is_first| {
            let least = if is_first { &mut first } else { &mut rest };
            *least = node.least.min(*least);
        });
        let some = |least| (least != NO_JOB).then_some(least);
        (some(first), some(rest))
    }

    /// The first job with nothing left.
    pub fn first_done(&mut self) -> Option<Slot> {
        if self.nodes[1].least != Work::NONE {
            return None;
        }
        let mut node = 1;
        while node < self.width() {
            self.push_down(node);
            node = 2 * node + usize::from(self.nodes[2 * node].least != Work::NONE);
        }
        Some(self.slots[node - self.width()])
    }

    /// Visits few nodes whose jobs are exactly the first `k` (told so by `true`) and all others.
    /// Returns the last one; only its ancestors have both kinds below them.
    fn split(&mut self, mut k: u32, mut visit: impl FnMut(&mut Node, bool)) -> usize {
        let mut node = 1;
        while k > 0 && k < self.nodes[node].jobs {
            self.push_down(node);
            let (left, right) = (2 * node, 2 * node + 1);
            if k >= self.nodes[left].jobs {
                visit(&mut self.nodes[left], true);
                k -= self.nodes[left].jobs;
                node = right;
            } else {
                visit(&mut self.nodes[right], false);
                node = left;
            }
        }
        visit(&mut self.nodes[node], k > 0);
        node
    }

    fn set(&mut self, leaf: usize, node: Node) {
        self.push_down_to(leaf);
        self.nodes[leaf] = node;
        self.pull_up_from(leaf);
    }

    fn push_down_to(&mut self, leaf: usize) {
        for level in (1..=self.width().ilog2()).rev() {
            self.push_down(leaf >> level);
        }
    }

    fn push_down(&mut self, node: usize) {
        let late = std::mem::take(&mut self.nodes[node].late);
        if late != Work::NONE {
            self.nodes[2 * node].serve(late);
            self.nodes[2 * node + 1].serve(late);
        }
    }

    fn pull_up_from(&mut self, mut node: usize) {
        while node > 1 {
            node /= 2;
            self.pull_up(node);
        }
    }

    /// For nodes with nothing to push down.
    fn pull_up(&mut self, node: usize) {
        let (left, right) = (self.nodes[2 * node], self.nodes[2 * node + 1]);
        self.nodes[node].jobs = left.jobs + right.jobs;
        self.nodes[node].least = left.least.min(right.least);
    }

    fn assign(&mut self, slot: Slot) -> usize {
        let leaf = self.width() + self.slots.len();
        self.slots.push(slot);
        if self.leaves.len() <= slot.0 as usize {
            self.leaves.resize(slot.0 as usize + 1, 0);
        }
        self.leaves[slot.0 as usize] =
            u32::try_from(leaf).expect("twice the jobs at most, and few");
        leaf
    }

    /// All jobs side by side, and as much room again.
    fn rebuild(&mut self) {
        (1..self.width()).for_each(|node| self.push_down(node));
        let width = (2 * self.len() as usize).next_power_of_two().max(LEAVES);
        let slots = std::mem::take(&mut self.slots);
        let old = std::mem::replace(&mut self.nodes, vec![EMPTY; 2 * width]);
        let leaves = &old[old.len() / 2..];
        for (slot, node) in slots.into_iter().zip(leaves).filter(|(_, node)| node.jobs > 0) {
            let leaf = self.assign(slot);
            self.nodes[leaf] = *node;
        }
        (1..width).rev().for_each(|node| self.pull_up(node));
    }
}

impl Node {
    fn serve(&mut self, done: Work) {
        if self.jobs > 0 {
            self.least = self.least.less(done);
            self.late += done;
        }
    }
}
