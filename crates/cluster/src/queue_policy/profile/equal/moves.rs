//! Bookings that move to an earlier time.
//!
//! Nearly all of them slide to the start of the hole that ends where they begin, by less than their
//! length. Then only the steps at their start and end change.

use super::holes::{each, short};
use super::{Equal, FULL};
use gridsat_engine::time::Time;

/// The place of a step.
#[derive(Clone, Copy)]
struct Place {
    at: usize,
    step: usize,
}

impl Equal {
    /// Moves a booking to the earliest start before `last`, if that is before its own.
    pub fn move_earlier(&mut self, nodes: u32, from: Time, to: Time, last: Time) -> Option<Time> {
        let (span, own) = (to - from, self.place_of(from));
        let first = self.back_from(own, nodes);
        let mut start = self.blocks[first.at].starts(first.step).unwrap_or(from).min(from);
        let mut blocks = first.at + 1;
        if last < start {
            blocks = self.firsts.partition_point(|&first| first < last);
        }
        let found = self.first_hole(nodes, span, blocks);
        let is_near = found.is_none_or(|found| found >= start) && start + span > from;
        start = found.map_or(start, |found| found.min(start));
        if start >= last.min(from) {
            return None;
        }
        if is_near {
            self.slide(nodes, first, own, (from, to));
        } else {
            self.take(start, (start + span).min(from), nodes);
            self.give((start + span).max(from), to, nodes);
        }
        Some(start)
    }

    /// Moves a booking to the start of the hole before it, which takes fewer steps in the most
    /// frequent cases: the hole is in one block, and no step begins in what is given at the end.
    fn slide(&mut self, nodes: u32, first: Place, own: Place, (from, to): (Time, Time)) {
        let start = self.blocks[first.at].starts(first.step).expect("it is before another");
        if first.at == own.at && self.blocks[own.at].starts(own.step) == Some(from) {
            self.blocks[own.at].take(first.step..own.step, nodes);
            self.loose[own.at] = u32::MAX;
            self.mend(own.at, own.step);
            self.mend(own.at, first.step);
            self.balance(own.at);
        } else {
            self.take(start, from, nodes);
        }
        self.give_end(nodes, own.at, (start + (to - from), to));
    }

    /// Marks nodes as free for a short time.
    fn give_end(&mut self, nodes: u32, near: usize, (from, to): (Time, Time)) {
        let Place { at, step } = self.place_after(near, to);
        let block = &mut self.blocks[at];
        if step == 0 || block.starts(step) != Some(to) || block.step(step - 1).0 >= from {
            return self.give(from, to, nodes);
        }
        let (old, after) = (block.at(step - 1), block.at(step));
        let free = old + nodes;
        if free == after {
            block.begin(step, from);
        } else {
            block.insert(step, from, free);
        }
        let changed = self.classes(free) & !self.classes(old);
        self.loose[at] |= changed;
        for class in each(changed) {
            let longest = &mut self.longest[class][at];
            let more = if after >> class == 0 { 0 } else { *longest };
            *longest = more.saturating_add(short(to - from)).max(*longest);
        }
        if self.blocks[at].len() >= FULL {
            self.balance(at);
        }
    }

    /// The place of the first step at this time or later.
    fn place_of(&self, time: Time) -> Place {
        let at = self.block_of(time);
        Place { at, step: self.blocks[at].find(time) }
    }

    /// The same for a time soon after the start of a block.
    fn place_after(&self, at: usize, time: Time) -> Place {
        const NEAR: usize = 4;
        let near = self.firsts.iter().skip(at).take(NEAR);
        let at = match near.take_while(|&&first| first <= time).count() {
            0 | NEAR => return self.place_of(time),
            begun => at + begun - 1,
        };
        Place { at, step: self.blocks[at].find(time) }
    }

    /// The first step of the hole that lasts until a place; that place without a hole.
    fn back_from(&self, Place { mut at, mut step }: Place, nodes: u32) -> Place {
        loop {
            step = self.blocks[at].back_from(step, nodes);
            if step > 0 || at == 0 || self.blocks[at - 1].last() < nodes {
                return Place { at, step };
            }
            at -= 1;
            step = self.blocks[at].len();
        }
    }
}
