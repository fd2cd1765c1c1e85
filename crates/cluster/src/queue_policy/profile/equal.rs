//! Free nodes of one kind over time, in blocks of steps.
//!
//! A search looks at each block once, and at the steps of those only that may contain or end the
//! hole: the others have too few free nodes, enough all the time, or no hole that lasts as long, by
//! the size class of the job. A change touches the steps at its ends and the blocks between. With
//! `n` steps both cost about `n / 64` operations and two blocks.

use std::collections::VecDeque;

use super::block::{Block, FULL, Search};
use super::mixed::Mixed;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// Free nodes over time; adjacent steps differ, and the last lasts for ever.
#[derive(Default)]
pub struct Equal {
    blocks: VecDeque<Block>,
}

impl Equal {
    /// Sets the free nodes from now on.
    pub fn reset(&mut self, now: Time, free: u32) {
        self.blocks.clear();
        self.blocks.push_back(Block::new(vec![now], vec![free]));
    }

    /// Removes steps that are past.
    pub fn advance(&mut self, now: Time) {
        while self.blocks.get(1).is_some_and(|block| block.first <= now) {
            self.blocks.pop_front();
        }
        if let Some(block) = self.blocks.front_mut().filter(|block| block.first < now) {
            let next = block.find(now);
            let step = if block.starts_at(next, now) { next } else { next - 1 };
            block.drop_before(step, now);
        }
    }

    /// Marks nodes as occupied from one time to another.
    pub fn take(&mut self, from: Time, to: Time, nodes: u32) {
        self.change(from, to, nodes.wrapping_neg());
    }

    /// Marks nodes as free from one time to another.
    pub fn give(&mut self, from: Time, to: Time, nodes: u32) {
        self.change(from, to, nodes);
    }

    fn change(&mut self, from: Time, to: Time, by: u32) {
        let from = from.max(self.blocks[0].first);
        if from >= to {
            return;
        }
        self.cut(to);
        self.cut(from);
        let (begin, end) = (self.block_of(from), self.block_of(to));
        let first = self.blocks[begin].find(from);
        let last = self.blocks[end].find(to);
        if begin == end {
            self.blocks[begin].change(first..last, by);
        } else {
            let all = self.blocks[begin].len();
            self.blocks[begin].change(first..all, by);
            self.blocks.range_mut(begin + 1..end).for_each(|block| block.change_all(by));
            if last > 0 {
                self.blocks[end].change(0..last, by);
            }
        }
        self.mend(to);
        self.mend(from);
    }

    /// The block with the step at this time.
    fn block_of(&self, time: Time) -> usize {
        self.blocks.partition_point(|block| block.first <= time).saturating_sub(1)
    }

    /// Divides a step so that one begins at this time.
    fn cut(&mut self, time: Time) {
        let at = self.block_of(time);
        let block = &mut self.blocks[at];
        let step = block.find(time);
        if block.starts_at(step, time) {
            return;
        }
        block.cut(step, time);
        if block.len() == FULL {
            let second = block.split();
            self.blocks.insert(at + 1, second);
        }
    }

    /// Removes the step at this time if it is equal to the previous one.
    fn mend(&mut self, time: Time) {
        let at = self.block_of(time);
        let step = self.blocks[at].find(time);
        let before = match (at, step) {
            (0, 0) => return,
            (_, 0) => self.blocks[at - 1].at(self.blocks[at - 1].len() - 1),
            _ => self.blocks[at].at(step - 1),
        };
        if self.blocks[at].at(step) != before {
            return;
        }
        if self.blocks[at].len() == 1 {
            self.blocks.remove(at);
            return;
        }
        self.blocks[at].remove(step);
        self.close_up(at);
    }

    /// Joins a block with the next if both have few steps.
    fn close_up(&mut self, at: usize) {
        let len = |at: usize| self.blocks.get(at).map_or(FULL, Block::len);
        if len(at) + len(at + 1) <= FULL / 2 {
            let next = self.blocks.remove(at + 1).expect("it has a length");
            self.blocks[at].append(&next);
        }
    }

    /// Whether this many nodes are free at some time before a limit.
    pub fn may_start_before(&self, limit: Time, nodes: u32) -> bool {
        self.blocks.iter().take_while(|block| block.first < limit).any(|block| {
            block.max() >= nodes
                && block.steps().take_while(|step| step.0 < limit).any(|step| step.1 >= nodes)
        })
    }

    /// The first start before `last` from which on this many nodes are free for a time, or until
    /// `own`.
    pub fn earliest(&mut self, nodes: u32, span: Ticks, last: Time, own: Time) -> Option<Time> {
        let mut search = Search { nodes, span, last, own, start: None };
        for at in 0..self.blocks.len() {
            let end = self.blocks.get(at + 1).map_or(Time::NEVER, |next| next.first);
            if let Some(found) = self.blocks[at].search(&mut search, end) {
                return found;
            }
        }
        // The last step lasts for ever.
        search.start.filter(|&start| start < last)
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
        Mixed::of_steps(self.blocks.iter().flat_map(Block::steps))
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
        let shown = equal.blocks.iter().flat_map(Block::steps).map(|(time, free)| (time.0.0, free));
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
