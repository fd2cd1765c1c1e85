//! Follows the jobs that wait at a scheduler from decision to decision, for mappers that keep them
//! in an order of their own.
//!
//! Possible for jobs that need only instructions and arrive in order of their numbers, so that a
//! number gives the place in the queue.

use super::super::job::Job;
use super::{JobIndex, View};
use gridsat_workload::Demand;

/// A waiting job that needs only instructions.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainJob {
    /// Estimated number of instructions.
    pub size: f64,
    pub qos: u32,
    pub number: u64,
}

impl PlainJob {
    /// `None` if the job needs anything else.
    pub fn of(job: &Job) -> Option<Self> {
        let spec = &job.spec;
        let (&Demand::Instructions(size), None) = (&spec.demand, spec.data) else { return None };
        Some(Self { size: size * spec.estimate, qos: spec.qos, number: job.number })
    }
}

/// An order of waiting jobs.
pub(super) trait Order {
    /// Forgets all jobs.
    fn clear(&mut self);

    /// Adds a job.
    fn add(&mut self, view: &View<'_>, job: PlainJob);
}

/// How much of a queue a mapper knows.
#[derive(Debug)]
pub(super) struct Follower {
    /// Number of waiting jobs that are known: the first ones.
    known: usize,
    /// Number of the last of them.
    last: Option<u64>,
    /// [`View::upsets`] and the number of hosts when it was last updated.
    state: (u64, usize),
    /// Whether all jobs so far were in order and needed only instructions.
    is_plain: bool,
}

impl Follower {
    pub fn new() -> Self {
        Self { known: 0, last: None, state: (0, 0), is_plain: true }
    }

    /// Adds new jobs to the order. False if there ever was a job that cannot be followed.
    pub fn follow(&mut self, view: &View<'_>, order: &mut impl Order) -> bool {
        if !self.is_plain {
            return false;
        }
        let state = (view.upsets(), view.host_count());
        if self.state != state {
            (self.known, self.last, self.state) = (0, None, state);
            order.clear();
        }
        for job in view.jobs().skip(self.known) {
            match self.plain(view, job) {
                Some(job) => order.add(view, job),
                None => {
                    self.is_plain = false;
                    order.clear();
                    return false;
                }
            }
        }
        self.known = view.job_count();
        true
    }

    /// This many of the known jobs are sent.
    pub fn send(&mut self, jobs: usize) {
        self.known -= jobs;
    }

    fn plain(&mut self, view: &View<'_>, job: JobIndex) -> Option<PlainJob> {
        let job = PlainJob::of(view.job(job))?;
        if self.last.is_some_and(|last| last >= job.number) {
            return None;
        }
        self.last = Some(job.number);
        Some(job)
    }
}
