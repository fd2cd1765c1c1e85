//! Placed jobs ordered by a key, smallest first, or in order of arrival.
//!
//! Both structures delete lazily: an entry is dead once its job has another stamp. Dead entries are
//! dropped when they come first, and all together when they are the majority. So a removal costs
//! amortised O(log n) or O(1), and memory stays within twice the live entries. The first entry is
//! never dead.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::Slot;
use super::jobs::{JobSlab, Stamp, has_stamp};

/// Jobs by key, ties by stamp.
#[derive(Clone, Debug)]
pub(super) struct Agenda<K> {
    heap: BinaryHeap<Reverse<(K, Stamp, Slot)>>,
    dead: usize,
}

impl<K: Ord + Copy> Agenda<K> {
    pub fn new() -> Self {
        Self { heap: BinaryHeap::new(), dead: 0 }
    }

    pub fn push(&mut self, key: K, stamp: Stamp, slot: Slot) {
        self.heap.push(Reverse((key, stamp, slot)));
    }

    pub fn first(&self) -> Option<(K, Slot)> {
        self.heap.peek().map(|&Reverse((key, _, slot))| (key, slot))
    }

    pub fn pop(&mut self, jobs: &JobSlab) -> Option<Slot> {
        let Reverse((_, _, slot)) = self.heap.pop()?;
        self.clean(jobs);
        Some(slot)
    }

    /// To be called after one of its jobs lost its stamp.
    pub fn forget(&mut self, jobs: &JobSlab) {
        self.dead += 1;
        if 2 * self.dead > self.heap.len() {
            self.heap.retain(|&Reverse((_, stamp, slot))| has_stamp(jobs, stamp, slot));
            self.dead = 0;
        }
        self.clean(jobs);
    }

    fn clean(&mut self, jobs: &JobSlab) {
        while self.dead > 0
            && let Some(&Reverse((_, stamp, slot))) = self.heap.peek()
            && !has_stamp(jobs, stamp, slot)
        {
            self.heap.pop();
            self.dead -= 1;
        }
    }
}

/// Jobs in order of arrival.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    entries: VecDeque<(Stamp, Slot)>,
    dead: usize,
}

impl Line {
    pub fn len(&self) -> usize {
        self.entries.len() - self.dead
    }

    pub fn push(&mut self, stamp: Stamp, slot: Slot) {
        self.entries.push_back((stamp, slot));
    }

    /// Adds a job before all others.
    pub fn push_front(&mut self, stamp: Stamp, slot: Slot) {
        self.entries.push_front((stamp, slot));
    }

    pub fn first(&self) -> Option<Slot> {
        self.entries.front().map(|&(_, slot)| slot)
    }

    pub fn second(&mut self, jobs: &JobSlab) -> Option<Slot> {
        let first = self.entries.pop_front()?;
        self.clean(jobs);
        let second = self.first();
        self.entries.push_front(first);
        second
    }

    pub fn pop(&mut self, jobs: &JobSlab) -> Option<Slot> {
        let (_, slot) = self.entries.pop_front()?;
        self.clean(jobs);
        Some(slot)
    }

    /// To be called after one of its jobs lost its stamp.
    pub fn forget(&mut self, jobs: &JobSlab) {
        self.dead += 1;
        if 2 * self.dead > self.entries.len() {
            self.entries.retain(|&(stamp, slot)| has_stamp(jobs, stamp, slot));
            self.dead = 0;
        }
        self.clean(jobs);
    }

    fn clean(&mut self, jobs: &JobSlab) {
        while self.dead > 0
            && let Some(&(stamp, slot)) = self.entries.front()
            && !has_stamp(jobs, stamp, slot)
        {
            self.entries.pop_front();
            self.dead -= 1;
        }
    }
}
