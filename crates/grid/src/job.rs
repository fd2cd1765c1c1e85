//! Jobs in the system, and the records of jobs that left.

use std::sync::Arc;

use super::allocation::Slot;
use super::economy::Money;
use super::failure::{Checkpoints, Stint};
use super::grid::ResourceId;
use super::jobs::PlainJob;
use super::scheduler::SchedulerId;
use super::work::Work;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::{ContractId, Demand, JobSpec};

/// Where a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At a scheduler that has not decided yet.
    Waiting(SchedulerId),
    /// On its way to this scheduler, which another one passed it to.
    Passing(SchedulerId),
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
            Self::Waiting(_) | Self::Passing(_) | Self::Held(_) | Self::GivenUp(_) => None,
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
const _: () = assert!(size_of::<Job>() <= 128 || size_of::<usize>() != 8);

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
    /// Budget and deadline of its application, if it has any.
    pub contract: Option<ContractId>,
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
            contract: job.spec.contract,
            ran_until,
            end,
            outcome,
        }
    }

    /// A plain job that finished, after this much work.
    pub(super) fn of_plain(job: PlainJob, time: Ticks, end: Time) -> Self {
        Self::new(job.into_job(time), end, end, Outcome::Finished, Money::ZERO, None)
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
