//! One stint of a job at a resource, from its start there until it leaves or is interrupted, and
//! its state at any point.
//!
//! A stint consists of `setup` (the cost of a migration), then work, with a checkpoint after each
//! `every` units of work except at the end:
//!
//! ```text
//! total = setup + left + n·cost,   n = ⌈left / every⌉ − 1
//!
//! |setup|··every··|cost|··every··|cost|····|
//! ```
//!
//! All amounts are integers in work of the resource's fastest PE. The time given to a stint is
//! exactly the sum of progress that is saved, progress that is not, and overhead.

use crate::work::Work;
use gridsat_model::Ticks;

/// Interval and cost of checkpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoints {
    /// Work between two checkpoints, above 0.
    pub every: Work,
    /// Cost of one checkpoint.
    pub cost: Work,
}

/// What a job still needs of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stint {
    /// Overhead before the work.
    pub setup: Work,
    /// The work itself.
    pub left: Work,
    /// Checkpoints during the work.
    pub checkpoints: Option<Checkpoints>,
}

/// How the PE time given to a stint so far was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Work saved by the last checkpoint.
    pub safe: Work,
    /// Work done since the last checkpoint.
    pub at_risk: Work,
    /// Time of migration and checkpoints.
    pub overhead: Work,
}

impl Stint {
    /// The same rounded up to whole ticks, which is the unit of resources; the rounding counts as
    /// overhead.
    pub fn in_whole_ticks(self) -> Self {
        let total = self.total();
        Self { setup: self.setup + Work::of(total.whole_ticks()).less(total), ..self }
    }

    /// Total time in ticks; saturates at the largest value.
    pub fn ticks(&self) -> Ticks {
        self.total().whole_ticks()
    }

    /// Total time as work.
    pub fn total(&self) -> Work {
        let Some(Checkpoints { cost, .. }) = self.checkpoints else {
            return self.setup + self.left;
        };
        let all = cost.0.saturating_mul(self.count());
        Work(all.saturating_add((self.setup + self.left).0))
    }

    /// Number of checkpoints.
    fn count(&self) -> u128 {
        let every = self.checkpoints.map_or(0, |checkpoints| checkpoints.every.0);
        self.left.0.saturating_sub(1).checked_div(every).unwrap_or(0)
    }

    /// The state after this much time was given.
    pub fn after(&self, given: Work) -> Taken {
        let setup = given.min(self.setup);
        let given = given.less(setup);
        let Some(Checkpoints { every, cost }) = self.checkpoints else {
            return Taken { safe: Work::NONE, at_risk: given, overhead: setup };
        };
        let (round, count) = (every.0 + cost.0, self.count());
        let rounds = (given.0 / round).min(count);
        let rest = given.less(Work(rounds * round));
        let work = if rounds < count { rest.min(every) } else { rest };
        Taken {
            safe: Work(rounds * every.0),
            at_risk: work,
            overhead: setup + Work(rounds * cost.0) + rest.less(work),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stint(setup: u128, left: u128, every: u128, cost: u128) -> Stint {
        let checkpoints = Some(Checkpoints { every: Work(every), cost: Work(cost) });
        Stint { setup: Work(setup), left: Work(left), checkpoints }
    }

    #[test]
    fn by_hand() {
        // 3 of setup, then 10 10 5 with two checkpoints of 2.
        let stint = stint(3, 25, 10, 2);
        assert_eq!(stint.total(), Work(32));
        let after = |given| {
            let Taken { safe, at_risk, overhead } = stint.after(Work(given));
            [safe.0, at_risk.0, overhead.0]
        };
        assert_eq!(after(2), [0, 0, 2]);
        assert_eq!(after(12), [0, 9, 3]);
        assert_eq!(after(14), [0, 10, 4]);
        assert_eq!(after(15), [10, 0, 5]);
        assert_eq!(after(27), [20, 0, 7]);
        assert_eq!(after(32), [20, 5, 7]);
    }

    /// For every amount, over many small stints: the parts add up to the time given.
    #[test]
    fn what_is_given_adds_up() {
        let numbers = (0..2 * 25 * 6 * 4).map(|n| (n % 2 * 2, n / 2 % 25, n / 50 % 6 + 1, n / 300));
        for (setup, left, every, cost) in numbers {
            let stint = stint(setup, left, every, cost);
            for given in 0..=stint.total().0 {
                let Taken { safe, at_risk, overhead } = stint.after(Work(given));
                assert_eq!(safe + at_risk + overhead, Work(given), "{stint:?} after {given}");
                assert_eq!(safe.0 % every, 0);
            }
            let end = stint.after(stint.total());
            assert_eq!(end.safe + end.at_risk, Work(left), "{stint:?}");
        }
    }
}
