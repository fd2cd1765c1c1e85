//! Free nodes of one kind over time, in blocks of steps.
//!
//! A *hole* for a number of nodes is a time in which at least as many are free. For each block and
//! each size class `c` the profile knows a bound on the longest hole for 2^c nodes that begins in
//! the block. A search compares these bounds with the run time of the job and looks at the steps of
//! those blocks only that may have a hole for it. Nodes that are taken make holes shorter, so that
//! bounds stay valid; they are computed again if a block turns out to have no hole. Nodes that
//! become free make them unknown until the next search. With `n` steps a search compares about
//! `n / 24` numbers.

use std::ops::Range;

use super::block::{Block, FULL, Holes};
use super::mixed::Mixed;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

const CLASSES: usize = 16;

/// Signed, which is faster to compare in bulk.
const UNKNOWN: i32 = i32::MAX;

/// A length below [`UNKNOWN`]; longer ones are cut off.
fn short(span: Ticks) -> i32 {
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

fn class(nodes: u32) -> usize {
    (nodes.max(1).ilog2() as usize).min(CLASSES - 1)
}

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
            self.forget(0);
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
        (part.begin..=part.end).for_each(|at| self.forget(at));
        self.forget_before(part.begin);
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

    fn forget(&mut self, at: usize) {
        self.longest.iter_mut().for_each(|longest| longest[at] = UNKNOWN);
        self.loose[at] = u32::MAX;
    }

    /// Forgets the lengths of holes that last until this block from earlier ones.
    fn forget_before(&mut self, changed: usize) {
        let mut nodes = u32::MAX;
        for at in (0..changed).rev() {
            let block = &self.blocks[at];
            nodes = nodes.min(block.last());
            if nodes == 0 {
                break;
            }
            self.longest.iter_mut().take(class(nodes) + 1).for_each(|known| known[at] = UNKNOWN);
            self.loose[at] = u32::MAX;
            nodes = nodes.min(block.min());
            if nodes == 0 {
                break;
            }
        }
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
            self.forget(at);
            self.insert(at + 1, Box::new(second));
        } else if len(at) + len(at + 1) <= FULL / 2 {
            let next = self.remove(at + 1);
            self.blocks[at].append(&next);
            self.forget(at);
        }
    }

    /// Whether this many nodes are free at some time before a limit.
    pub fn may_start_before(&self, limit: Time, nodes: u32) -> bool {
        self.blocks.iter().take_while(|block| block.first() < limit).any(|block| {
            block.steps().take_while(|step| step.0 < limit).any(|step| step.1 >= nodes)
        })
    }

    /// The first start before `last` from which on this many nodes are free for a time, or until
    /// `own`.
    pub fn earliest(&mut self, nodes: u32, span: Ticks, last: Time, own: Time) -> Option<Time> {
        let (back, mut blocks) = self.back_from(own, nodes);
        let (span_or_more, class) = (short(span), class(nodes));
        if last < back {
            blocks = self.firsts.partition_point(|&first| first < last);
        }
        let mut at = 0;
        while let Some(offset) = first_from(&self.longest[class][at..blocks], span_or_more) {
            at += offset;
            let is_loose = self.loose[at] & 1 << class != 0;
            if (!is_loose || self.measure(at, class) >= span_or_more)
                && let Some(start) = self.hole(at, nodes, span)
            {
                return Some(start.min(back)).filter(|&start| start < last);
            }
            at += 1;
        }
        Some(back).filter(|&start| start < own && start < last)
    }

    /// The start of the hole that lasts until a time, or that time without a hole; number of blocks
    /// that begin before it, or one more.
    fn back_from(&self, time: Time, nodes: u32) -> (Time, usize) {
        if time == Time::NEVER {
            return (time, self.blocks.len());
        }
        let mut start = time;
        for at in (0..=self.block_of(time)).rev() {
            let (earlier, begins_with_block) = self.blocks[at].back_from(start, nodes);
            start = earlier;
            if !begins_with_block {
                return (start, at + 1);
            }
        }
        (start, 0)
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

    /// Moves a booking to the earliest start before `last`, if that is before its own.
    pub fn move_earlier(&mut self, nodes: u32, from: Time, to: Time, last: Time) -> Option<Time> {
        let span = to - from;
        let start = self.earliest(nodes, span, last.min(from), from)?;
        self.take(start, (start + span).min(from), nodes);
        self.give((start + span).max(from), to, nodes);
        Some(start)
    }

    /// The same steps as a general profile.
    pub fn to_mixed(&self) -> Mixed {
        Mixed::of_steps(self.steps())
    }

    fn steps(&self) -> impl Iterator<Item = (Time, u32)> {
        self.blocks.iter().flat_map(|block| block.steps())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_statistics::random;
    use rand::RngExt;

    /// Free nodes of each tick, and every answer by looking at all of them.
    struct Plain {
        now: u64,
        free: Vec<u32>,
    }

    impl Plain {
        fn fits(&self, start: u64, span: u64, nodes: u32, own: u64) -> bool {
            (start..start + span).all(|tick| {
                tick >= own || self.free.get(tick as usize).is_none_or(|&free| free >= nodes)
            })
        }

        fn earliest(&self, nodes: u32, span: u64, last: u64, own: u64) -> Option<u64> {
            (self.now..last.min(self.free.len() as u64 + 1))
                .find(|&start| self.fits(start, span, nodes, own))
        }
    }

    const NODES: u32 = 40;
    const TICKS: u64 = 6000;

    fn check(equal: &Equal, plain: &Plain, seed: u64) {
        let mut steps: Vec<(u64, u32)> = Vec::new();
        for tick in plain.now..TICKS {
            let free = plain.free[tick as usize];
            if steps.last().is_none_or(|last| last.1 != free) {
                steps.push((tick, free));
            }
        }
        let shown = equal.steps().map(|(time, free)| (time.0.0, free));
        assert_eq!(shown.collect::<Vec<_>>(), steps, "seed {seed}");
    }

    /// Compares with the plain profile on random bookings, moves, ends and searches.
    #[test]
    fn does_what_a_list_of_ticks_does() {
        let time = |tick| Time(Ticks(tick));
        let (mut moves, mut most) = (0, 0);
        for seed in 0..8 {
            let mut random = random::stream(seed, "test/profile", 0);
            let mut equal = Equal::default();
            equal.reset(Time::ZERO, NODES);
            let mut plain = Plain { now: 0, free: vec![NODES; TICKS as usize] };
            let mut booked: Vec<(u64, u64, u32)> = Vec::new();
            for step in 0..600 {
                let nodes = random.random_range(1..=if step % 5 == 0 { NODES } else { 8 });
                let span = random.random_range(1..if step % 7 == 0 { 300 } else { 40 });
                let start = plain.earliest(nodes, span, TICKS, TICKS).expect("it is long");
                let found = equal.earliest(nodes, Ticks(span), Time::NEVER, Time::NEVER);
                assert_eq!(found, Some(time(start)), "seed {seed}, step {step}");
                if start + span < TICKS && random.random_range(0..3) > 0 {
                    equal.take(time(start), time(start + span), nodes);
                    (start..start + span).for_each(|tick| plain.free[tick as usize] -= nodes);
                    booked.push((start, start + span, nodes));
                }
                if step % 4 == 0 && !booked.is_empty() {
                    let at = random.random_range(0..booked.len());
                    let (from, to, nodes) = booked.swap_remove(at);
                    equal.give(time(from), time(to), nodes);
                    (from..to).for_each(|tick| plain.free[tick as usize] += nodes);
                }
                if step % 3 == 0 && !booked.is_empty() {
                    let at = random.random_range(0..booked.len());
                    let (from, to, nodes) = booked[at];
                    let last = random.random_range(plain.now..2 * from.max(plain.now) + 2);
                    let better =
                        plain.earliest(nodes, to - from, last.min(from), from.max(plain.now));
                    let moved = equal.move_earlier(nodes, time(from), time(to), time(last));
                    assert_eq!(moved, better.map(time), "seed {seed}, step {step}");
                    if let Some(start) = better {
                        (from..to).for_each(|tick| plain.free[tick as usize] += nodes);
                        let end = start + to - from;
                        (start..end).for_each(|tick| plain.free[tick as usize] -= nodes);
                        booked[at] = (start, end, nodes);
                        moves += 1;
                    }
                }
                if step % 40 == 0 {
                    plain.now += random.random_range(0..10);
                    equal.advance(time(plain.now));
                    booked.retain(|booking| booking.0 >= plain.now);
                }
                check(&equal, &plain, seed);
                most = most.max(equal.blocks.len());
            }
        }
        assert!(moves > 100 && most > 4, "{moves} moves, {most} blocks");
    }
}
