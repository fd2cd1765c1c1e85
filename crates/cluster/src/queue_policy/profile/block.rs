//! Some steps of a profile of equal nodes.

use std::ops::Range;

use gridsat_engine::time::Time;

/// A block with this many steps is divided; fewer than bits of a number.
pub const FULL: usize = 32;

/// Consecutive steps; at least one.
pub struct Block {
    times: Vec<Time>,
    /// Free nodes of each step.
    free: Vec<u32>,
    min: u32,
}

impl Block {
    pub fn new(times: Vec<Time>, free: Vec<u32>) -> Self {
        let mut block = Self { times, free, min: 0 };
        block.refresh();
        block
    }

    /// Number of steps.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Start of the first step.
    pub fn first(&self) -> Time {
        self.times[0]
    }

    /// All steps: their starts and free nodes.
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = (Time, u32)> {
        self.times.iter().copied().zip(self.free.iter().copied())
    }

    /// Free nodes of a step.
    pub fn at(&self, step: usize) -> u32 {
        self.free[step]
    }

    /// Free nodes of the last step.
    pub fn last(&self) -> u32 {
        self.at(self.len() - 1)
    }

    /// Smallest number of free nodes.
    pub fn min(&self) -> u32 {
        self.min
    }

    /// The first step that starts at this time or later.
    pub fn find(&self, time: Time) -> usize {
        self.times.partition_point(|&other| other < time)
    }

    /// Divides a step so that one begins at this time, which is not before the block; its number.
    pub fn cut(&mut self, time: Time) -> usize {
        let step = self.find(time);
        if self.times.get(step) != Some(&time) {
            self.times.insert(step, time);
            self.free.insert(step, self.free[step - 1]);
        }
        step
    }

    /// Removes a step, which is not the only one, and equal to the previous one.
    pub fn remove(&mut self, step: usize) {
        self.times.remove(step);
        self.free.remove(step);
        if step == 0 {
            self.refresh();
        }
    }

    /// Removes the steps before this time, at which the first then starts.
    pub fn advance(&mut self, now: Time) {
        let past = self.times.partition_point(|&time| time <= now) - 1;
        self.times.drain(..past);
        self.free.drain(..past);
        self.times[0] = now;
        self.refresh();
    }

    /// Moves the second half of the steps to a new block.
    pub fn split(&mut self) -> Self {
        let half = self.len() / 2;
        let second = Self::new(self.times.split_off(half), self.free.split_off(half));
        self.refresh();
        second
    }

    /// Appends the steps of the next block.
    pub fn append(&mut self, next: &Self) {
        self.times.extend_from_slice(&next.times);
        self.free.extend_from_slice(&next.free);
        self.min = self.min.min(next.min);
    }

    /// Takes nodes in some steps.
    pub fn take(&mut self, steps: Range<usize>, nodes: u32) {
        for free in &mut self.free[steps] {
            *free -= nodes;
            self.min = self.min.min(*free);
        }
    }

    /// Gives nodes in some steps.
    pub fn give(&mut self, steps: Range<usize>, nodes: u32) {
        let mut is_new = false;
        for free in &mut self.free[steps] {
            is_new |= *free == self.min;
            *free += nodes;
        }
        if is_new {
            self.refresh();
        }
    }

    fn refresh(&mut self) {
        self.min = self.free.iter().copied().fold(u32::MAX, u32::min);
    }

    /// The first time at which fewer nodes are free.
    pub fn first_below(&self, nodes: u32) -> Option<Time> {
        if self.min >= nodes {
            return None;
        }
        let step = self.free.iter().position(|&free| free < nodes);
        step.map(|step| self.times[step])
    }

    /// Passes start and end of each time with enough free nodes to `hole`, until it returns true.
    /// Returns the start of that hole, or of the one that has not ended.
    #[inline]
    pub fn holes(&self, nodes: u32, mut hole: impl FnMut(Time, Time) -> bool) -> Holes {
        let mut steps = self.steps_with(nodes);
        while steps != 0 {
            let first = steps.trailing_zeros();
            let end = first + (!(steps >> first)).trailing_zeros();
            let start = self.times[first as usize];
            let Some(&until) = self.times.get(end as usize) else { return Holes::Open(start) };
            if hole(start, until) {
                return Holes::Stopped(start);
            }
            steps = steps >> end << end;
        }
        Holes::Ended
    }

    /// Bit `s` is set if step `s` has this many free nodes: without branches, which would be hard
    /// to predict.
    #[inline]
    fn steps_with(&self, nodes: u32) -> u64 {
        self.free.iter().rev().fold(0, |steps, &free| steps << 1 | u64::from(free >= nodes))
    }

    /// Start of the time with enough free nodes that lasts until another time; whether it begins
    /// with the block.
    pub fn back_from(&self, time: Time, nodes: u32) -> (Time, bool) {
        let before = self.find(time);
        let free = self.free[..before].iter().rev();
        let enough = free.take_while(|free| **free >= nodes).count();
        let start = if enough == 0 { time } else { self.times[before - enough] };
        (start, enough == before)
    }
}

/// How a walk over the holes of a block ended.
pub enum Holes {
    /// In the hole with this start.
    Stopped(Time),
    /// With the block, in the hole with this start.
    Open(Time),
    /// With the block, in no hole.
    Ended,
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_model::Ticks;

    #[test]
    fn both_halves_know_their_minimum() {
        let mut block = Block::new((0..40).map(|t| Time(Ticks(t))).collect(), vec![10; 40]);
        block.take(3..5, 3);
        block.take(30..35, 4);
        let mut second = block.split();
        assert_eq!([block.min, second.min], [7, 6]);
        assert_eq!(second.steps().nth(12), Some((Time(Ticks(32)), 6)));
        second.give(10..15, 1);
        assert_eq!(second.min, 7);
        block.give(2..5, 2);
        block.append(&second);
        assert_eq!(block.min, 7);
    }
}
