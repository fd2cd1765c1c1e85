//! Jobs in the system, and what is known of one when it leaves.

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
    /// A scheduler has yet to decide.
    Waiting(SchedulerId),
    /// Halted before a scheduler decided.
    Held(SchedulerId),
    /// Never to be sent: its budget or deadline does not allow it.
    GivenUp(SchedulerId),
    /// Sent to a resource, and waits there for room or for data.
    Staging {
        /// Which one.
        resource: ResourceId,
        /// Whether it was halted since.
        is_halted: bool,
    },
    /// At a resource, among its jobs.
    At(ResourceId, Slot),
    /// It has run; its results are on their way home.
    Returning(ResourceId),
    /// At a resource that is, or was, down; begins when it is back, or when it is resumed.
    Stranded {
        /// Which one.
        resource: ResourceId,
        /// Whether it was halted since.
        is_halted: bool,
    },
}

impl Place {
    /// The resource it was sent to.
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

/// What a job keeps of work it did before it was interrupted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saved {
    /// Work that need not be done again, where the whole job takes `of` ticks.
    pub(super) done: Work,
    pub(super) of: Ticks,
    /// PE time that it took.
    pub(super) kept: Work,
    /// To be done before it goes on.
    pub(super) setup: Work,
    /// What was believed of its size at first.
    pub(super) estimate: f64,
}

impl Saved {
    /// On a resource where the whole job takes this many ticks.
    pub(super) fn move_to(&mut self, time: Ticks) {
        if time != self.of {
            let share = self.done.0 as f64 / Work::of(self.of).0 as f64;
            let done = Work((share * Work::of(time).0 as f64) as u128);
            (self.done, self.of) = (done.min(Work::of(time)), time);
        }
    }

    /// The share of the job that is left.
    pub(super) fn share_left(&self) -> f64 {
        match Work::of(self.of) {
            Work::NONE => 1.0,
            all => all.less(self.done).0 as f64 / all.0 as f64,
        }
    }
}

/// A job in the system.
#[derive(Clone, Debug)]
// Two lines of a cache, not parts of three: jobs leave in no order, and each look-up costs.
#[repr(align(64))]
pub struct Job {
    /// In order of arrival, from 0.
    pub number: u64,
    /// As it arrived.
    pub spec: JobSpec,
    /// Where it is.
    pub place: Place,
    /// When it was sent to its resource.
    pub sent: Time,
    /// When it first ran, and on which PE where the policy ties jobs to PEs.
    pub started: Option<(Time, Option<u32>)>,
    /// How long it is believed to take on its resource, alone at full speed.
    pub believed: Ticks,
    /// Who sent it there.
    pub(super) scheduler: SchedulerId,
    /// What it keeps of work it did before, if any.
    pub(super) saved: Option<Box<Saved>>,
}

// More than 128 bytes are moved by a call, which can be felt with millions of jobs.
const _: () = assert!(size_of::<Option<Job>>() <= 128 || size_of::<usize>() != 8);

impl Job {
    /// A job that has just come to a scheduler.
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

    /// What it still needs of a resource where the whole of it takes this many ticks.
    pub(super) fn stint(&self, time: Ticks, checkpoints: Option<Checkpoints>) -> Stint {
        let all = Work::of(time);
        let (left, setup) = match &self.saved {
            None => (all, Work::NONE),
            Some(saved) => (all.less(saved.done), saved.setup),
        };
        Stint { setup, left, checkpoints }.in_whole_ticks()
    }

    /// PE time of work that it keeps.
    pub(super) fn kept(&self) -> Work {
        self.saved.as_ref().map_or(Work::NONE, |saved| saved.kept)
    }
}

/// The jobs in the system.
#[derive(Debug)]
pub(super) struct Jobs {
    all: Slab<JobId, Job>,
    /// The jobs to be found by their number, as long as they are in the system.
    named: HashMap<u64, Option<JobId>>,
}

impl Jobs {
    /// None yet; these numbers are to be found when they come.
    pub fn new(named: impl Iterator<Item = u64>) -> Self {
        let named = named.map(|number| (number, None)).collect();
        Self { all: Slab::default(), named }
    }

    /// How many are in the system.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// All jobs with their ids, in no particular order.
    pub fn pairs(&self) -> impl Iterator<Item = (JobId, &Job)> {
        self.all.pairs()
    }

    /// The job of a number that is to be found.
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

/// For jobs known to be in the system.
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
    /// Its work is done.
    Finished,
    /// It was cancelled.
    Cancelled,
    /// Its resource failed.
    Lost,
}

/// A job that left.
#[derive(Clone, Debug)]
pub struct JobRecord {
    /// In order of arrival, from 0.
    pub number: u64,
    /// Its name, if it has one.
    pub name: Option<Arc<String>>,
    /// Who submitted it.
    pub user: u32,
    /// As part of which application.
    pub application: u32,
    /// What it asked for.
    pub qos: u32,
    /// Its size.
    pub demand: Demand,
    /// When it arrived at its scheduler.
    pub arrival: Time,
    /// Where it was sent, and when; `None` if it never was.
    pub sent: Option<(ResourceId, Time)>,
    /// How long it was believed to take there, alone at full speed; 0 if it was never sent.
    pub believed: Ticks,
    /// When it first ran, and on which PE where the policy ties jobs to PEs.
    pub started: Option<(Time, Option<u32>)>,
    /// What was paid for it.
    pub cost: Money,
    /// When it should have been finished, if that matters.
    pub deadline: Option<Time>,
    /// When it no longer ran; before its end if its results had a way to go.
    pub ran_until: Time,
    /// When it left.
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

    /// Whether it was finished by its deadline; `None` without one.
    pub fn is_in_time(&self) -> Option<bool> {
        let deadline = self.deadline?;
        Some(self.outcome == Outcome::Finished && self.end <= deadline)
    }

    /// From arrival to end.
    pub fn flow(&self) -> Ticks {
        self.end - self.arrival
    }
}
