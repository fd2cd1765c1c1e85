//! The input of a simulation.

use super::simulate;
use std::sync::{Arc, OnceLock};

use crate::SimError;
use crate::data::Data;
use crate::economy::Terms;
use crate::grid::{Grid, ResourceId};
use crate::happening::GridEvents;
use crate::information::Information;
use crate::job::JobRecord;
use crate::load::Start;
use crate::reservation::ReservationSpec;
use crate::scheduler::{Mapper, SchedulerId, SchedulerSpec};
use crate::summary::Summary;
use gridsat_engine::time::Time;
use gridsat_engine::{Id, Observer, StopRules};
use gridsat_model::Scale;
use gridsat_workload::{JobSpec, Source};

/// A source of jobs, and the schedulers to which its users submit, in turn.
pub struct Group {
    /// Yields the jobs in the order of their arrival.
    pub source: Source,
    /// The schedulers, at least one.
    pub schedulers: Vec<SchedulerId>,
    /// Set by the source if it ended because of an error.
    pub failure: SourceFailure,
}

/// The error that ended a source of jobs before its last job, if any.
pub type SourceFailure = Arc<OnceLock<String>>;

impl Group {
    /// Jobs of a source that cannot fail.
    pub fn new(source: Source, schedulers: Vec<SchedulerId>) -> Self {
        Self { source, schedulers, failure: SourceFailure::default() }
    }
}

/// A command to a job, or to the simulation, at a given time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Halts the job with this number.
    Halt(u64),
    /// Resumes the job.
    Resume(u64),
    /// Cancels the job.
    Cancel(u64),
    /// Ends the simulation.
    End,
}

impl Command {
    /// The number of the job it concerns.
    pub(super) fn job(self) -> Option<u64> {
        match self {
            Self::Halt(job) | Self::Resume(job) | Self::Cancel(job) => Some(job),
            Self::End => None,
        }
    }
}

/// The input of a simulation.
///
/// [`Setup::new`] uses common defaults, which the fields can override.
#[derive(Default)]
pub struct Setup {
    /// The sites and their resources.
    pub grid: Grid,
    /// The schedulers, numbered from 0; groups and other schedulers name them by number.
    pub schedulers: Vec<SchedulerSpec>,
    /// The jobs, by group of users.
    pub groups: Vec<Group>,
    /// How old the schedulers' information on resources is.
    pub information: Information,
    /// Network and files, if there are any.
    pub data: Option<Data>,
    /// Budgets and deadlines of applications; jobs refer to them by index.
    pub contracts: Vec<Terms>,
    /// Reservations of PEs; jobs refer to them by index.
    pub reservations: Vec<ReservationSpec>,
    /// Commands from outside, with their times.
    pub commands: Vec<(Time, Command)>,
    /// Rules that end the simulation early.
    pub stop: StopRules,
    /// Length of a tick.
    pub scale: Scale,
    /// The date of time 0.
    pub start: Start,
    /// Seed of the random streams.
    pub seed: u64,
    /// Whether to measure the computing time of schedulers.
    pub timing: bool,
}

impl Setup {
    /// One on-line scheduler with this mapper over all resources, which receives all jobs in order
    /// of arrival.
    ///
    /// ```
    /// use gridsat_grid::allocation::Pes;
    /// use gridsat_grid::{Assignment, Mapper, MapperError, ResourceSpec, Setup, View};
    /// use gridsat_model::Ticks;
    /// use gridsat_workload::{Demand, JobSpec};
    ///
    /// /// Each job goes to the host with the shortest run time, regardless of its queue.
    /// struct Fastest;
    ///
    /// impl Mapper for Fastest {
    ///     fn name(&self) -> String {
    ///         "fastest".to_owned()
    ///     }
    ///
    ///     fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError> {
    ///         let fastest = |job| view.times(job).min_by_key(|&(_, time)| time);
    ///         let assign = |job| fastest(job).map(|(host, _)| Assignment { job, host });
    ///         Ok(view.jobs().filter_map(assign).collect())
    ///     }
    /// }
    ///
    /// let slow = ResourceSpec::new("slow", Pes::new(&[(1, 1.0)])?);
    /// let fast = ResourceSpec::new("fast", Pes::new(&[(1, 2.0)])?);
    /// let jobs = (0..3).map(|second| JobSpec::new(Ticks(second), Demand::Instructions(10.0)));
    /// let run = Setup::new(vec![slow, fast], Fastest, jobs).run()?;
    /// assert_eq!(run.summary.counts.makespan.0, Ticks(15));
    /// assert_eq!(run.jobs.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        grid: impl Into<Grid>,
        mapper: impl Mapper + 'static,
        jobs: impl Iterator<Item = JobSpec> + Send + 'static,
    ) -> Self {
        let grid = grid.into();
        let resources = (0..grid.resources.len()).map(ResourceId::at);
        let scheduler = SchedulerSpec::new(Box::new(mapper), resources);
        let group = Group::new(Box::new(jobs), vec![SchedulerId(0)]);
        Self { grid, schedulers: vec![scheduler], groups: vec![group], ..Self::default() }
    }

    /// Runs the simulation to its end and keeps a record of every job that left.
    pub fn run(self) -> Result<Run, SimError> {
        let mut records = Records::default();
        let summary = simulate(self, &mut records)?;
        let mut jobs = records.0;
        jobs.sort_by_key(|job| job.number);
        Ok(Run { summary, jobs })
    }
}

/// The results of a simulation.
#[derive(Clone, Debug)]
pub struct Run {
    /// Statistics over all jobs.
    pub summary: Summary,
    /// The jobs that left, sorted by number.
    pub jobs: Vec<JobRecord>,
}

impl Run {
    /// Time at which the last job finished, in seconds.
    pub fn makespan(&self) -> gridsat_model::Time {
        self.summary.scale.display(self.summary.counts.makespan.0)
    }
}

#[derive(Default)]
struct Records(Vec<JobRecord>);

impl Observer<GridEvents> for Records {
    fn left(&mut self, job: &JobRecord) {
        self.0.push(job.clone());
    }
}
