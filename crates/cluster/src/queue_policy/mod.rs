//! Who is next: the policies of Beosim, EASY and conservative backfilling.
//!
//! A policy is an order of the queue and a pass over it, made after every arrival and every end. It
//! knows estimates, never run times; in Beosim the two are the same.
//!
//! | file | policies |
//! | --- | --- |
//! | `order` | FCFS, SJF, longest, SMJF, LJF, SWJF, BJF, Priority: what the queue is sorted by |
//! | `scan` | plain (the first that waits blocks) and SCAN (any job that fits) |
//! | `no_starvation` | SCAN that overtakes no job more often than a limit |
//! | `backfill` | EASY, FCFS_SCANBackfill and its _Var: no job delays the first, or not by much |
//! | `conservative` | no job delays another; `profile` is the future it plans in |
//! | `preemptive` | priority that takes nodes from running jobs |
//! | `own` | rules that a program hands in |
//! | `names` | how they are called |

mod backfill;
mod conservative;
mod names;
mod no_starvation;
mod order;
mod own;
mod preemptive;
mod profile;
mod scan;

pub use conservative::Plan;
pub use order::QueueOrder;
pub use own::{QueueRule, QueueView, Rule, WaitingJob};

use super::pool::Pool;
use gridsat_engine::time::Time;

/// Who is next, and who may overtake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueuePolicy {
    /// In this order; the first that does not fit blocks the others.
    Plain(QueueOrder),
    /// In this order, any job that fits. Large jobs may wait forever.
    Scan(QueueOrder),
    /// As they come, any job that fits, but no job is overtaken more often than a limit (Beosim's
    /// FCFS_SCANNoStarvation).
    NoStarvation {
        /// How many later jobs may start before a job.
        max_hops: u32,
    },
    /// As they come; a later job starts if the first that waits is not delayed, or only by so much
    /// in all (Beosim's FCFS_SCANBackfill, and with more than 0 % its _Var).
    Backfill {
        /// By how many percent of its run time the first may be delayed in all.
        delay_percent: u32,
    },
    /// As they come; a later job starts if the first that waits is not delayed. The same as
    /// [`QueuePolicy::Backfill`] with 0 %, by its usual name.
    Easy,
    /// As they come; a later job starts if no waiting job is delayed.
    Conservative,
    /// By priority; a job that does not fit suspends running jobs of lower priority if that helps.
    Preemptive {
        /// Whether a suspended job goes on where it was; otherwise it starts again.
        keeps_work: bool,
    },
    /// As a rule of one's own says.
    Own(Rule),
}

impl QueuePolicy {
    /// A policy of one's own.
    pub fn own(rule: &'static dyn QueueRule) -> Self {
        Self::Own(Rule(rule))
    }

    /// How the queue is sorted.
    pub fn order(self) -> QueueOrder {
        match self {
            Self::Plain(order) | Self::Scan(order) => order,
            Self::Preemptive { .. } => QueueOrder::Priority,
            Self::NoStarvation { .. }
            | Self::Backfill { .. }
            | Self::Easy
            | Self::Conservative
            | Self::Own(_) => QueueOrder::Fcfs,
        }
    }

    /// Starts what is to start now.
    pub(super) fn pass(self, pool: &mut Pool, now: Time) {
        match self {
            Self::Plain(_) => scan::plain(pool, now),
            Self::Scan(_) => scan::scan(pool, now),
            Self::NoStarvation { max_hops } => no_starvation::pass(pool, now, max_hops),
            Self::Easy => backfill::pass(pool, now, 0),
            Self::Backfill { delay_percent } => backfill::pass(pool, now, delay_percent),
            Self::Conservative => conservative::pass(pool, now),
            Self::Preemptive { keeps_work } => preemptive::pass(pool, now, keeps_work),
            Self::Own(rule) => own::pass(pool, now, rule),
        }
    }
}
