//! User-defined policies: a rule that inspects the queue and selects the next job.

use std::fmt;

use crate::pool::{At, Pool};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// Selects the waiting job to start. Called once after all arrivals and ends of one point in time,
/// also when a job is still running at its expected end, and again after each job that it started.
pub trait QueueRule: Sync {
    /// Name in reports.
    fn name(&self) -> &str;

    /// The index in [`QueueView::waiting`] of the job to start, from 0; `None` to start none. If
    /// the job does not fit, nothing starts, and the rule is called again after the next events.
    fn next(&self, view: &QueueView<'_>) -> Option<usize>;
}

/// What a rule can see. Like other policies it sees estimates, never true run times.
pub struct QueueView<'a> {
    pool: &'a Pool,
    now: Time,
}

/// A waiting job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitingJob {
    /// Job number in the trace, model or list.
    pub number: u64,
    /// Submission time.
    pub submit: Time,
    /// Number of nodes it needs.
    pub nodes: u32,
    /// Run time estimated by its user.
    pub estimate: Ticks,
    /// Priority; 0 if unknown.
    pub priority: i32,
    /// User number; 0 if unknown.
    pub user: u32,
    /// When it should have finished, if it has a deadline.
    pub deadline: Option<Time>,
    /// Whether it could start now.
    pub fits: bool,
}

impl QueueView<'_> {
    /// The current time.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Number of nodes that are free now.
    pub fn free_nodes(&self) -> u32 {
        self.pool.free_total
    }

    /// The waiting jobs, in order of arrival.
    pub fn waiting(&self) -> impl Iterator<Item = WaitingJob> {
        let pool = self.pool;
        let mut shares = Vec::new();
        pool.queue.iter().map(move |waiting| {
            let spec = &pool.jobs[waiting.slot].spec;
            let job = spec.rigid;
            WaitingJob {
                number: job.number,
                submit: Time(job.submit),
                nodes: job.nodes,
                estimate: job.estimate,
                priority: job.priority,
                user: job.user,
                deadline: spec.deadline(),
                fits: pool.can_start(waiting.slot, &pool.free, &mut shares),
            }
        })
    }

    /// Expected end and number of nodes of each running job, earliest first; all ends are in the
    /// future.
    pub fn releases(&self) -> impl Iterator<Item = (Time, u32)> {
        self.pool.releases.iter().map(|release| (release.time, release.nodes))
    }
}

/// A rule as part of a policy; rules with the same name compare equal.
#[derive(Clone, Copy)]
pub struct Rule(pub &'static dyn QueueRule);

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

impl Eq for Rule {}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rule({:?})", self.0.name())
    }
}

/// Starts the jobs that the rule selects, until it selects none that fits.
pub fn pass(pool: &mut Pool, now: Time, Rule(rule): Rule) {
    while let Some(place) = rule.next(&QueueView { pool, now }) {
        let Some(&job) = pool.queue.iter().nth(place) else { break };
        if !pool.fits(&job) {
            break;
        }
        let found = pool.queue.find(At::default(), |waiting| waiting.key == job.key);
        let (at, _) = found.expect("it was there just now");
        pool.start(at, now);
    }
}
