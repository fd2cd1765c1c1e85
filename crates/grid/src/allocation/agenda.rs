//! Placed jobs ordered by their entries, smallest first, or in order of arrival.
//!
//! Both structures delete lazily: an entry is dead once its job has another stamp. Dead entries are
//! dropped when they come first, and all together when they are the majority. So a removal costs
//! amortised O(log n) or O(1), and memory stays within twice the live entries. The first entry is
//! never dead.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::Slot;
use super::jobs::{JobSlab, Stamp, has_stamp};
use super::levels::Level;

/// An entry about a placed job; the smallest one comes first.
pub(super) trait Entry: Ord + Copy {
    /// The placement that the entry is about.
    fn stamp(&self) -> Stamp;

    /// The job.
    fn slot(&self) -> Slot;
}

/// By the level of work at which a job is complete, ties by stamp.
pub(super) type Until = Level<Slot>;

impl Entry for Until {
    #[inline]
    fn stamp(&self) -> Stamp {
        self.order()
    }

    #[inline]
    fn slot(&self) -> Slot {
        self.job
    }
}

/// By the order of submission, with the stamp.
pub(super) type Submitted = (Stamp, Stamp, Slot);

impl Entry for Submitted {
    fn stamp(&self) -> Stamp {
        self.1
    }

    fn slot(&self) -> Slot {
        self.2
    }
}

/// Jobs by their entries.
#[derive(Clone, Debug)]
pub(super) struct Agenda<E> {
    heap: BinaryHeap<Reverse<E>>,
    dead: usize,
}

impl<E: Entry> Agenda<E> {
    pub fn new() -> Self {
        Self { heap: BinaryHeap::new(), dead: 0 }
    }

    #[inline]
    pub fn push(&mut self, entry: E) {
        self.heap.push(Reverse(entry));
    }

    #[inline]
    pub fn first(&self) -> Option<E> {
        self.heap.peek().map(|&Reverse(entry)| entry)
    }

    #[inline]
    pub fn pop(&mut self, jobs: &JobSlab) -> Option<Slot> {
        let Reverse(entry) = self.heap.pop()?;
        self.clean(jobs);
        Some(entry.slot())
    }

    /// To be called after one of its jobs lost its stamp.
    pub fn forget(&mut self, jobs: &JobSlab) {
        self.dead += 1;
        if 2 * self.dead > self.heap.len() {
            self.heap.retain(|Reverse(entry)| has_stamp(jobs, entry.stamp(), entry.slot()));
            self.dead = 0;
        }
        self.clean(jobs);
    }

    #[inline]
    fn clean(&mut self, jobs: &JobSlab) {
        while self.dead > 0
            && let Some(&Reverse(entry)) = self.heap.peek()
            && !has_stamp(jobs, entry.stamp(), entry.slot())
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
