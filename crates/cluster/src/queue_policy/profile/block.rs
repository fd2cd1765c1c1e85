//! Some steps of a profile of equal nodes.

use std::ops::Range;

use gridsat_engine::time::Time;

/// Room for steps: as many as a mask has bits, of which the last stays unused.
const ROOM: usize = u32::BITS as usize;

/// A block with this many steps is divided, and before that it gets at most two more.
pub const FULL: usize = ROOM - 2;

/// Consecutive steps; at least one. Arrays of fixed length, because they are compared as a whole.
pub struct Block {
    len: usize,
    /// Smallest number of free nodes.
    min: u32,
    /// Free nodes of each step.
    free: [u32; ROOM],
    times: [Time; ROOM],
}

impl Block {
    /// A block of one step.
    pub fn new(time: Time, free: u32) -> Self {
        let mut block = Self { len: 0, min: free, free: [0; ROOM], times: [Time::ZERO; ROOM] };
        block.extend(&[time], &[free]);
        block
    }

    fn extend(&mut self, times: &[Time], free: &[u32]) {
        let end = self.len + times.len();
        self.times[self.len..end].copy_from_slice(times);
        self.free[self.len..end].copy_from_slice(free);
        self.len = end;
    }

    fn times(&self) -> &[Time] {
        &self.times[..self.len]
    }

    fn free(&self) -> &[u32] {
        &self.free[..self.len]
    }

    /// Number of steps.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Start of the first step.
    pub fn first(&self) -> Time {
        self.times[0]
    }

    /// All steps: their starts and free nodes.
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = (Time, u32)> {
        self.times().iter().copied().zip(self.free().iter().copied())
    }

    /// The start of a step, if there is one.
    pub fn starts(&self, step: usize) -> Option<Time> {
        self.times().get(step).copied()
    }

    /// A step: its start and free nodes.
    pub fn step(&self, step: usize) -> (Time, u32) {
        (self.times[step], self.free[step])
    }

    /// Free nodes of a step.
    pub fn at(&self, step: usize) -> u32 {
        self.free[step]
    }

    /// Free nodes of the last step.
    pub fn last(&self) -> u32 {
        self.at(self.len() - 1)
    }

    /// Smallest number of free nodes before a step.
    pub fn least(&self, step: usize) -> u32 {
        self.free[..step].iter().copied().fold(u32::MAX, u32::min)
    }

    /// The first step that starts at this time or later.
    #[inline]
    pub fn find(&self, time: Time) -> usize {
        self.times().partition_point(|&other| other < time)
    }

    /// Divides a step so that one begins at this time, which is not before the block; its number.
    pub fn cut(&mut self, time: Time) -> usize {
        let (step, len) = (self.find(time), self.len);
        if step == len || self.times[step] != time {
            self.insert(step, time, self.free[step - 1]);
        }
        step
    }

    /// Inserts a step.
    pub fn insert(&mut self, step: usize, time: Time, free: u32) {
        self.times.copy_within(step..self.len, step + 1);
        self.free.copy_within(step..self.len, step + 1);
        (self.times[step], self.free[step]) = (time, free);
        self.len += 1;
    }

    /// Changes the start of a step.
    pub fn begin(&mut self, step: usize, time: Time) {
        self.times[step] = time;
    }

    /// Removes a step, which is not the only one, and equal to the previous one.
    pub fn remove(&mut self, step: usize) {
        self.times.copy_within(step + 1..self.len, step);
        self.free.copy_within(step + 1..self.len, step);
        self.len -= 1;
        if step == 0 {
            self.refresh();
        }
    }

    /// Removes the steps before this time, at which the first then starts.
    pub fn advance(&mut self, now: Time) {
        let past = self.times().partition_point(|&time| time <= now) - 1;
        self.times.copy_within(past..self.len, 0);
        self.free.copy_within(past..self.len, 0);
        self.len -= past;
        self.times[0] = now;
        self.refresh();
    }

    /// Moves the second half of the steps to a new block.
    pub fn split(&mut self) -> Self {
        let half = self.len / 2;
        let mut second = Self { len: 0, ..*self };
        second.extend(&self.times[half..self.len], &self.free[half..self.len]);
        self.len = half;
        self.refresh();
        second.refresh();
        second
    }

    /// Appends the steps of the next block.
    pub fn append(&mut self, next: &Self) {
        self.extend(next.times(), next.free());
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
        self.min = self.free().iter().copied().fold(u32::MAX, u32::min);
    }

    /// The first time at which fewer nodes are free.
    pub fn first_below(&self, nodes: u32) -> Option<Time> {
        if self.min >= nodes {
            return None;
        }
        let step = self.free().iter().position(|&free| free < nodes);
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
            if end as usize == self.len {
                return Holes::Open(start);
            }
            if hole(start, self.times[end as usize]) {
                return Holes::Stopped(start);
            }
            steps = steps >> end << end;
        }
        Holes::Ended
    }

    /// Bit `s` is set if step `s` has this many free nodes. All bits are computed at once, without
    /// branches, which would be hard to predict.
    #[inline]
    fn steps_with(&self, nodes: u32) -> u32 {
        let bit = |step: usize| u32::from(self.free[step] >= nodes) << step;
        let all = (0..ROOM).fold(0, |steps, step| steps | bit(step));
        all & ((1 << self.len) - 1)
    }

    /// The first step of the hole that lasts until another step; that step without a hole.
    pub fn back_from(&self, step: usize, nodes: u32) -> usize {
        let free = self.free[..step].iter().rev();
        step - free.take_while(|free| **free >= nodes).count()
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
        let mut block = Block::new(Time::ZERO, 10);
        (1..30).for_each(|t| assert_eq!(block.cut(Time(Ticks(t))), t as usize));
        block.take(3..5, 3);
        block.take(20..25, 4);
        let mut second = block.split();
        assert_eq!([block.min, second.min], [7, 6]);
        assert_eq!(second.steps().nth(7), Some((Time(Ticks(22)), 6)));
        second.give(5..10, 1);
        assert_eq!(second.min, 7);
        block.give(2..5, 2);
        block.append(&second);
        assert_eq!(block.min, 7);
    }
}
