//! What a simulation is made of.

use super::simulate;
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

/// Jobs that come, and the schedulers their users send them to, user by user in turn.
pub struct Group {
    /// The jobs.
    pub source: Source,
    /// The schedulers, at least one.
    pub schedulers: Vec<SchedulerId>,
}

/// Something done to one job, or to the simulation, at a given time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Stops the job for a while.
    Halt(u64),
    /// Lets it go on.
    Resume(u64),
    /// Takes it away.
    Cancel(u64),
    /// Ends the simulation.
    End,
}

impl Command {
    /// The job it is about.
    pub(super) fn job(self) -> Option<u64> {
        match self {
            Self::Halt(job) | Self::Resume(job) | Self::Cancel(job) => Some(job),
            Self::End => None,
        }
    }
}

/// All that a simulation is made of.
///
/// [`Setup::new`] fills in what is usual; the fields change anything.
#[derive(Default)]
pub struct Setup {
    /// What there is.
    pub grid: Grid,
    /// Who decides.
    pub schedulers: Vec<SchedulerSpec>,
    /// Who submits what.
    pub groups: Vec<Group>,
    /// What schedulers know of resources.
    pub information: Information,
    /// Networks and files, if there are any.
    pub data: Option<Data>,
    /// What users demand for their applications; jobs name them by number.
    pub contracts: Vec<Terms>,
    /// PEs reserved for one user; jobs name them by number.
    pub reservations: Vec<ReservationSpec>,
    /// What is done from outside, and when.
    pub commands: Vec<(Time, Command)>,
    /// When to stop.
    pub stop: StopRules,
    /// What a tick is.
    pub scale: Scale,
    /// The date of time 0.
    pub start: Start,
    /// Where randomness starts.
    pub seed: u64,
    /// Whether to measure how long schedulers think.
    pub timing: bool,
}

impl Setup {
    /// One on-line scheduler with this mapper over all resources, to which all jobs go in order of
    /// arrival.
    ///
    /// ```
    /// use gridsat_grid::allocation::Pes;
    /// use gridsat_grid::{Assignment, Mapper, MapperError, ResourceSpec, Setup, View};
    /// use gridsat_model::Ticks;
    /// use gridsat_workload::{Demand, JobSpec};
    ///
    /// /// Each job goes where it takes the least time, however long the queue is.
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
        let group = Group { source: Box::new(jobs), schedulers: vec![SchedulerId(0)] };
        Self { grid, schedulers: vec![scheduler], groups: vec![group], ..Self::default() }
    }

    /// Runs to the end, and keeps a record of every job that left.
    pub fn run(self) -> Result<Run, SimError> {
        let mut records = Records::default();
        let summary = simulate(self, &mut records)?;
        let mut jobs = records.0;
        jobs.sort_by_key(|job| job.number);
        Ok(Run { summary, jobs })
    }
}

/// What came of a simulation.
#[derive(Clone, Debug)]
pub struct Run {
    /// The sums.
    pub summary: Summary,
    /// The jobs that left, by number.
    pub jobs: Vec<JobRecord>,
}

impl Run {
    /// When the last job was finished, in seconds.
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
