//! Queueing policies: those of Beosim, EASY and conservative backfilling.
//!
//! A policy consists of an order of the queue and a pass over it, made once after all arrivals and
//! ends of one point in time. It uses estimates, never true run times; in Beosim the two are equal.
//! A policy that plans with expected ends also makes a pass when a job is still running at its
//! expected end; the expected run time of the job is then doubled.
//!
//! | file | policies |
//! | --- | --- |
//! | `order` | FCFS, SJF, longest, SMJF, LJF, SWJF, BJF, Priority, EDF: the sort key of the queue |
//! | `scan` | plain (the first waiting job blocks the others) and SCAN (any job that fits) |
//! | `no_starvation` | SCAN with a limit on how often a job is overtaken |
//! | `backfill` | EASY, FCFS_SCANBackfill, its _Var: the first job is delayed at most by a budget |
//! | `counted` | EASY if nodes only have to be counted, for which it does less work |
//! | `conservative` | no job delays another; `profile` holds the free nodes over time |
//! | `preemptive` | by priority, suspending running jobs |
//! | `own` | user-defined rules |
//! | `turns` | one queue per cluster, from which the next job is chosen |
//! | `names` | names of the policies |

mod backfill;
mod conservative;
mod counted;
mod names;
mod no_starvation;
mod order;
mod own;
mod preemptive;
mod profile;
mod scan;
mod turns;

pub use conservative::Plan;
pub use counted::Hole;
pub use order::QueueOrder;
pub use own::{QueueRule, QueueView, Rule, WaitingJob};
pub use turns::{QueueChoice, Turns};

use super::pool::{Active, Pool};
use gridsat_engine::time::Time;

/// A queueing policy: which job starts next, and which may overtake others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueuePolicy {
    /// In this order; the first job that does not fit blocks the others.
    Plain(QueueOrder),
    /// In this order, every job that fits. Large jobs may wait for ever.
    Scan(QueueOrder),
    /// In order of arrival, every job that fits, but no job is overtaken more often than a limit
    /// (Beosim's FCFS_SCANNoStarvation).
    NoStarvation {
        /// How many later jobs may start before a job.
        max_hops: u32,
    },
    /// In order of arrival. A later job starts if it does not delay the first waiting job, or only
    /// within a budget (Beosim's FCFS_SCANBackfill, and with more than 0 % its _Var).
    Backfill {
        /// Total delay of the first waiting job that is allowed, in percent of its estimated run
        /// time.
        delay_percent: u32,
    },
    /// In order of arrival. A later job starts if it does not delay the first waiting job. The same
    /// as [`QueuePolicy::Backfill`] with 0 %, under its usual name.
    Easy,
    /// In order of arrival. A later job starts if it delays no waiting job.
    Conservative,
    /// By priority. A job that does not fit suspends running jobs of lower priority if that frees
    /// enough nodes.
    Preemptive {
        /// Whether a suspended job keeps its work; otherwise it starts from the beginning.
        keeps_work: bool,
    },
    /// A user-defined rule.
    Own(Rule),
}

impl QueuePolicy {
    /// The policy of a user-defined rule.
    pub fn own(rule: &'static dyn QueueRule) -> Self {
        Self::Own(Rule(rule))
    }

    /// The sort order of the queue.
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

    /// When something happens to a running job that concerns the policy: its end, or its expected
    /// end if that is earlier and the policy uses it.
    pub(super) fn due(self, job: &Active) -> Time {
        match self {
            Self::Backfill { .. } | Self::Easy | Self::Conservative | Self::Own(_) => {
                job.end.min(job.expected)
            }
            Self::Plain(_)
            | Self::Scan(_)
            | Self::NoStarvation { .. }
            | Self::Preemptive { .. } => job.end,
        }
    }
}

/// Starts the jobs that the policy of a pool selects now.
#[inline(never)]
pub fn pass(pool: &mut Pool, now: Time) {
    if let Some(calendar) = &mut pool.calendar {
        calendar.now = now;
    }
    match pool.policy {
        QueuePolicy::Plain(_) if pool.turns.is_some() => turns::pass(pool, now, false),
        QueuePolicy::Scan(_) if pool.turns.is_some() => turns::pass(pool, now, true),
        QueuePolicy::Plain(_) => scan::plain(pool, now),
        QueuePolicy::Scan(_) => scan::scan(pool, now),
        QueuePolicy::NoStarvation { max_hops } => no_starvation::pass(pool, now, max_hops),
        QueuePolicy::Easy | QueuePolicy::Backfill { delay_percent: 0 } if pool.is_counted => {
            counted::pass(pool, now);
        }
        QueuePolicy::Easy => backfill::pass(pool, now, 0),
        QueuePolicy::Backfill { delay_percent } => backfill::pass(pool, now, delay_percent),
        QueuePolicy::Conservative => conservative::pass(pool, now),
        QueuePolicy::Preemptive { keeps_work } => preemptive::pass(pool, now, keeps_work),
        QueuePolicy::Own(rule) => own::pass(pool, now, rule),
    }
}
