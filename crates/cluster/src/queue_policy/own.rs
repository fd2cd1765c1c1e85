//! Policies of one's own: a rule that looks at the queue and says which job is next.

use std::fmt;

use crate::pool::{At, Pool, Waiting};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// Says which waiting job starts now. It is asked after every arrival and every end, and again
/// after each job that it started.
pub trait QueueRule: Sync {
    /// Its name in reports.
    fn name(&self) -> &str;

    /// The place in [`QueueView::waiting`] of the job to start, from 0; `None` to let all wait. A
    /// job that does not fit waits, and the rule is asked again after the next arrival or end.
    fn next(&self, view: &QueueView<'_>) -> Option<usize>;
}

/// What a rule sees. As other policies it knows estimates, never run times.
pub struct QueueView<'a> {
    pool: &'a Pool,
    now: Time,
}

/// A job in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitingJob {
    /// Its number in the trace, model or list.
    pub number: u64,
    /// When it was submitted.
    pub submit: Time,
    /// How many nodes it takes.
    pub nodes: u32,
    /// How long its user says it runs.
    pub estimate: Ticks,
    /// Its importance; 0 if nothing is known.
    pub priority: i32,
    /// Whose it is; 0 if unknown.
    pub user: u32,
    /// Whether it could start now.
    pub fits: bool,
}

impl QueueView<'_> {
    /// The present.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Nodes that are free now.
    pub fn free_nodes(&self) -> u32 {
        self.pool.free_total
    }

    /// The jobs that wait, in the order of their arrival.
    pub fn waiting(&self) -> impl Iterator<Item = WaitingJob> {
        let Pool { jobs, places, free, queue, .. } = self.pool;
        let mut shares = Vec::new();
        queue.iter().map(move |waiting| {
            let spec = &jobs[waiting.slot].spec;
            let job = spec.rigid;
            WaitingJob {
                number: job.number,
                submit: Time(job.submit),
                nodes: job.nodes,
                estimate: job.estimate,
                priority: job.priority,
                user: job.user,
                fits: places.place(spec, free, &mut shares),
            }
        })
    }

    /// When running jobs are expected to end, the earliest first, and their nodes.
    pub fn releases(&self) -> impl Iterator<Item = (Time, u32)> {
        self.pool.releases.iter().map(|release| (release.time, release.nodes))
    }
}

/// A rule as part of a policy: one is another if it has the same name.
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

/// Starts what the rule names, until it names nothing that fits.
pub fn pass(pool: &mut Pool, now: Time, Rule(rule): Rule) {
    pool.correct_estimates(now);
    while let Some(place) = rule.next(&QueueView { pool, now }) {
        let Some(&Waiting { key, slot, .. }) = pool.queue.iter().nth(place) else { break };
        if !pool.fits(slot) {
            break;
        }
        let found = pool.queue.find(At::default(), |_| true, |waiting| waiting.key == key);
        let (at, _) = found.expect("it was there just now");
        pool.start(at, now);
    }
}
