//! Some steps of a profile of equal nodes.
//!
//! A number that all steps share is added lazily, so that nodes can be taken or given over the
//! whole block in one step. For each size class `c` the block knows its holes: the longest time for
//! which at least 2^c nodes are free. They are computed when first asked for after a change.

use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// A block with this many steps is divided.
pub const FULL: usize = 64;

const CLASSES: usize = 16;

/// The times in a block for which some number of nodes is free.
#[derive(Clone, Copy)]
struct Holes {
    /// End of the hole that begins with the block: the start of the block if there is none, the
    /// last step if it does not end in the block.
    first_end: Time,
    /// The longest hole, as far as it is in the block and before the last step.
    longest: Ticks,
}

/// Consecutive steps; at least one.
pub struct Block {
    /// Start of the first step.
    pub first: Time,
    times: Vec<Time>,
    /// Free nodes of each step, without `shared`; sums wrap.
    free: Vec<u32>,
    shared: u32,
    min: u32,
    max: u32,
    holes: Box<[Holes; CLASSES]>,
    /// Bit `c` is set if `holes[c]` is up to date.
    known: u32,
}

fn class(nodes: u32) -> usize {
    (nodes.max(1).ilog2() as usize).min(CLASSES - 1)
}

impl Block {
    pub fn new(times: Vec<Time>, free: Vec<u32>) -> Self {
        let none = Holes { first_end: Time::ZERO, longest: Ticks(0) };
        let holes = Box::new([none; CLASSES]);
        let first = times[0];
        let mut block = Self { first, times, free, shared: 0, min: 0, max: 0, holes, known: 0 };
        block.refresh();
        block
    }

    /// Number of steps.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// All steps: their starts and free nodes.
    pub fn steps(&self) -> impl Iterator<Item = (Time, u32)> {
        let free = self.free.iter().map(|free| free.wrapping_add(self.shared));
        self.times.iter().copied().zip(free)
    }

    /// Free nodes of a step.
    pub fn at(&self, step: usize) -> u32 {
        self.free[step].wrapping_add(self.shared)
    }

    /// Largest number of free nodes.
    pub fn max(&self) -> u32 {
        self.max
    }

    /// The first step that starts at this time or later.
    pub fn find(&self, time: Time) -> usize {
        self.times.partition_point(|&other| other < time)
    }

    /// Whether a step starts at this time.
    pub fn starts_at(&self, step: usize, time: Time) -> bool {
        self.times.get(step) == Some(&time)
    }

    /// Starts a step with as many free nodes as the one before it, which is in this block.
    pub fn cut(&mut self, step: usize, time: Time) {
        self.times.insert(step, time);
        self.free.insert(step, self.free[step - 1]);
    }

    /// Removes a step, which is not the only one.
    pub fn remove(&mut self, step: usize) {
        self.times.remove(step);
        self.free.remove(step);
        if step == 0 {
            self.first = self.times[0];
            self.refresh();
        }
    }

    /// Removes the steps before this one and lets it start at another time.
    pub fn drop_before(&mut self, step: usize, start: Time) {
        self.times.drain(..step);
        self.free.drain(..step);
        self.times[0] = start;
        self.first = start;
        self.refresh();
    }

    /// Moves the second half of the steps to a new block.
    pub fn split(&mut self) -> Self {
        let half = self.len() / 2;
        let free = self.free.split_off(half).into_iter();
        let free = free.map(|free| free.wrapping_add(self.shared)).collect();
        let second = Self::new(self.times.split_off(half), free);
        self.refresh();
        second
    }

    /// Appends the steps of the next block.
    pub fn append(&mut self, next: &Self) {
        for (time, free) in next.steps() {
            self.times.push(time);
            self.free.push(free.wrapping_sub(self.shared));
        }
        self.refresh();
    }

    /// Adds a number, which may wrap, to all steps.
    pub fn change_all(&mut self, by: u32) {
        self.shared = self.shared.wrapping_add(by);
        self.min = self.min.wrapping_add(by);
        self.max = self.max.wrapping_add(by);
        self.known = 0;
    }

    /// Adds a number, which may wrap, to some steps.
    pub fn change(&mut self, steps: std::ops::Range<usize>, by: u32) {
        if steps.len() == self.len() {
            return self.change_all(by);
        }
        for free in &mut self.free[steps] {
            *free = free.wrapping_add(by);
        }
        self.refresh();
    }

    fn refresh(&mut self) {
        let all = || self.free.iter().map(|free| free.wrapping_add(self.shared));
        let (min, max) =
            all().fold((u32::MAX, 0), |(min, max), free| (min.min(free), max.max(free)));
        (self.min, self.max, self.known) = (min, max, 0);
    }

    fn holes(&mut self, class: usize) -> Holes {
        if self.known & 1 << class == 0 {
            self.holes[class] = self.measure(1 << class);
            self.known |= 1 << class;
        }
        self.holes[class]
    }

    fn measure(&self, nodes: u32) -> Holes {
        let last = self.times[self.len() - 1];
        let (mut first_end, mut longest, mut start) = (None, Ticks(0), None);
        for (time, free) in self.steps() {
            if let Some(start) = start {
                longest = longest.max(time - start);
            }
            if free < nodes {
                first_end.get_or_insert(time);
                start = None;
            } else {
                start.get_or_insert(time);
            }
        }
        Holes { first_end: first_end.unwrap_or(last), longest }
    }

    /// Searches the block for a hole; see [`Search`].
    pub fn search(&mut self, search: &mut Search, end: Time) -> Option<Found> {
        if let Some(found) = search.reach(self.first) {
            return Some(found);
        }
        let Search { nodes, span, last, own, .. } = *search;
        if self.max < nodes {
            search.start = None;
            return None;
        }
        if self.min >= nodes {
            if search.start.is_none() {
                search.begin(self.first);
            }
            return None;
        }
        let holes = self.holes(class(nodes));
        // A hole for this job ends in the block no later than one of its class, at a step.
        let ends_here = search.start.is_some_and(|start| holes.first_end - start >= span);
        if ends_here || holes.longest >= span || end > own || end > last {
            return self.search_steps(search);
        }
        search.start = self.last_hole(nodes);
        None
    }

    fn search_steps(&self, search: &mut Search) -> Option<Found> {
        for (time, free) in self.steps() {
            if let Some(found) = search.reach(time) {
                return Some(found);
            }
            if free < search.nodes {
                search.start = None;
            } else if search.start.is_none() {
                search.begin(time);
            }
        }
        None
    }

    /// Start of the hole at the end of the block.
    fn last_hole(&self, nodes: u32) -> Option<Time> {
        let steps = self.times.iter().zip(&self.free).rev();
        let hole = steps.take_while(|(_, free)| free.wrapping_add(self.shared) >= nodes);
        hole.last().map(|(time, _)| *time)
    }
}

/// A search for the first hole, step by step.
#[derive(Clone, Copy)]
pub struct Search {
    /// The size of the hole.
    pub nodes: u32,
    pub span: Ticks,
    /// The hole begins before this time.
    pub last: Time,
    /// From this time on, nodes are free for as long as needed.
    pub own: Time,
    /// Start of the hole that lasts until the current step.
    pub start: Option<Time>,
}

/// The end of a search: the start of the hole, if there is one.
pub type Found = Option<Time>;

impl Search {
    /// Continues to this time, at which a step begins. Says whether the search is over.
    #[inline]
    pub fn reach(&self, time: Time) -> Option<Found> {
        match self.start {
            Some(start) if time >= self.own || time - start >= self.span => Some(self.start),
            None if time >= self.own || time >= self.last => Some(None),
            _ => None,
        }
    }

    fn begin(&mut self, time: Time) {
        self.start = Some(time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps with fewer free nodes than all share are stored as numbers that wrap.
    #[test]
    fn both_halves_know_their_extremes() {
        let mut block = Block::new((0..40).map(|t| Time(Ticks(t))).collect(), vec![0; 40]);
        block.change_all(10);
        block.change(3..5, 3_u32.wrapping_neg());
        block.change(30..35, 4_u32.wrapping_neg());
        let second = block.split();
        assert_eq!([block.min, block.max, second.min, second.max], [7, 10, 6, 10]);
        assert_eq!(second.steps().nth(12), Some((Time(Ticks(32)), 6)));
        block.append(&second);
        assert_eq!([block.min, block.max], [6, 10]);
    }
}
