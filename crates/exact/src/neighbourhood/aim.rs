//! Which makespan to try for next.
//!
//! A mapping found means a smaller k, nearer to the lower bound by a part of what is left; long
//! failure means a larger k, and a smaller part from then on. When the part is as small as it gets,
//! the search starts again from the best mapping with the first part: what is hard to reach by one
//! tick is often as hard by many.

use gridsat_model::Ticks;

/// The part of the way to the lower bound, at first, at most and at least.
const FIRST: f64 = 0.15;
const MOST: f64 = 0.5;
const LEAST: f64 = 0.02;

/// How it changes on soon success, and on failure.
const BOLDER: f64 = 1.3;
const MEEKER: f64 = 0.6;

/// Steps in vain before k grows, as long as there is no mapping, and later.
const PATIENCE: (u64, u64) = (30, 100);

/// By how much k grows, as a part of its distance to the lower bound.
const RAISE: f64 = 0.5;

/// The first k is above the lower bound by this part, for one task a host: loads are the more
/// uneven the fewer tasks there are to level them.
const SLACK: f64 = 0.05;

/// What to do after a step in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Go on.
    Same,
    /// Go on at a larger k.
    Raise(Ticks),
    /// Start again from the best mapping at this k.
    Again(Ticks),
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Aim {
    pub lower: Ticks,
    part: f64,
    idle: u64,
    patience: u64,
}

impl Aim {
    pub fn new(lower: Ticks) -> Self {
        Self { lower, part: FIRST, idle: 0, patience: PATIENCE.0 }
    }

    /// The first k, below the makespan of the best mapping known.
    pub fn first(&self, upper: Ticks, tasks_a_host: f64) -> Ticks {
        let slack = self.lower.as_f64() * SLACK / tasks_a_host;
        (self.lower + Ticks::truncated(slack)).min(upper.saturating_sub(Ticks(1)))
    }

    /// After a mapping with this makespan was found.
    pub fn found(&mut self, makespan: Ticks) -> Ticks {
        if self.idle < self.patience / 4 {
            self.part = (self.part * BOLDER).min(MOST);
        }
        (self.idle, self.patience) = (0, PATIENCE.1);
        self.below(makespan)
    }

    /// After another step in vain at k, given the best makespan.
    pub fn failed(&mut self, k: Ticks, best: Ticks) -> Next {
        self.idle += 1;
        if self.idle < self.patience {
            return Next::Same;
        }
        self.idle = 0;
        if self.part <= LEAST {
            self.part = FIRST;
            return Next::Again(self.below(best));
        }
        self.part = (self.part * MEEKER).max(LEAST);
        let room = best.saturating_sub(Ticks(1)).saturating_sub(k);
        let more = Ticks::truncated(k.saturating_sub(self.lower).as_f64() * RAISE) + Ticks(1);
        Next::Raise(k + more.min(room / 2))
    }

    fn below(&self, makespan: Ticks) -> Ticks {
        let left = makespan.saturating_sub(self.lower);
        let down = Ticks::truncated(left.as_f64() * self.part);
        makespan.saturating_sub(down.max(Ticks(1)))
    }
}
