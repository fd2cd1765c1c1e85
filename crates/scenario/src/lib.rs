//! Scenario files: a grid, its users and its schedulers, written in TOML or JSON.
//!
//! ```text
//! text ──► file: every key ──► grid, schedulers, jobs, etc ──► possible? ──► Scenario ──► Setup
//! ```
//!
//! The format is described in `docs/scenarios.md`. A scenario is read and checked once; an error is
//! one line with the position, the key and the value. Each run makes a new [`Setup`] of the
//! [`Scenario`]: the same seed gives the same grid and the same jobs under every policy. Problems
//! that depend on random numbers are reported only then.
//!
//! Times are seconds in the file and nanoseconds in the simulation, so simulated time is limited to
//! 584 years.
//!
//! The simulators are in `gridsat-grid` and `gridsat-cluster`, experiments with many runs in
//! `gridsat-lab`. Depends on the simulators, `gridsat-exact`, and their dependencies.

mod any;
mod batch;
mod breakage;
pub mod clusters;
mod composite;
mod conduct;
mod data;
mod economy;
mod error;
mod etc;
mod failure;
mod file;
mod grid;
mod hours;
mod information;
mod job_file;
mod jobs;
mod load;
mod memory;
mod network;
mod number;
mod optimal_batches;
mod place;
mod policy;
mod possible;
mod reservation;
mod run;
mod schedulers;
mod searched_batches;
mod tables;
mod template;
mod text;

use std::path::{Path, PathBuf};
use std::str::FromStr;

pub use any::AnyScenario;
pub use error::{Fault, ScenarioError};
pub use file::Outputs;
pub use optimal_batches::Kept;
pub use policy::{Exactness, Means, Policies, Policy, When};
pub use run::{Run, RunError};
pub use template::{TEMPLATES, Template, template, templates};
pub use text::{Keys, Syntax, Text, position_of, read_keys};

use data::DataFiles;
use error::{At, ensure, label};
use etc::Etc;
use grid::Resources;
use gridsat_engine::StopRules;
use gridsat_engine::time::Time;
use gridsat_grid::data::Data;
use gridsat_grid::load::Start;
use gridsat_grid::{Command, Group, Information, SchedulerId, Setup};
use gridsat_model::Stop;
use jobs::Workload;
use number::{positive_ticks, scale, ticks};
use reservation::Reservations;
use schedulers::Schedulers;

/// The date of time 0 by default, a Monday; it matters only to calendars.
const START: &str = "2005-01-03";
/// Seconds of a year without a leap day.
const YEAR: f64 = 31_536_000.0;

/// A checked scenario.
///
/// ```
/// use gridsat_scenario::{Changes, Scenario, template};
///
/// let scenario: Scenario = template("gsim-base").ok_or("no such template")?.text.parse()?;
/// assert_eq!(scenario.run(&Changes::default())?.summary.counts.finished, 1000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Scenario {
    file: String,
    name: String,
    seed: u64,
    start: Start,
    stop: StopRules,
    policies: Policies,
    resources: Resources,
    schedulers: Schedulers,
    workload: Workload,
    files: DataFiles,
    etc: Option<Etc>,
    reservations: Reservations,
    information: Information,
    commands: Vec<(Time, Command)>,
    outputs: Outputs,
}

/// Changes to the scenario of the file.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Replaces the seed.
    pub seed: Option<u64>,
    /// Replaces the policy of every scheduler that sends jobs to resources, with the default mode
    /// of the new policy. Wait times are kept.
    pub policy: Option<Policy>,
    /// Replaces the evaluations per batch of every scheduler whose policy is a search.
    pub evaluations: Option<u64>,
    /// Ends searches of batches, for the optimum too; the best mapping found is then used.
    pub stop: Stop,
    /// The folder in which the certificates of batches are kept, with their instances.
    pub certificates: Option<PathBuf>,
}

impl Changes {
    /// Replaces the policy and nothing else.
    pub fn policy(policy: Policy) -> Self {
        Self { policy: Some(policy), ..Self::default() }
    }
}

impl Scenario {
    /// Reads a file: JSON if its name ends in `.json`, otherwise TOML. It may name the built-in
    /// policies.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ScenarioError> {
        Self::of(Text::load(path.as_ref())?.keys(), &Policies::built_in())
    }

    /// Parses a text. Errors name it `file`; relative paths start at `folder`.
    pub fn parse(
        text: &str,
        syntax: Syntax,
        file: &str,
        folder: &Path,
    ) -> Result<Self, ScenarioError> {
        Self::of(Keys::parse(text, syntax, file, folder), &Policies::built_in())
    }

    /// Checks keys that have been parsed already, or values made by a program; it may name these
    /// `policies`.
    pub fn of(keys: Keys<'_>, policies: &Policies) -> Result<Self, ScenarioError> {
        let (source, folder) = (keys.source(), keys.folder);
        let scenario = Self::check(keys.read()?, source.file, folder, policies);
        scenario.map_err(|fault| source.error(fault))
    }

    fn check(
        given: file::File,
        file: &str,
        folder: &Path,
        policies: &Policies,
    ) -> Result<Self, Fault> {
        let resources = Resources::check(&given.resource, folder)?;
        let is_mapped = given.etc.as_ref().is_some_and(|etc| etc.mapping.is_some());
        let schedulers = Schedulers::check(&given.scheduler, is_mapped, &resources, policies)?;
        let etc = given.etc.as_ref().map(|etc| Etc::check(etc, folder, &resources, &schedulers));
        let etc = etc.transpose().at("etc")?;
        let mut files = DataFiles::check(&given, &resources)?;
        let reservations = Reservations::check(&given.reservation, &resources, &files)?;
        files.set_breakages(&given, &resources, folder)?;
        let others = etc.as_ref().map_or(0, Etc::count);
        let start = given.start.as_deref().unwrap_or(START).parse().at("start")?;
        let mut workload =
            Workload::check(&given, others, start, &schedulers, &reservations, &mut files)?;
        workload.add_files(&given.job_file, folder, &schedulers)?;
        files.check_makers()?;
        possible::check(&resources, &schedulers, &workload, etc.as_ref())?;
        let information = information::check(given.information.as_ref(), &schedulers)?;
        let commands = commands(&given.command, workload.count)?;
        let scenario = Self {
            file: file.to_owned(),
            name: name_of(given.name, file),
            seed: given.seed.unwrap_or(1),
            start,
            stop: stop(&given.stop).at("stop")?,
            policies: policies.clone(),
            resources,
            schedulers,
            workload,
            files,
            etc,
            reservations,
            information,
            commands,
            outputs: given.output,
        };
        scenario.check_policy(None)?;
        scenario.check_reservations()?;
        Ok(scenario)
    }

    /// Checks that there is as much at all as reservations request.
    fn check_reservations(&self) -> Result<(), Fault> {
        if self.reservations.specs().is_empty() {
            return Ok(());
        }
        let grid = self.resources.draw(self.seed)?;
        self.reservations.check_amounts(&grid, self.data().as_ref())
    }

    /// Network and files, if there are any.
    fn data(&self) -> Option<Data> {
        self.files.build(self.reservations.has_data())
    }

    /// Name of the scenario, by default that of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Seed of the random streams.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Output files that the scenario requests.
    pub fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    /// Names of the schedulers' policies, in order of the schedulers.
    pub fn own_policies(&self) -> Vec<String> {
        self.schedulers.entries().map(|entry| entry.policy.name.to_owned()).collect()
    }

    /// The policy of this name, if it can replace those of the file.
    pub fn policy(&self, name: &str) -> Result<Policy, ScenarioError> {
        let find = || {
            let policy = self.policies.find(name)?;
            self.check_policy(Some(&policy))?;
            Ok(policy)
        };
        find().map_err(|fault: Fault| fault.in_file(&self.file))
    }

    /// The input of a new simulation.
    pub fn setup(&self, changes: &Changes) -> Result<Setup, ScenarioError> {
        self.build(changes).map_err(|fault| fault.in_file(&self.file))
    }

    fn build(&self, changes: &Changes) -> Result<Setup, Fault> {
        let seed = changes.seed.unwrap_or(self.seed);
        let policy = changes.policy.as_ref();
        self.check_policy(policy)?;
        let grid = self.resources.draw(seed)?;
        possible::check_times(&grid, &self.workload)?;
        let mapping = self.etc.as_ref().and_then(|etc| etc.mapping.as_deref()).unwrap_or(&[]);
        let usable = |id| possible::usable(id, &self.resources, &self.schedulers);
        let contracts = self.workload.contracts(seed, &grid, usable)?;
        Ok(Setup {
            grid,
            schedulers: self.schedulers.build(changes, seed, mapping),
            groups: self.groups(seed)?,
            information: self.information,
            data: self.data(),
            contracts,
            reservations: self.reservations.specs().to_vec(),
            commands: self.commands.clone(),
            stop: self.stop,
            scale: scale(),
            start: self.start,
            seed,
            timing: false,
        })
    }

    /// Checks that the policies of all schedulers are possible; `policy` as in [`Changes`].
    fn check_policy(&self, policy: Option<&Policy>) -> Result<(), Fault> {
        let entries = self.schedulers.entries().enumerate();
        let is_fixed = |entry: &schedulers::SchedulerEntry| match policy {
            Some(policy) if entry.maps_onto_resources() => policy.is_fixed(),
            _ => entry.policy.is_fixed(),
        };
        let fixed = entries.filter(|(_, entry)| is_fixed(entry));
        let fixed: Vec<SchedulerId> = fixed.map(|(index, _)| SchedulerId(index as u32)).collect();
        let etc = self.etc.as_ref();
        possible::check_fixed(&fixed, &self.resources, &self.schedulers, &self.workload, etc)?;
        self.schedulers.check_brokers(policy)
    }

    fn groups(&self, seed: u64) -> Result<Vec<Group>, Fault> {
        let workload = &self.workload;
        let mut groups = workload.sources(seed, self.schedulers.count())?;
        if let Some(etc) = &self.etc {
            let jobs = etc.source(workload.next_user + etc.scheduler.0);
            let source = workload.misjudged(jobs, seed, groups.len())?;
            groups.push(Group::new(source, vec![etc.scheduler]));
        }
        Ok(groups)
    }
}

/// Parses TOML. Relative paths start at the working directory.
impl FromStr for Scenario {
    type Err = ScenarioError;

    fn from_str(text: &str) -> Result<Self, ScenarioError> {
        Self::parse(text, Syntax::Toml, "scenario", Path::new(""))
    }
}

/// The given name, or that of the file.
fn name_of(given: Option<String>, file: &str) -> String {
    let stem = || Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    given.or_else(stem).unwrap_or_default()
}

fn stop(given: &file::Stop) -> Result<StopRules, Fault> {
    ensure(given.jobs != Some(0), || Fault::Zero { key: "jobs" })?;
    let time = given.time.map(|time| positive_ticks("time", time)).transpose()?;
    let inactivity = positive_ticks("inactivity", given.inactivity.unwrap_or(YEAR))?;
    Ok(StopRules { time: time.map(Time), jobs: given.jobs, inactivity: Some(inactivity) })
}

fn commands(given: &[file::Command], jobs: u64) -> Result<Vec<(Time, Command)>, Fault> {
    let check = |(index, command): (usize, &file::Command)| {
        command_of(command, jobs).at(label("command", index, None))
    };
    given.iter().enumerate().map(check).collect()
}

fn command_of(given: &file::Command, jobs: u64) -> Result<(Time, Command), Fault> {
    let about_jobs = [
        ("halt", given.halt.map(Command::Halt), given.halt),
        ("resume", given.resume.map(Command::Resume), given.resume),
        ("cancel", given.cancel.map(Command::Cancel), given.cancel),
    ];
    for (key, _, job) in &about_jobs {
        if let Some(job) = job.filter(|job| *job >= jobs) {
            return Err(Fault::new(format!(
                "{key} is {job}, but jobs are numbered 0 to {}",
                jobs - 1
            )));
        }
    }
    let end = given.end.then_some(Command::End);
    let all: Vec<Command> =
        about_jobs.iter().filter_map(|(_, command, _)| *command).chain(end).collect();
    let [command] = all[..] else {
        return Err(Fault::new("needs exactly one of halt, resume, cancel, end = true"));
    };
    Ok((Time(ticks("at", given.at)?), command))
}
