//! Cluster scenarios: clusters, a scheduler, and parallel jobs from a trace, a model or a list.
//!
//! ```text
//! text ──► file: every key ──► grid, scheduler, jobs ──► ClusterScenario ──► Setup ──► simulate
//! trace.swf ─────────────────────────────────────────────────┘                  │ observer
//!                                                                               ▼
//!                                                                     SwfLog ──► trace.swf
//! ```
//!
//! The format is described in `docs/clusters.md`; a file is a cluster scenario if it has
//! `[[cluster]]`. Everything that does not require reading a whole trace is checked when the
//! scenario is read; an error is one line. A tick is 10^-`decimals` seconds, by default one second
//! as in traces.

mod estimates;
mod failure;
mod file;
mod grid;
mod jobs;
mod list;
mod log;
mod model;
mod perturbation;
mod request;
mod reservation;
mod scheduler;
mod terms;
mod trace;
mod words;

use std::path::Path;
use std::str::FromStr;

use thiserror::Error;

pub use super::template::CLUSTER_TEMPLATES;
pub use file::Outputs;
pub use gridsat_cluster::Run as ClusterRun;
pub use log::SwfLog;
pub use trace::TraceTally;

use super::error::{At, Fault, ScenarioError, ensure};
use super::text::{Keys, Syntax, Text};
use super::{RunError, name_of};
use failure::FailureRules;
use grid::Clusters;
use gridsat_cluster::{
    ClusterError, ClusterSpec, Overrun, Penalty, QueuePolicy, ReservationSpec, Setup,
};
use gridsat_engine::StopRules;
use gridsat_engine::time::Time;
use gridsat_model::{Scale, Ticks};
use gridsat_workload::swf::{Rules, SwfError};
use jobs::{Around, JobStream};
use scheduler::Scheduler;
use words::{one_of, ticks};

/// With more decimals, 64 bits would hold too few years.
const MAX_DECIMALS: u32 = 9;
/// The threshold of the bounded slowdown, in seconds (Feitelson 2001).
const THRESHOLD: f64 = 10.0;

/// A checked cluster scenario.
#[derive(Clone, Debug)]
pub struct ClusterScenario {
    file: String,
    name: String,
    seed: u64,
    scale: Scale,
    clusters: Clusters,
    scheduler: Scheduler,
    jobs: JobStream,
    failures: FailureRules,
    reservations: Vec<ReservationSpec>,
    penalty: Penalty,
    overrun: Overrun,
    threshold: Ticks,
    stop: StopRules,
    outputs: Outputs,
}

/// Changes to the scenario of the file.
#[derive(Clone, Debug, Default)]
pub struct ClusterChanges {
    /// Replaces the seed.
    pub seed: Option<u64>,
    /// Replaces the policy. Either from [`ClusterScenario::policy`] or with other parameters.
    pub policy: Option<QueuePolicy>,
}

impl ClusterChanges {
    /// Replaces the policy and nothing else.
    pub fn policy(policy: QueuePolicy) -> Self {
        Self { policy: Some(policy), ..Self::default() }
    }
}

/// How to simulate a trace without a scenario file.
#[derive(Clone, Copy, Debug, Default)]
pub struct TraceOptions {
    /// Number of nodes of the one cluster; by default that of the header.
    pub nodes: Option<u32>,
    /// Whether to accept deviations from the format, see [`Rules::Lenient`]. Time then starts with
    /// the first job, because such traces often have Unix times.
    pub lenient: bool,
}

/// Why a trace cannot be simulated without a scenario file.
#[derive(Debug, Error)]
pub enum TraceError {
    /// The trace is invalid.
    #[error(transparent)]
    Swf(#[from] SwfError),
    /// The cluster is invalid.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
}

impl ClusterScenario {
    /// Reads a file: JSON if its name ends in `.json`, otherwise TOML.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ScenarioError> {
        Self::of(Text::load(path.as_ref())?.keys())
    }

    /// Parses a text. Errors name it `file`; relative paths of traces start at `folder`.
    pub fn parse(
        text: &str,
        syntax: Syntax,
        file: &str,
        folder: &Path,
    ) -> Result<Self, ScenarioError> {
        Self::of(Keys::parse(text, syntax, file, folder))
    }

    /// Checks keys that have been parsed already, or values made by a program.
    pub fn of(keys: Keys<'_>) -> Result<Self, ScenarioError> {
        let (source, folder) = (keys.source(), keys.folder);
        let scenario = Self::check(&keys.read()?, source.file, folder);
        scenario.map_err(|fault| source.error(fault))
    }

    /// A trace on one cluster of reference nodes, first come first served.
    pub fn of_trace(path: &Path, options: TraceOptions) -> Result<Self, TraceError> {
        let shown = path.to_string_lossy();
        let rules = if options.lenient { Rules::Lenient } else { Rules::Archive };
        let said = trace::processors(path, rules)?;
        let nodes = options.nodes.map(u64::from).or(said);
        let unknown = "the number of nodes is unknown: the header does not give it, use --nodes N";
        let jobs = file::Jobs {
            trace: Some(path.to_owned()),
            lenient: Some(options.lenient),
            start: options.lenient.then(|| "first-job".to_owned()),
            ..Default::default()
        };
        let check = |nodes: u64| {
            let nodes = Some(u32::try_from(nodes).unwrap_or(u32::MAX));
            let cluster = vec![file::Cluster { nodes, ..Default::default() }];
            let file = file::File { cluster, jobs: Some(jobs), ..Default::default() };
            Self::check(&file, &shown, Path::new(""))
        };
        let checked = nodes.ok_or_else(|| Fault::new(unknown)).and_then(check);
        Ok(checked.map_err(|fault| fault.in_file(&shown))?)
    }

    fn check(given: &file::File, file: &str, folder: &Path) -> Result<Self, Fault> {
        let decimals = given.decimals.unwrap_or(0);
        let scale = Scale::new(decimals).filter(|_| decimals <= MAX_DECIMALS).ok_or_else(|| {
            Fault::new(format!("decimals is {decimals}, not from 0 to {MAX_DECIMALS}"))
        })?;
        let clusters = Clusters::check(&given.cluster)?;
        let scheduler = Scheduler::check(&given.scheduler).at("scheduler")?;
        scheduler.policy(None).at("scheduler")?;
        let reservations = reservation::check(&given.reservation, &clusters, scale)?;
        let queues = scheduler.queues;
        let around =
            Around { folder, clusters: &clusters, queues, scale, reservations: &reservations };
        let jobs = JobStream::check(given, around)?;
        let overrun = [("extend", Overrun::Extend), ("kill", Overrun::Kill)];
        Ok(Self {
            file: file.to_owned(),
            name: name_of(given.name.clone(), file),
            seed: given.seed.unwrap_or(1),
            scale,
            penalty: penalty(&given.penalty, scale).at("penalty")?,
            overrun: one_of("overrun", given.overrun.as_deref(), &overrun)?,
            threshold: ticks("threshold", given.threshold.unwrap_or(THRESHOLD), scale)?,
            stop: stop(&given.stop, scale).at("stop")?,
            outputs: given.output.clone(),
            failures: FailureRules::check(given, &clusters, scale)?,
            reservations,
            clusters,
            scheduler,
            jobs,
        })
    }

    /// Name of the scenario, by default that of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Seed of the random streams.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Length of a tick.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// The clusters, in the order of the file.
    pub fn clusters(&self) -> &[ClusterSpec] {
        &self.clusters.specs
    }

    /// Path of the trace, if there is one.
    pub fn trace_path(&self) -> Option<&Path> {
        self.jobs.trace()
    }

    /// Output files that the scenario requests.
    pub fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    /// The policy of this name, with the parameters of the file; for `None` the policy of the file.
    pub fn policy(&self, name: Option<&str>) -> Result<QueuePolicy, ScenarioError> {
        self.scheduler.policy(name).map_err(|fault| fault.in_file(&self.file))
    }

    /// The input of a new simulation, and a tally of the records it reads from a trace.
    pub fn setup(&self, changes: &ClusterChanges) -> Result<(Setup, TraceTally), ScenarioError> {
        self.build(changes).map_err(|fault| fault.in_file(&self.file))
    }

    /// Simulates the scenario and keeps a record of every job. [`ClusterChanges`] may replace the
    /// policy, also by one that you write.
    ///
    /// ```
    /// use gridsat_cluster::{QueuePolicy, QueueRule, QueueView};
    /// use gridsat_scenario::clusters::{ClusterChanges, ClusterScenario};
    /// use gridsat_scenario::template;
    ///
    /// /// Starts the largest job that fits.
    /// struct Largest;
    ///
    /// impl QueueRule for Largest {
    ///     fn name(&self) -> &str {
    ///         "largest"
    ///     }
    ///
    ///     fn next(&self, view: &QueueView<'_>) -> Option<usize> {
    ///         let fitting = view.waiting().enumerate().filter(|(_, job)| job.fits);
    ///         fitting.max_by_key(|(_, job)| job.nodes).map(|(place, _)| place)
    ///     }
    /// }
    ///
    /// let text = template("beosim-grid").expect("built in").text.replace("20000", "500");
    /// let scenario: ClusterScenario = text.parse()?;
    /// for policy in [QueuePolicy::own(&Largest), scenario.policy(Some("easy"))?] {
    ///     let run = scenario.run(&ClusterChanges::policy(policy))?;
    ///     assert_eq!(run.jobs.len() as u64, run.summary.all.jobs.finished);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run(&self, changes: &ClusterChanges) -> Result<ClusterRun, RunError<ClusterError>> {
        self.setup(changes)?.0.run().map_err(RunError::Simulation)
    }

    fn build(&self, changes: &ClusterChanges) -> Result<(Setup, TraceTally), Fault> {
        let policy = changes.policy.map_or_else(|| self.scheduler.policy(None), Ok)?;
        let (seed, tally) = (changes.seed.unwrap_or(self.seed), TraceTally::default());
        let setup = Setup {
            clusters: self.clusters.specs.clone(),
            schedulers: self.scheduler.build(&self.clusters, policy, seed),
            source: self.jobs.source(seed, tally.clone())?,
            penalty: self.penalty,
            overrun: self.overrun,
            has_terms: self.jobs.has_terms(),
            reservations: self.reservations.clone(),
            failures: self.failures.build(seed, self.scale),
            stop: self.stop,
            threshold: self.threshold,
            scale: self.scale,
        };
        Ok((setup, tally))
    }
}

/// Parses TOML. Relative paths of traces start at the working directory.
impl FromStr for ClusterScenario {
    type Err = ScenarioError;

    fn from_str(text: &str) -> Result<Self, ScenarioError> {
        Self::parse(text, Syntax::Toml, "scenario", Path::new(""))
    }
}

fn penalty(given: &file::Penalty, scale: Scale) -> Result<Penalty, Fault> {
    Ok(Penalty {
        fixed: ticks("fixed", given.fixed.unwrap_or(0.0), scale)?,
        per_node: ticks("per_node", given.per_node.unwrap_or(0.0), scale)?,
    })
}

fn stop(given: &file::Stop, scale: Scale) -> Result<StopRules, Fault> {
    ensure(given.jobs != Some(0), || Fault::Zero { key: "jobs" })?;
    let time = given.time.map(|time| ticks("time", time, scale)).transpose()?;
    ensure(time != Some(Ticks(0)), || "time is 0, must be above 0")?;
    Ok(StopRules { time: time.map(Time), jobs: given.jobs, inactivity: None })
}
