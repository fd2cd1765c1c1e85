//! The makespan k that the search tries to reach next.
//!
//! After a mapping is found, k falls below its makespan by a *part* of the distance to the lower
//! bound. After many steps without success k grows, and the part shrinks. When the part has reached
//! its minimum, the search starts again from the best mapping with the first part: a makespan one
//! tick below the best is often as hard to reach as one many ticks below.

use gridsat_model::Ticks;

/// The part at the start and after every restart: k is 15 % of the distance to the lower bound
/// below the best makespan.
const FIRST: f64 = 0.15;
/// The largest part.
const MOST: f64 = 0.5;
/// The smallest part; a failure with it restarts the search.
const LEAST: f64 = 0.02;

/// Factor of the part after a quick success, one within a quarter of the patience.
const BOLDER: f64 = 1.3;
/// Factor of the part when the patience is exhausted.
const MEEKER: f64 = 0.6;

/// Steps without a mapping at the present k before k changes: until the search has found its first
/// mapping, and afterwards. The first k is only a guess, so it is given up sooner.
const PATIENCE: (u64, u64) = (30, 100);
/// The same with many tasks per host, where a step takes longer and succeeds more often.
const MANY_PATIENCE: (u64, u64) = (5, 30);

/// How far k grows, as a fraction of its distance to the lower bound.
const RAISE: f64 = 0.5;

/// The first k exceeds the lower bound by this fraction of it, divided by the number of tasks per
/// host: the fewer tasks a host has, the less evenly loads can be levelled.
const SLACK: f64 = 0.05;

/// What to do after a step that left tasks out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Continue at the same k.
    Same,
    /// Continue from the same state at this larger k.
    Raise(Ticks),
    /// Restart from the best mapping at this k.
    Again(Ticks),
}

/// The lower bound, the present part, and the number of steps at the present k.
#[derive(Clone, Debug)]
pub(super) struct Aim {
    /// The best lower bound known.
    pub lower: Ticks,
    /// The fraction of the distance to the lower bound by which the next k is smaller than the
    /// best makespan, between [`LEAST`] and [`MOST`].
    part: f64,
    /// Steps since k was last changed.
    idle: u64,
    /// Steps without a mapping after which k changes.
    patience: u64,
    /// The patience after the first mapping.
    later: u64,
}

impl Aim {
    pub fn new(lower: Ticks, has_many_tasks: bool) -> Self {
        let (patience, later) = if has_many_tasks { MANY_PATIENCE } else { PATIENCE };
        Self { lower, part: FIRST, idle: 0, patience, later }
    }

    /// The first k: near the lower bound, and below `upper`, the makespan of the best mapping
    /// known.
    pub fn first(&self, upper: Ticks, tasks_per_host: f64) -> Ticks {
        let slack = self.lower.as_f64() * SLACK / tasks_per_host;
        (self.lower + Ticks::truncated(slack)).min(upper.saturating_sub(Ticks(1)))
    }

    /// Notes that a mapping with this makespan was found; returns the next k, which is smaller.
    pub fn found(&mut self, makespan: Ticks) -> Ticks {
        if self.idle < self.patience / 4 {
            self.part = (self.part * BOLDER).min(MOST);
        }
        (self.idle, self.patience) = (0, self.later);
        self.below(makespan)
    }

    /// Notes a step at k that left tasks out; `best` is the smallest makespan known. A raised k
    /// stays below `best`.
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

    /// The k that is below `makespan` by the present part, and by at least one tick.
    fn below(&self, makespan: Ticks) -> Ticks {
        let left = makespan.saturating_sub(self.lower);
        let down = Ticks::truncated(left.as_f64() * self.part);
        makespan.saturating_sub(down.max(Ticks(1)))
    }
}
