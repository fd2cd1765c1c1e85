//! Jobs in the system, and the records of jobs that left.

use std::collections::HashMap;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

use super::allocation::{JobId, Slot};
use super::economy::Money;
use super::failure::{Checkpoints, Stint};
use super::grid::ResourceId;
use super::scheduler::SchedulerId;
use super::work::Work;
use gridsat_engine::Slab;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::{Demand, JobSpec};

/// Where a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At a scheduler that has not decided yet.
    Waiting(SchedulerId),
    /// Halted before a scheduler decided.
    Held(SchedulerId),
    /// Given up: its budget or deadline does not permit sending it.
    GivenUp(SchedulerId),
    /// Sent to a resource, where it waits for storage or for data.
    Staging {
        /// The resource whose storage or data it waits for.
        resource: ResourceId,
        /// Whether it was halted since.
        is_halted: bool,
    },
    /// At a resource, in this slot.
    At(ResourceId, Slot),
    /// It has run; its results are being transferred home.
    Returning(ResourceId),
    /// At a resource that is or was down; starts when the resource is up, or when the job is
    /// resumed.
    Stranded {
        /// The resource that is or was down.
        resource: ResourceId,
        /// Whether it was halted since.
        is_halted: bool,
    },
}

impl Place {
    /// The resource it was sent to, if it was.
    pub fn resource(self) -> Option<ResourceId> {
        match self {
            Self::At(resource, _)
            | Self::Returning(resource)
            | Self::Staging { resource, .. }
            | Self::Stranded { resource, .. } => Some(resource),
            Self::Waiting(_) | Self::Held(_) | Self::GivenUp(_) => None,
        }
    }
}

/// Work that a job keeps from before it was interrupted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saved {
    /// Work that need not be done again, in terms of a resource where the whole job takes `of`
    /// ticks.
    pub(super) done: Work,
    pub(super) of: Ticks,
    /// PE time that this work took.
    pub(super) kept: Work,
    /// Overhead before it continues.
    pub(super) setup: Work,
    /// The original estimate factor.
    pub(super) estimate: f64,
}

impl Saved {
    /// Converts the work to a resource where the whole job takes this many ticks.
    pub(super) fn move_to(&mut self, time: Ticks) {
        if time != self.of {
            let share = self.done.0 as f64 / Work::of(self.of).0 as f64;
            let done = Work((share * Work::of(time).0 as f64) as u128);
            (self.done, self.of) = (done.min(Work::of(time)), time);
        }
    }

    /// The fraction of the job that is left, from 0 to 1.
    pub(super) fn share_left(&self) -> f64 {
        match Work::of(self.of) {
            Work::NONE => 1.0,
            all => all.less(self.done).0 as f64 / all.0 as f64,
        }
    }
}

/// A job in the system.
#[derive(Clone, Debug)]
// Aligned to two cache lines, because jobs are looked up in random order and a third line would
// cost time.
#[repr(align(64))]
pub struct Job {
    /// Number in order of arrival, from 0.
    pub number: u64,
    /// The job as submitted.
    pub spec: JobSpec,
    /// Where it is.
    pub place: Place,
    /// Time at which it was sent to its resource.
    pub sent: Time,
    /// First start, and the PE if the policy binds jobs to PEs.
    pub started: Option<(Time, Option<u32>)>,
    /// Estimated run time on its resource, alone at full speed.
    pub believed: Ticks,
    /// The scheduler that sent it there.
    pub(super) scheduler: SchedulerId,
    /// Work kept from before an interruption, if any.
    pub(super) saved: Option<Box<Saved>>,
}

// Larger values are moved by a call to memcpy, which is measurable with millions of jobs.
const _: () = assert!(size_of::<Option<Job>>() <= 128 || size_of::<usize>() != 8);

impl Job {
    /// A job that has just arrived at a scheduler.
    pub(super) fn new(number: u64, spec: JobSpec, scheduler: SchedulerId) -> Self {
        Self {
            number,
            spec,
            place: Place::Waiting(scheduler),
            sent: Time::ZERO,
            started: None,
            believed: Ticks(0),
            scheduler,
            saved: None,
        }
    }

    /// The stint it needs at a resource where the whole job takes this many ticks.
    pub(super) fn stint(&self, time: Ticks, checkpoints: Option<Checkpoints>) -> Stint {
        let all = Work::of(time);
        let (left, setup) = match &self.saved {
            None => (all, Work::NONE),
            Some(saved) => (all.less(saved.done), saved.setup),
        };
        Stint { setup, left, checkpoints }.in_whole_ticks()
    }

    /// PE time of the work that it keeps.
    pub(super) fn kept(&self) -> Work {
        self.saved.as_ref().map_or(Work::NONE, |saved| saved.kept)
    }
}

/// The jobs in the system.
#[derive(Debug)]
pub(super) struct Jobs {
    all: Slab<JobId, Job>,
    /// Jobs that can be found by number, while they are in the system.
    named: HashMap<u64, Option<JobId>>,
}

impl Jobs {
    /// No jobs; those with these numbers can be found once they arrive.
    pub fn new(named: impl Iterator<Item = u64>) -> Self {
        let named = named.map(|number| (number, None)).collect();
        Self { all: Slab::default(), named }
    }

    /// Number of jobs in the system.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// All jobs with their ids, in no particular order.
    pub fn pairs(&self) -> impl Iterator<Item = (JobId, &Job)> {
        self.all.pairs()
    }

    /// The job of a number given to [`Jobs::new`], if it is in the system.
    pub fn find(&self, number: u64) -> Option<JobId> {
        self.named.get(&number).copied().flatten()
    }

    pub fn add(&mut self, job: Job) -> JobId {
        let number = job.number;
        let id = self.all.insert(job);
        self.rename(number, Some(id));
        id
    }

    pub fn remove(&mut self, id: JobId) -> Job {
        let job = self.all.remove(id).expect("a job leaves once");
        self.rename(job.number, None);
        job
    }

    #[inline]
    fn rename(&mut self, number: u64, id: Option<JobId>) {
        if !self.named.is_empty()
            && let Some(named) = self.named.get_mut(&number)
        {
            *named = id;
        }
    }
}

/// Panics if the job is not in the system.
impl Index<JobId> for Jobs {
    type Output = Job;

    #[inline]
    fn index(&self, id: JobId) -> &Job {
        &self.all[id]
    }
}

impl IndexMut<JobId> for Jobs {
    #[inline]
    fn index_mut(&mut self, id: JobId) -> &mut Job {
        &mut self.all[id]
    }
}

/// How a job left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It completed its work.
    Finished,
    /// It was cancelled.
    Cancelled,
    /// It was lost by a failure of its resource.
    Lost,
}

/// A job that has left the system.
#[derive(Clone, Debug)]
pub struct JobRecord {
    /// Number in order of arrival, from 0.
    pub number: u64,
    /// Its name, if it has one.
    pub name: Option<Arc<String>>,
    /// Number of the user who submitted it.
    pub user: u32,
    /// Number of the application it is part of.
    pub application: u32,
    /// Requested QoS level.
    pub qos: u32,
    /// The true amount of work.
    pub demand: Demand,
    /// Time of its arrival at its scheduler.
    pub arrival: Time,
    /// The resource it was sent to, and when; `None` if it never was.
    pub sent: Option<(ResourceId, Time)>,
    /// Estimated run time there, alone at full speed; 0 if it was never sent.
    pub believed: Ticks,
    /// First start, and the PE if the policy binds jobs to PEs.
    pub started: Option<(Time, Option<u32>)>,
    /// Amount paid for it.
    pub cost: Money,
    /// Its deadline, if it has one.
    pub deadline: Option<Time>,
    /// End of its run; earlier than `end` if results were transferred.
    pub ran_until: Time,
    /// Time at which it left.
    pub end: Time,
    /// How it left.
    pub outcome: Outcome,
}

impl JobRecord {
    pub(super) fn new(
        job: Job,
        ran_until: Time,
        end: Time,
        outcome: Outcome,
        cost: Money,
        deadline: Option<Time>,
    ) -> Self {
        let sent = job.place.resource().map(|resource| (resource, job.sent));
        Self {
            number: job.number,
            name: job.spec.name,
            user: job.spec.user,
            application: job.spec.application,
            qos: job.spec.qos,
            demand: job.spec.demand,
            arrival: Time(job.spec.arrival),
            sent,
            believed: job.believed,
            started: job.started,
            cost,
            deadline,
            ran_until,
            end,
            outcome,
        }
    }

    /// Whether it finished by its deadline; `None` without one.
    pub fn is_in_time(&self) -> Option<bool> {
        let deadline = self.deadline?;
        Some(self.outcome == Outcome::Finished && self.end <= deadline)
    }

    /// Ticks from arrival to end.
    pub fn flow(&self) -> Ticks {
        self.end - self.arrival
    }
}
