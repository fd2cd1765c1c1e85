//! Jobs in the system, and what is known of one when it leaves.

use std::sync::Arc;

use super::allocation::{JobId, Slot};
use super::grid::ResourceId;
use super::scheduler::SchedulerId;
use super::time::Time;
use crate::model::Ticks;
use crate::workload::{Demand, JobSpec};

/// Where a job is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A scheduler has yet to decide.
    Waiting(SchedulerId),
    /// Halted before a scheduler decided.
    Held(SchedulerId),
    /// Sent to a resource.
    At(ResourceId, Slot),
}

/// A job in the system.
#[derive(Clone, Debug)]
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
}

/// The jobs in the system. Numbers of those that left are used again, so memory follows what is there,
/// not what has been.
#[derive(Debug, Default)]
pub struct Jobs {
    entries: Vec<Option<Job>>,
    free: Vec<JobId>,
    count: usize,
}

impl Jobs {
    /// How many are in the system.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether nothing is in the system.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// All jobs, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &Job> {
        self.entries.iter().flatten()
    }

    pub(super) fn add(&mut self, job: Job) -> JobId {
        self.count += 1;
        if let Some(id) = self.free.pop() {
            self.entries[id.0 as usize] = Some(job);
            return id;
        }
        let id = u32::try_from(self.entries.len()).expect("memory ends before four billion jobs");
        self.entries.push(Some(job));
        JobId(id)
    }

    pub(super) fn remove(&mut self, id: JobId) -> Job {
        self.count -= 1;
        self.free.push(id);
        self.entries[id.0 as usize].take().expect("a job leaves once")
    }

    /// A job in the system.
    pub fn get(&self, id: JobId) -> &Job {
        self.entries[id.0 as usize].as_ref().expect("ids are kept only of jobs in the system")
    }

    pub(super) fn get_mut(&mut self, id: JobId) -> &mut Job {
        self.entries[id.0 as usize].as_mut().expect("ids are kept only of jobs in the system")
    }
}

/// How a job left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its work is done.
    Finished,
    /// It was cancelled.
    Cancelled,
}

/// A job that left.
#[derive(Clone, Debug)]
pub struct JobRecord {
    /// In order of arrival, from 0.
    pub number: u64,
    /// Its name, if it has one.
    pub name: Option<Arc<str>>,
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
    /// When it left.
    pub end: Time,
    /// How it left.
    pub outcome: Outcome,
}

impl JobRecord {
    pub(super) fn new(job: Job, end: Time, outcome: Outcome) -> Self {
        let sent = match job.place {
            Place::At(resource, _) => Some((resource, job.sent)),
            Place::Waiting(_) | Place::Held(_) => None,
        };
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
            end,
            outcome,
        }
    }

    /// From arrival to end.
    pub fn flow(&self) -> Ticks {
        self.end - self.arrival
    }
}
