//! `[[users]]`, `[[job]]` and `[estimates]`: the submitted jobs.
//!
//! Users are numbered consecutively through all groups. Listed jobs belong to additional users, one
//! per scheduler, because the simulator finds the scheduler of a job by its user.

use std::path::Path;
use std::sync::Arc;

use super::composite::{self, Wants};
use super::data::{self, DataFiles};
use super::economy::{DemandKeys, Demands};
use super::error::{At, Fault, ensure, label};
use super::file;
use super::hours;
use super::job_file::JobFile;
use super::memory;
use super::number::{CLOCK, Number, beyond, scale, ticks};
use super::reservation::Reservations;
use super::schedulers::Schedulers;
use gridsat_grid::economy::Terms;
use gridsat_grid::load::Start;
use gridsat_grid::{Grid, Group, SchedulerId, SourceFailure};
use gridsat_workload::{
    Composite, ContractId, Distribution, EstimateError, Extras, JobSpec, Qos, Source, Unit, Users,
    WorkloadError, list,
};

/// Larger numbers are rejected as typing errors.
const MAX_CONTRACTS: u128 = 10_000_000;

/// All jobs of applications with budgets or deadlines are drawn once before the simulation starts.
const MAX_PROMISED: u128 = 100_000_000;

/// A simulation of more jobs would not end in practice.
const MAX_JOBS: u64 = 1_000_000_000_000;

/// A group of users and the schedulers they submit to, in turn.
#[derive(Clone, Debug)]
pub(super) struct UserGroup {
    pub label: String,
    users: Users,
    pub schedulers: Vec<SchedulerId>,
    /// The highest QoS level that may be requested.
    pub level: u32,
    /// The largest demand of a job, and its unit.
    pub largest: f64,
    pub unit: Unit,
    pub wants: Wants,
    demands: Option<Demands>,
}

impl UserGroup {
    fn check(
        group: &file::Users,
        label: String,
        first: u32,
        start: Start,
        schedulers: &Schedulers,
        files: &mut DataFiles,
    ) -> Result<Self, Fault> {
        let (qos, level) = qos(group)?;
        let Amount { key, unit, amount, more } =
            Amount::of(("size", group.size), ("io", group.io))?;
        let data = data::DataKeys {
            inputs: &group.inputs,
            outputs: &[],
            home: group.home.as_deref(),
            input: group.input,
            output: group.output,
        };
        let (memory, most) = memory::of_users(group.memory)?;
        let users = Users {
            first,
            count: group.count,
            applications: group.applications.unwrap_or(1),
            tasks: group.tasks,
            gap: gap(group.gap)?,
            size: amount.positive(key)?,
            unit,
            qos,
            data: files.needs(data, &label)?,
            extras: Extras {
                memory,
                operations: more.map(|more| more.positive("io")).transpose()?,
                pes: composite::pes(group.pes, unit, "size")?,
            },
            hours: hours::check(group, start)?,
        };
        users.jobs(0, 0, scale())?;
        let last = group.gap.mean() * f64::from(users.count) * f64::from(users.applications);
        ensure(last < CLOCK, || beyond("the last arrival", last).to_string())?;
        let schedulers = destinations(group.schedulers.as_deref(), first, schedulers)?;
        let &file::Users { deadline, budget, d_factor, b_factor, .. } = group;
        let demands = Demands::check(DemandKeys { deadline, budget, d_factor, b_factor })?;
        let largest = amount.largest();
        let operations = more.map_or(0.0, Number::largest);
        let wants = Wants { unit, qos: level, operations, pes: users.extras.pes, memory: most };
        let group = Self { label, users, schedulers, level, largest, unit, wants, demands };
        let contracts = group.contract_count();
        ensure(contracts <= MAX_CONTRACTS, || {
            format!("{contracts} deadlines or budgets, at most {MAX_CONTRACTS} are possible")
        })?;
        let promised = group.demands.map_or(0, |_| group.job_count());
        ensure(promised <= MAX_PROMISED, || {
            format!(
                "{promised} jobs with deadlines or budgets, at most {MAX_PROMISED} are possible"
            )
        })?;
        Ok(group)
    }

    /// Number of contracts: one per application if there is a budget or deadline, else 0.
    fn contract_count(&self) -> u128 {
        let Users { count, applications, .. } = self.users;
        self.demands.map_or(0, |_| u128::from(count) * u128::from(applications))
    }

    /// Draws the jobs of all applications once to compute their budgets and deadlines.
    fn terms(
        &self,
        demands: &Demands,
        jobs: impl Iterator<Item = JobSpec>,
        grid: &Grid,
        is_usable: &impl Fn(SchedulerId) -> Vec<bool>,
    ) -> Vec<Terms> {
        let is_usable: Vec<_> = self.schedulers.iter().map(|&id| is_usable(id)).collect();
        let mut jobs = jobs.peekable();
        let mut all = Vec::new();
        while let Some(first) = jobs.peek() {
            let is_usable = &is_usable[first.user as usize % is_usable.len()];
            let application: Vec<_> = jobs.by_ref().take(self.users.tasks as usize).collect();
            all.push(demands.terms(&application, grid, is_usable));
        }
        all
    }

    fn job_count(&self) -> u128 {
        let Users { count, applications, tasks, .. } = self.users;
        u128::from(count) * u128::from(applications) * u128::from(tasks)
    }
}

/// The amount of work of a job, its key and unit.
pub(super) struct Amount<T> {
    pub key: &'static str,
    pub unit: Unit,
    pub amount: T,
    /// The operations of a job with both keys.
    pub more: Option<T>,
}

impl<T> Amount<T> {
    pub fn of(
        (size_key, size): (&'static str, Option<T>),
        (io_key, io): (&'static str, Option<T>),
    ) -> Result<Self, Fault> {
        match (size, io) {
            (Some(amount), more) => {
                Ok(Self { key: size_key, unit: Unit::Instructions, amount, more })
            }
            (None, Some(amount)) => {
                Ok(Self { key: io_key, unit: Unit::Operations, amount, more: None })
            }
            (None, None) => Err(Fault::new(format!("{size_key} or {io_key} is missing"))),
        }
    }
}

/// The schedulers, rotated so that the first user of the group submits to the first of them.
fn destinations(
    names: Option<&[String]>,
    first: u32,
    schedulers: &Schedulers,
) -> Result<Vec<SchedulerId>, Fault> {
    let Some(names) = names else { return Ok(vec![SchedulerId(0)]) };
    ensure(!names.is_empty(), || "schedulers is empty")?;
    let find =
        |(i, name): (usize, &String)| schedulers.named(Some(name)).at(format!("schedulers[{i}]"));
    let mut found = names.iter().enumerate().map(find).collect::<Result<Vec<_>, _>>()?;
    let shift = first as usize % found.len();
    found.rotate_right(shift);
    Ok(found)
}

/// Seconds between submissions; a plain number is the mean of an exponential distribution.
fn gap(gap: Number) -> Result<Distribution, Fault> {
    let gap = if let Number::Plain(mean) = gap { Number::Exponential(mean) } else { gap };
    gap.distribution().at("gap")
}

/// The distribution of levels, and the highest level.
fn qos(group: &file::Users) -> Result<(Qos, u32), Fault> {
    match (group.qos, &group.weights) {
        (Some(_), Some(_)) => Err(Fault::Exclusive { one: "qos", other: "weights" }),
        (None, None) => Ok((Qos::none(), 0)),
        (Some(chance), None) => Ok((Qos::high(chance).at("qos")?, u32::from(chance > 0.0))),
        (None, Some(weights)) => {
            let qos = Qos::weights(weights).at("weights")?;
            let highest = weights.iter().rposition(|&weight| weight > 0.0).unwrap_or(0);
            Ok((qos, highest as u32))
        }
    }
}

/// A job of `[[job]]`.
#[derive(Clone, Debug)]
pub(super) struct ListedJob {
    pub label: String,
    pub spec: JobSpec,
    pub scheduler: SchedulerId,
    pub amount: f64,
    pub unit: Unit,
    pub wants: Wants,
    demands: Option<Demands>,
}

impl ListedJob {
    fn check(
        job: &file::Job,
        index: usize,
        label: String,
        schedulers: &Schedulers,
        reservations: &Reservations,
        files: &mut DataFiles,
    ) -> Result<Self, Fault> {
        let Amount { key, unit, amount, more } = Amount::of(("mi", job.mi), ("io", job.io))?;
        Number::Plain(amount).positive(key)?;
        more.map(|more| Number::Plain(more).positive("io")).transpose()?;
        let data = data::DataKeys {
            inputs: &job.inputs,
            outputs: &job.outputs,
            home: job.home.as_deref(),
            input: job.input,
            output: job.output,
        };
        let scheduler = schedulers.named(job.scheduler.as_deref()).at("scheduler")?;
        let memory = memory::of_job(job.memory)?;
        let (operations, pes) = (more.unwrap_or(0.0), composite::pes(job.pes, unit, "mi")?);
        let demand = match unit {
            Unit::Instructions => {
                Composite { instructions: amount, operations, pes, memory }.demand()
            }
            Unit::Operations => {
                let instructions = 0.0;
                Composite { instructions, operations: amount, pes, memory }.demand()
            }
        };
        let spec = JobSpec {
            application: index as u32,
            qos: job.qos,
            reservation: reservations.of(job)?,
            data: files.needs(data, &label)?,
            name: job.name.clone().map(Into::into),
            ..JobSpec::new(ticks("at", job.at)?, demand)
        };
        let &file::Job { deadline, budget, d_factor, b_factor, .. } = job;
        let demands = Demands::check(DemandKeys { deadline, budget, d_factor, b_factor })?;
        let wants = Wants { unit, qos: job.qos, operations, pes, memory };
        Ok(Self { label, spec, scheduler, amount, unit, wants, demands })
    }
}

/// All jobs except those of a matrix.
#[derive(Clone, Debug)]
pub(super) struct Workload {
    pub groups: Vec<UserGroup>,
    pub jobs: Vec<ListedJob>,
    pub files: Vec<JobFile>,
    pub estimates: EstimateError,
    /// The first user number not used by a group.
    pub next_user: u32,
    /// Total number of jobs, including those of a matrix.
    pub count: u64,
}

impl Workload {
    /// `others` is the number of jobs of a matrix.
    pub fn check(
        file: &file::File,
        others: u64,
        start: Start,
        schedulers: &Schedulers,
        reservations: &Reservations,
        files: &mut DataFiles,
    ) -> Result<Self, Fault> {
        let mut next_user = 0_u32;
        let mut groups = Vec::with_capacity(file.users.len());
        for (index, group) in file.users.iter().enumerate() {
            let label = label("users", index, None);
            let group = UserGroup::check(group, label.clone(), next_user, start, schedulers, files);
            let group = group.at(&label)?;
            let next = next_user.checked_add(group.users.count);
            let next = next.filter(|next| next.checked_add(schedulers.count() as u32).is_some());
            next_user =
                next.ok_or_else(|| Fault::new(format!("{label}: more than 4 billion users")))?;
            groups.push(group);
        }
        let mut jobs = Vec::with_capacity(file.job.len());
        for (index, job) in file.job.iter().enumerate() {
            let label = label("job", index, job.name.as_deref());
            let job = ListedJob::check(job, index, label.clone(), schedulers, reservations, files);
            jobs.push(job.at(label)?);
        }
        let of_users: u128 = groups.iter().map(UserGroup::job_count).sum();
        let count = of_users + jobs.len() as u128 + u128::from(others);
        ensure(
            count > 0 || !file.job_file.is_empty(),
            || "there are no jobs: [[users]], [[job]], [[job_file]] or [etc] is missing",
        )?;
        ensure(count <= u128::from(MAX_JOBS), || {
            format!("{count} jobs, at most {MAX_JOBS} are possible")
        })?;
        let estimates = estimates(&file.estimates)?;
        let files = Vec::new();
        Ok(Self { groups, jobs, files, estimates, next_user, count: count as u64 })
    }

    /// Budgets and deadlines of applications, in the order in which [`Self::sources`] numbers them:
    /// those of groups, then listed jobs, each one application. `is_usable` lists the resources
    /// that a scheduler reaches.
    pub fn contracts(
        &self,
        seed: u64,
        grid: &Grid,
        is_usable: impl Fn(SchedulerId) -> Vec<bool>,
    ) -> Result<Vec<Terms>, WorkloadError> {
        let mut all = Vec::new();
        for (index, group) in self.groups.iter().enumerate() {
            if let Some(demands) = &group.demands {
                let jobs = group.users.jobs(seed, index as u64, scale())?;
                all.extend(group.terms(demands, jobs, grid, &is_usable));
            }
        }
        for job in &self.jobs {
            if let Some(demands) = &job.demands {
                let is_usable = is_usable(job.scheduler);
                all.push(demands.terms(std::slice::from_ref(&job.spec), grid, &is_usable));
            }
        }
        Ok(all)
    }

    /// New sources of jobs.
    pub fn sources(&self, seed: u64, scheduler_count: usize) -> Result<Vec<Group>, Fault> {
        let mut groups = Vec::with_capacity(self.groups.len() + 2);
        let mut contracts = 0;
        for (index, group) in self.groups.iter().enumerate() {
            let jobs = group.users.jobs(seed, index as u64, scale())?;
            let source = if group.demands.is_some() {
                let (first, tasks) = (contracts, group.users.tasks as usize);
                contracts += group.contract_count() as usize;
                let number = move |(number, job): (usize, JobSpec)| JobSpec {
                    contract: ContractId::new(first + number / tasks),
                    ..job
                };
                self.misjudged(jobs.enumerate().map(number), seed, index)?
            } else {
                self.misjudged(jobs, seed, index)?
            };
            groups.push(Group::new(source, group.schedulers.clone()));
        }
        if !self.jobs.is_empty() {
            let jobs = self.jobs.iter().map(|job| {
                let contract = job.demands.and_then(|_| {
                    contracts += 1;
                    ContractId::new(contracts - 1)
                });
                let user = self.next_user + job.scheduler.0;
                JobSpec { user, contract, ..job.spec.clone() }
            });
            let source = self.misjudged(list(jobs.collect())?, seed, groups.len())?;
            let mut schedulers: Vec<_> = (0..scheduler_count as u32).map(SchedulerId).collect();
            let shift = self.next_user as usize % schedulers.len();
            schedulers.rotate_right(shift);
            groups.push(Group::new(source, schedulers));
        }
        for file in &self.files {
            groups.push(self.streamed(file, seed, groups.len())?);
        }
        Ok(groups)
    }

    /// The jobs of a file.
    fn streamed(&self, file: &JobFile, seed: u64, number: usize) -> Result<Group, Fault> {
        let failure = SourceFailure::default();
        let jobs = file.source(self.next_user + file.scheduler.0, Arc::clone(&failure))?;
        let source = self.misjudged(jobs, seed, number)?;
        Ok(Group { source, schedulers: vec![file.scheduler], failure })
    }

    /// Reads the files of jobs.
    pub fn add_files(
        &mut self,
        given: &[file::JobFile],
        folder: &Path,
        schedulers: &Schedulers,
    ) -> Result<(), Fault> {
        for (index, file) in given.iter().enumerate() {
            let file = JobFile::check(file, index, folder, schedulers)?;
            self.count += file.count;
            self.files.push(file);
        }
        ensure(self.count <= MAX_JOBS, || {
            format!("{} jobs, at most {MAX_JOBS} are possible", self.count)
        })
    }

    /// The same jobs with the estimate errors of `[estimates]`.
    pub fn misjudged(
        &self,
        jobs: impl Iterator<Item = JobSpec> + Send + 'static,
        seed: u64,
        group: usize,
    ) -> Result<Source, WorkloadError> {
        Ok(match self.estimates {
            EstimateError::None => Box::new(jobs),
            error => Box::new(error.over(jobs, seed, group as u64)?),
        })
    }
}

fn estimates(given: &file::Estimates) -> Result<EstimateError, Fault> {
    let error = match (given.error, given.less, given.more) {
        (None, None, None) => EstimateError::None,
        (Some(max_percent), None, None) => EstimateError::Thesis { max_percent },
        (None, less, more) => {
            EstimateError::GridSim { less: less.unwrap_or(0.0), more: more.unwrap_or(0.0) }
        }
        (Some(_), ..) => return Err(Fault::new("estimates: error excludes less and more")),
    };
    error.over((), 0, 0).at("estimates")?;
    Ok(error)
}
