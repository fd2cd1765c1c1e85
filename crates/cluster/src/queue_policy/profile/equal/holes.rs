//! Bounds on the lengths of holes, and the search that they make short.
//!
//! For each block, class `c` and step of the block with at least 2^c free nodes, the bound of the
//! class is at least the time for which so many stay free from that step on. Taking nodes keeps
//! this true. Giving them raises the bounds where holes begin or end in what is given.

use super::{Equal, Part};
use crate::queue_policy::profile::block::Holes;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

const CLASSES: usize = 16;

/// A bound that is not known. Signed, which is faster to compare in bulk.
pub const UNKNOWN: i32 = i32::MAX;

/// A length below [`UNKNOWN`]; longer ones are cut off.
pub fn short(span: Ticks) -> i32 {
    i32::try_from(span.0).map_or(UNKNOWN - 1, |span| span.min(UNKNOWN - 1))
}

/// The first number that is not smaller than another.
fn first_from(numbers: &[i32], least: i32) -> Option<usize> {
    const MANY: usize = 16;
    let is_there = |many: &[i32]| many.iter().fold(false, |any, &number| any | (number >= least));
    let skipped = numbers.chunks_exact(MANY).take_while(|many| !is_there(many)).count() * MANY;
    let found = numbers[skipped..].iter().position(|&number| number >= least);
    found.map(|offset| skipped + offset)
}

/// The largest class of holes in which this many nodes are to be looked for.
pub fn class(nodes: u32) -> usize {
    (nodes.max(1).ilog2() as usize).min(CLASSES - 1)
}

/// The bits that are set, in ascending order.
pub fn each(mut classes: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let class = (classes != 0).then(|| classes.trailing_zeros() as usize)?;
        classes &= classes - 1;
        Some(class)
    })
}

impl Equal {
    /// Bit `c` is set for each class `c` of holes that this number of free nodes allows. It may be
    /// more than there were in the beginning, if a failed node returns.
    pub(super) fn classes(&self, free: u32) -> u32 {
        let bits = (u32::BITS - free.leading_zeros()) as usize;
        (1 << bits.min(self.longest.len())) - 1
    }

    /// The first start from which on this many nodes are free for a time.
    pub fn earliest(&mut self, nodes: u32, span: Ticks) -> Option<Time> {
        self.first_hole(nodes, span, self.blocks.len())
    }

    /// The start of the first of these holes that begins in one of the first blocks.
    pub(super) fn first_hole(&mut self, nodes: u32, span: Ticks, blocks: usize) -> Option<Time> {
        let (span_or_more, class) = (short(span), class(nodes));
        let mut at = 0;
        while let Some(offset) = first_from(&self.longest[class][at..blocks], span_or_more) {
            at += offset;
            let is_loose = self.loose[at] & 1 << class != 0;
            if (!is_loose || self.measure(at, class) >= span_or_more)
                && let Some(start) = self.hole(at, nodes, span)
            {
                return Some(start);
            }
            at += 1;
        }
        None
    }

    /// Computes the longest hole of a class that begins in a block.
    fn measure(&mut self, at: usize, class: usize) -> i32 {
        let (nodes, mut longest) = (1 << class, Ticks(0));
        let holes = self.blocks[at].holes(nodes, |start, end| {
            longest = longest.max(end - start);
            false
        });
        if let Holes::Open(start) = holes {
            longest = longest.max(self.end_of_hole(at + 1, nodes) - start);
        }
        self.loose[at] &= !(1 << class);
        self.longest[class][at] = short(longest);
        self.longest[class][at]
    }

    /// The first hole that begins in a block and lasts long enough.
    fn hole(&self, at: usize, nodes: u32, span: Ticks) -> Option<Time> {
        match self.blocks[at].holes(nodes, |start, end| end - start >= span) {
            Holes::Stopped(start) => Some(start),
            Holes::Open(start) => {
                Some(start).filter(|&start| self.end_of_hole(at + 1, nodes) - start >= span)
            }
            Holes::Ended => None,
        }
    }

    /// The end of a hole that lasts until a block.
    fn end_of_hole(&self, at: usize, nodes: u32) -> Time {
        self.blocks[at..].iter().find_map(|block| block.first_below(nodes)).unwrap_or(Time::NEVER)
    }

    /// Raises the bounds of holes that begin or became longer where these nodes were given.
    pub(super) fn lengthen(&mut self, part: &Part, nodes: u32) {
        let (mut next, mut step) = (part.end, part.last);
        let (mut end, mut after) = self.blocks[next].step(step);
        let mut changed = 0;
        let mut at = next;
        while (at, step) != (part.begin, part.first) {
            if step == 0 {
                at -= 1;
                step = self.blocks[at].len();
            }
            step -= 1;
            let (start, free) = self.blocks[at].step(step);
            changed |= self.classes(free) & !self.classes(free - nodes);
            for class in each(self.classes(free) & changed) {
                let more = if after >> class == 0 { 0 } else { self.longest[class][next] };
                let longest = &mut self.longest[class][at];
                *longest = more.saturating_add(short(end - start)).max(*longest);
            }
            self.loose[at] |= changed;
            (next, end, after) = (at, start, free);
        }
        self.lengthen_before(part, changed);
    }

    /// The same for holes that begin earlier and last until there: they become unknown.
    fn lengthen_before(&mut self, part: &Part, changed: u32) {
        let (mut at, mut last) = (part.begin, part.first);
        let mut longer = changed;
        loop {
            if last == 0 {
                if at == 0 {
                    return;
                }
                at -= 1;
                last = self.blocks[at].len();
            }
            longer &= self.classes(self.blocks[at].at(last - 1));
            if longer == 0 {
                return;
            }
            each(longer).for_each(|class| self.longest[class][at] = UNKNOWN);
            self.loose[at] |= longer;
            longer &= self.classes(self.blocks[at].least(last));
            last = 0;
        }
    }
}
