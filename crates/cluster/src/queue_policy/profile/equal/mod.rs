//! Free nodes of one kind over time, in blocks of steps.
//!
//! A *hole* for a number of nodes is a time in which at least as many are free. For each block and
//! each size class `c` the profile knows a bound on the longest hole for 2^c nodes that begins in
//! the block. A search compares these bounds with the run time of the job and looks at the steps of
//! those blocks only that may have a hole for it. With `n` steps a search compares about `n / 24`
//! numbers.
//!
//! | file | work |
//! | --- | --- |
//! | `holes` | the bounds, and searches with them |
//! | `moves` | bookings that move to an earlier time |

mod holes;
mod moves;
#[cfg(test)]
mod tests;

use std::ops::Range;

use super::block::{Block, FULL};
use super::mixed::Mixed;
use gridsat_engine::time::Time;
use holes::{UNKNOWN, class};

/// Free nodes over time; adjacent steps differ, and the last lasts for ever.
#[derive(Default)]
pub struct Equal {
    #[expect(
        clippy::vec_box,
        reason = "blocks take 400 bytes, and new ones are inserted in between"
    )]
    blocks: Vec<Box<Block>>,
    /// Start of each block.
    firsts: Vec<Time>,
    /// For each size class a bound on the longest hole of each block, as far as it is known.
    longest: Vec<Vec<i32>>,
    /// For each block: bit `c` is set if the bound of class `c` may be too large.
    loose: Vec<u32>,
}

/// The steps from one to another, by block and step.
struct Part {
    begin: usize,
    first: usize,
    end: usize,
    last: usize,
}

impl Equal {
    /// Sets the free nodes from now on.
    pub fn reset(&mut self, now: Time, free: u32) {
        self.blocks.clear();
        self.firsts.clear();
        self.loose.clear();
        self.longest = vec![Vec::new(); class(free) + 1];
        self.insert(0, Box::new(Block::new(now, free)));
    }

    fn insert(&mut self, at: usize, block: Box<Block>) {
        self.firsts.insert(at, block.first());
        self.longest.iter_mut().for_each(|longest| longest.insert(at, UNKNOWN));
        self.loose.insert(at, u32::MAX);
        self.blocks.insert(at, block);
    }

    fn remove(&mut self, at: usize) -> Box<Block> {
        self.firsts.remove(at);
        self.longest.iter_mut().for_each(|longest| _ = longest.remove(at));
        self.loose.remove(at);
        self.blocks.remove(at)
    }

    /// Removes steps that are past.
    pub fn advance(&mut self, now: Time) {
        let past = self.firsts.partition_point(|&first| first <= now).saturating_sub(1);
        self.blocks.drain(..past);
        self.firsts.drain(..past);
        self.longest.iter_mut().for_each(|longest| _ = longest.drain(..past));
        self.loose.drain(..past);
        if self.firsts.first().is_some_and(|&first| first < now) {
            self.blocks[0].advance(now);
            self.firsts[0] = now;
        }
    }

    /// Marks nodes as occupied from one time to another.
    pub fn take(&mut self, from: Time, to: Time, nodes: u32) {
        let Some(part) = self.cut(from, to) else { return };
        self.change(&part, |block, steps| block.take(steps, nodes));
        self.loose[part.begin..=part.end].fill(u32::MAX);
        self.mend_ends(&part);
    }

    /// Marks nodes as free from one time to another.
    pub fn give(&mut self, from: Time, to: Time, nodes: u32) {
        let Some(part) = self.cut(from, to) else { return };
        self.change(&part, |block, steps| block.give(steps, nodes));
        self.lengthen(&part, nodes);
        self.mend_ends(&part);
    }

    /// Divides steps so that one begins at each of two times.
    fn cut(&mut self, from: Time, to: Time) -> Option<Part> {
        let from = from.max(self.firsts[0]);
        if from >= to {
            return None;
        }
        let begin = self.block_of(from);
        let first = self.blocks[begin].cut(from);
        let mut end = begin;
        while self.firsts.get(end + 1).is_some_and(|&next| next <= to) {
            end += 1;
        }
        let last = self.blocks[end].cut(to);
        Some(Part { begin, first, end, last })
    }

    #[inline]
    fn change(&mut self, part: &Part, change: impl Fn(&mut Block, Range<usize>)) {
        let &Part { begin, first, end, last } = part;
        for (at, block) in self.blocks[begin..=end].iter_mut().enumerate() {
            let first = if at == 0 { first } else { 0 };
            let last = if begin + at == end { last } else { block.len() };
            change(block, first..last);
        }
    }

    fn mend_ends(&mut self, &Part { begin, first, end, last }: &Part) {
        // The later one first, so that the earlier stays where it is.
        self.mend(end, last);
        self.mend(begin, first);
        if end > begin {
            self.balance(end);
        }
        self.balance(begin);
    }

    /// The block with the step at this time.
    fn block_of(&self, time: Time) -> usize {
        self.firsts.partition_point(|&first| first <= time).saturating_sub(1)
    }

    /// Removes a step if it is equal to the previous one.
    fn mend(&mut self, at: usize, step: usize) {
        let before = match (at, step) {
            (0, 0) => return,
            (_, 0) => self.blocks[at - 1].last(),
            _ => self.blocks[at].at(step - 1),
        };
        if self.blocks[at].at(step) != before {
            return;
        }
        if self.blocks[at].len() == 1 {
            self.remove(at);
        } else {
            self.blocks[at].remove(step);
            self.firsts[at] = self.blocks[at].first();
        }
    }

    /// Divides a block that is full, or joins it with the next if both have few steps.
    fn balance(&mut self, at: usize) {
        let len = |at: usize| self.blocks.get(at).map_or(FULL, |block| block.len());
        if at < self.blocks.len() && len(at) >= FULL {
            let second = self.blocks[at].split();
            self.insert(at + 1, Box::new(second));
            self.longest.iter_mut().for_each(|longest| longest[at + 1] = longest[at]);
            self.loose[at] = u32::MAX;
        } else if len(at) + len(at + 1) <= FULL / 2 {
            self.longest
                .iter_mut()
                .for_each(|longest| longest[at] = longest[at].max(longest[at + 1]));
            self.loose[at] |= self.loose[at + 1];
            let next = self.remove(at + 1);
            self.blocks[at].append(&next);
        }
    }

    /// Whether this many nodes are free at some time before a limit.
    pub fn may_start_before(&self, limit: Time, nodes: u32) -> bool {
        self.blocks.iter().take_while(|block| block.first() < limit).any(|block| {
            block.steps().take_while(|step| step.0 < limit).any(|step| step.1 >= nodes)
        })
    }

    /// The same steps as a general profile.
    pub fn to_mixed(&self) -> Mixed {
        Mixed::of_steps(self.steps())
    }

    fn steps(&self) -> impl Iterator<Item = (Time, u32)> {
        self.blocks.iter().flat_map(|block| block.steps())
    }
}
