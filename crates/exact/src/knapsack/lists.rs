//! The expanding core: lists of the sets that differ from the greedy filling near the break.
//!
//! Items join the core alternately from the right of the break (they may be added) and from the
//! left (they may be removed), keeping the non-dominated pairs (weight, value). A pair that cannot
//! beat the best set known, even if its room were filled at the rate of the next item outside the
//! core, is dropped. Lists therefore stay short whatever the size of the weights.

use super::order::{Greedy, Outside, Sorted};
use super::work;

#[derive(Clone, Copy)]
struct State {
    weight: i64,
    value: i64,
    /// The last change to the greedy filling: an index into `history`.
    last: u32,
}

/// One change, and the index of the change before it.
#[derive(Clone, Copy)]
struct Change {
    position: u32,
    before: u32,
}

const NONE: u32 = u32::MAX;

/// The best set found so far.
#[derive(Clone, Copy, Default)]
enum Best {
    /// Not known: only its value was given.
    #[default]
    Unknown,
    /// The greedy filling with the items of `extra`.
    Extended,
    /// The greedy filling with these changes.
    Changed(u32),
}

/// Buffers of the core, reused from one knapsack to the next.
#[derive(Default)]
pub(super) struct Lists {
    states: Vec<State>,
    merged: Vec<State>,
    history: Vec<Change>,
    extra: Vec<u32>,
    best: Best,
    best_value: i64,
    /// Whether the next item comes from the better side, left of the break.
    prefers_better: bool,
}

impl Lists {
    /// Starts from the greedy filling. Only sets worth more than `floor` are of interest.
    pub fn start(&mut self, order: &Sorted, greedy: &Greedy, floor: i64) {
        self.states.clear();
        self.history.clear();
        self.prefers_better = false;
        let weight = greedy.capacity - greedy.room;
        self.states.push(State { weight, value: greedy.value, last: NONE });
        self.fill_greedily(order, greedy, floor);
    }

    /// The value of the best set found; the floor if none is above it.
    pub fn value(&self) -> i64 {
        self.best_value
    }

    /// Adds the items after the break that still fit, in order: a good first set keeps lists short.
    fn fill_greedily(&mut self, order: &Sorted, greedy: &Greedy, floor: i64) {
        self.extra.clear();
        let (mut room, mut value) = (greedy.room, greedy.value);
        for (i, item) in order.just_worse().iter().enumerate() {
            if item.weight <= room {
                room -= item.weight;
                value += item.value;
                self.extra.push((order.break_item + i) as u32);
            }
        }
        self.best = if value > floor { Best::Extended } else { Best::Unknown };
        self.best_value = value.max(floor);
    }

    /// Expands the core until nothing is left to gain or the effort is spent; returns an upper
    /// bound on the best value. Call it again to continue.
    pub fn expand(&mut self, order: &mut Sorted, greedy: &Greedy, mut effort: usize) -> i64 {
        while !self.states.is_empty() {
            let (worse, better) = order.next(greedy, self.best_value);
            let Some(position) = self.choose(worse, better) else { break };
            let Some(rest) = effort.checked_sub(self.states.len()) else {
                return self.open_bound(&order.outside(worse, better), greedy.capacity);
            };
            order.take(position);
            self.prefers_better = !self.prefers_better;
            let is_in = position < order.break_item;
            if greedy.may_change(&order.items[position], is_in, self.best_value) {
                effort = rest;
                let (worse, better) = order.next(greedy, self.best_value);
                self.take_in(order, position, &order.outside(worse, better), greedy.capacity);
            }
        }
        self.best_value
    }

    fn choose(&self, worse: Option<usize>, better: Option<usize>) -> Option<usize> {
        if self.prefers_better { better.or(worse) } else { worse.or(better) }
    }

    /// An upper bound on the value that the remaining states can still reach.
    fn open_bound(&self, outside: &Outside, capacity: i64) -> i64 {
        let reach = |state: &State| {
            state.value.saturating_add(outside.gain(capacity - state.weight).floor() as i64)
        };
        self.states.iter().map(reach).fold(self.best_value, i64::max)
    }

    /// Every state with and without the change, merged by weight, without dominated and hopeless
    /// ones.
    fn take_in(&mut self, order: &Sorted, position: usize, outside: &Outside, capacity: i64) {
        let item = &order.items[position];
        let sign = if position < order.break_item { -1 } else { 1 };
        let (weight, value) = (sign * item.weight, sign * item.value);
        work::add(self.states.len());
        self.merged.clear();
        let (mut i, mut j) = (0, 0);
        let mut most = i64::MIN;
        while j < self.states.len() {
            let other = self.states[j];
            let other =
                State { weight: other.weight + weight, value: other.value + value, ..other };
            let plain = self.states.get(i).copied();
            let plain = plain.filter(|plain| {
                plain.weight < other.weight
                    || plain.weight == other.weight && plain.value >= other.value
            });
            let mut state = plain.unwrap_or(other);
            let is_plain = plain.is_some();
            i += usize::from(is_plain);
            j += usize::from(!is_plain);
            if state.value <= most
                || !outside.could_gain(capacity - state.weight, self.best_value + 1 - state.value)
            {
                continue;
            }
            most = state.value;
            if !is_plain {
                self.history.push(Change { position: position as u32, before: state.last });
                state.last = self.history.len() as u32 - 1;
                self.note(&state, capacity);
            }
            self.merged.push(state);
        }
        // Removing an item makes every changed state lighter than the state it came from.
        for &state in &self.states[i..] {
            let missing = self.best_value + 1 - state.value;
            if state.value > most && outside.could_gain(capacity - state.weight, missing) {
                most = state.value;
                self.merged.push(state);
            }
        }
        std::mem::swap(&mut self.states, &mut self.merged);
    }

    fn note(&mut self, state: &State, capacity: i64) {
        if state.weight <= capacity && state.value > self.best_value {
            self.best_value = state.value;
            self.best = Best::Changed(state.last);
        }
    }

    /// Marks the positions of the best set. Nothing is marked if only its value was given.
    pub fn mark(&self, order: &Sorted, packed: &mut [bool]) {
        match self.best {
            Best::Unknown => {}
            Best::Extended => {
                packed[..order.break_item].fill(true);
                self.extra.iter().for_each(|&i| packed[i as usize] = true);
            }
            Best::Changed(mut change) => {
                packed[..order.break_item].fill(true);
                while change != NONE {
                    let Change { position, before } = self.history[change as usize];
                    packed[position as usize] ^= true;
                    change = before;
                }
            }
        }
    }
}
