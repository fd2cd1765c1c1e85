//! Deadline and migration cost of a job, after Wang and Zhang, and what is counted of them; and the
//! reservation it belongs to.
//!
//! A job with a pure migration cost of `d` ticks that gets a node outside its home needs
//! `ceil(d / n)` ticks for its code and data before it runs, where `n` is the smallest index of the
//! networks involved: that of its home and of all other clusters it uses. Its nodes are occupied
//! meanwhile, at every start; policies know the cost. A deadline is met if the job finishes then or
//! earlier. Only the orders EDF look at deadlines.

use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_statistics::Stream;

/// What a job has besides its size and run time. Few workloads have any of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// When it should have finished.
    pub deadline: Option<Time>,
    /// Ticks to move it through a network of index 1.
    pub migration: Ticks,
    /// Number of the reservation it runs in, while that is open.
    pub reservation: Option<u32>,
}

/// Deadlines and migrations of jobs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TermCounts {
    /// Jobs that finished by their deadline.
    pub met: u64,
    /// Jobs that finished later, were killed or refused, or were late when the simulation ended.
    pub missed: u64,
    /// Ticks from the deadline to the end, 0 if it was met; of jobs with a deadline that left.
    pub tardiness: Stream,
    /// Number of starts outside the home, of jobs with a migration cost.
    pub migrations: u64,
    /// Ticks that these took.
    pub migration: u128,
}

impl TermCounts {
    /// Whether any job had a deadline or migrated.
    pub fn is_used(&self) -> bool {
        self.met + self.missed + self.migrations > 0
    }

    /// Counts a job that ends now, with its work complete or not.
    #[inline(never)]
    pub(super) fn ended(&mut self, terms: &Terms, now: Time, is_complete: bool) {
        let Some(deadline) = terms.deadline else { return };
        let is_met = is_complete && now <= deadline;
        self.met += u64::from(is_met);
        self.missed += u64::from(!is_met);
        self.tardiness.add((now - deadline).0);
    }

    /// Counts a job that cannot meet its deadline any more: refused, or late and still here.
    pub(super) fn missed(&mut self, terms: Option<&Terms>, is_missed: impl Fn(Time) -> bool) {
        let deadline = terms.and_then(|terms| terms.deadline);
        self.missed += u64::from(deadline.is_some_and(is_missed));
    }

    /// Counts a start, with the ticks that the migration takes.
    pub(super) fn started(&mut self, migration: Ticks) {
        self.migrations += u64::from(migration > Ticks(0));
        self.migration += u128::from(migration);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.met += other.met;
        self.missed += other.missed;
        self.tardiness.merge(&other.tardiness);
        self.migrations += other.migrations;
        self.migration += other.migration;
    }
}
