//! Jobs in order of submission, of which the first `k` receive one amount of work and the others
//! another, in O(log n) for any `k`.
//!
//! A segment tree over the jobs in order. Each node holds the number of jobs below it, the work
//! that all of them received and that is not yet recorded further down, and the least work that any
//! of them has left, without what is recorded further up. Work left stops at zero, which is
//! sufficient because `(x ⊖ a) ⊖ b = x ⊖ (a + b)`, and subtracting `a` from the minimum is
//! the same as from each.
//!
//! New jobs take the next leaf. When none is left, or few are in use, the tree is rebuilt with at
//! least twice as many leaves as jobs: amortised O(1) per change.

use std::ops::Add;

use super::Slot;
use crate::work::Work;

/// Larger than the work left of any job: for leaves without a job.
const NO_JOB: Work = Work(u128::MAX);

/// Smallest number of leaves.
const LEAVES: usize = 16;

#[derive(Clone, Copy, Debug)]
struct Node {
    jobs: u32,
    least: Work,
    done: Work,
}

const EMPTY: Node = Node { jobs: 0, least: NO_JOB, done: Work::NONE };

/// Jobs in order of submission, with the work they have left.
#[derive(Clone, Debug)]
pub(super) struct Ranks {
    /// The root is 1, the children of `i` are `2i` and `2i + 1`, and leaves are the second half.
    nodes: Vec<Node>,
    /// The slot of each leaf that was ever used.
    slots: Vec<Slot>,
    /// The leaf of each slot, if it has one.
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

    /// Appends a job.
    pub fn push(&mut self, slot: Slot, left: Work) {
        if self.slots.len() == self.width() {
            self.rebuild();
        }
        let leaf = self.assign(slot);
        let least = left + self.done_above(leaf);
        self.set(leaf, Node { jobs: 1, least, done: Work::NONE });
    }

    /// Removes a job; returns the work it had left.
    pub fn remove(&mut self, slot: Slot) -> Work {
        let leaf = self.leaves[slot.index()] as usize;
        let left = self.nodes[leaf].least.less(self.done_above(leaf));
        self.set(leaf, EMPTY);
        if self.width() > LEAVES && self.len() as usize * 8 < self.width() {
            self.rebuild();
        }
        left
    }

    /// Serves `first` to each of the first `k` jobs and `rest` to each of the others.
    pub fn serve(&mut self, k: u32, first: Work, rest: Work) {
        let mut cut = Cut::after(k);
        while let Some((node, is_first)) = cut.next(&self.nodes) {
            self.nodes[node].serve(if is_first { first } else { rest });
        }
        self.pull_up_from(cut.node);
    }

    /// The least work left among the first `k` jobs, and among the others.
    pub fn least(&self, k: u32) -> (Option<Work>, Option<Work>) {
        let (mut first, mut rest) = (NO_JOB, NO_JOB);
        let mut cut = Cut::after(k);
        while let Some((node, is_first)) = cut.next(&self.nodes) {
            let side = if is_first { &mut first } else { &mut rest };
            *side = self.nodes[node].least.less(cut.above).min(*side);
        }
        let jobs = self.len();
        ((k.min(jobs) > 0).then_some(first), (jobs > k).then_some(rest))
    }

    /// The first job with no work left.
    pub fn first_done(&self) -> Option<Slot> {
        let is_done = |node: usize, above| self.nodes[node].least <= above;
        let (mut node, mut above) = (1, Work::NONE);
        if !is_done(node, above) {
            return None;
        }
        while node < self.width() {
            above += self.nodes[node].done;
            node = 2 * node + usize::from(!is_done(2 * node, above));
        }
        Some(self.slots[node - self.width()])
    }

    fn set(&mut self, leaf: usize, node: Node) {
        self.nodes[leaf] = node;
        self.pull_up_from(leaf);
    }

    fn done_above(&self, leaf: usize) -> Work {
        let above = (1..=self.width().ilog2()).map(|level| self.nodes[leaf >> level].done);
        above.fold(Work::NONE, Work::add)
    }

    fn pull_up_from(&mut self, mut node: usize) {
        while node > 1 {
            node /= 2;
            self.pull_up(node);
        }
    }

    fn pull_up(&mut self, node: usize) {
        let (left, right) = (self.nodes[2 * node], self.nodes[2 * node + 1]);
        let Node { jobs, least, done } = &mut self.nodes[node];
        *jobs = left.jobs + right.jobs;
        *least = left.least.min(right.least).less(*done);
    }

    fn assign(&mut self, slot: Slot) -> usize {
        let leaf = self.width() + self.slots.len();
        self.slots.push(slot);
        if self.leaves.len() <= slot.index() {
            self.leaves.resize(slot.index() + 1, 0);
        }
        self.leaves[slot.index()] = u32::try_from(leaf).expect("twice the jobs at most, and few");
        leaf
    }

    /// Rebuilds the tree from the jobs, with at least twice as many leaves.
    fn rebuild(&mut self) {
        let width = (2 * self.len() as usize).next_power_of_two().max(LEAVES);
        let jobs: Vec<(Slot, Work)> = self.jobs().collect();
        self.nodes.clear();
        self.nodes.resize(2 * width, EMPTY);
        self.slots.clear();
        for (slot, least) in jobs {
            let leaf = self.assign(slot);
            self.nodes[leaf] = Node { jobs: 1, least, done: Work::NONE };
        }
        (1..width).rev().for_each(|node| self.pull_up(node));
    }

    /// The work left of each job, in order.
    pub fn jobs(&self) -> impl Iterator<Item = (Slot, Work)> {
        let taken = self.slots.iter().zip(self.width()..);
        let jobs = taken.filter(|&(_, leaf)| self.nodes[leaf].jobs > 0);
        jobs.map(|(&slot, leaf)| (slot, self.nodes[leaf].least.less(self.done_above(leaf))))
    }
}

/// Iterator over few nodes whose jobs are exactly the first `k` and all others.
struct Cut {
    k: u32,
    /// Current node, in the end the last of those nodes. Only its ancestors contain jobs of both
    /// kinds.
    node: usize,
    /// Work served to the jobs below the node that is recorded only in its ancestors.
    above: Work,
    is_over: bool,
}

impl Cut {
    fn after(k: u32) -> Self {
        Self { k, node: 1, above: Work::NONE, is_over: false }
    }

    /// The next node, and whether its jobs are among the first `k`.
    fn next(&mut self, nodes: &[Node]) -> Option<(usize, bool)> {
        if self.is_over {
            return None;
        }
        let Node { jobs, done, .. } = nodes[self.node];
        if self.k == 0 || self.k >= jobs {
            self.is_over = true;
            return Some((self.node, self.k > 0));
        }
        self.above += done;
        let (left, right) = (2 * self.node, 2 * self.node + 1);
        if self.k < nodes[left].jobs {
            self.node = left;
            return Some((right, false));
        }
        self.k -= nodes[left].jobs;
        self.node = right;
        Some((left, true))
    }
}

impl Node {
    fn serve(&mut self, done: Work) {
        self.least = self.least.less(done);
        self.done += done;
    }
}
