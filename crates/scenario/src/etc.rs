//! `[etc]`: jobs with a given run time on each resource.
//!
//! The hosts of the matrix are all resources in order. An inline matrix is converted to JSON and
//! parsed by the instance reader, so that numbers have the same meaning in both places.

use std::path::Path;
use std::sync::Arc;

use super::error::{At, Fault, ensure};
use super::file;
use super::grid::Resources;
use super::number::{beyond, scale, ticks};
use super::schedulers::Schedulers;
use gridsat_grid::{ResourceId, SchedulerId};
use gridsat_model::io::{self, Format, ReadOptions};
use gridsat_model::{Instance, TaskId, Ticks};
use gridsat_workload::{Demand, JobSpec};

/// The jobs of a matrix.
#[derive(Clone, Debug)]
pub(super) struct Etc {
    jobs: Vec<JobSpec>,
    pub scheduler: SchedulerId,
    pub mapping: Option<Vec<ResourceId>>,
}

impl Etc {
    pub fn check(
        etc: &file::Etc,
        folder: &Path,
        resources: &Resources,
        schedulers: &Schedulers,
    ) -> Result<Self, Fault> {
        let instance = instance(etc, folder)?;
        let (found, expected) = (instance.host_count(), resources.count());
        ensure(found == expected, || {
            format!("{found} hosts in the matrix, but {expected} resources")
        })?;
        ensure(
            instance.latest_ready() == Ticks(0),
            || "the instance has ready times, but in a simulation all hosts are free at the start",
        )?;
        check_levels(&instance, resources)?;
        let arrival = ticks("at", etc.at)?;
        let factor = ticks_a_tick(&instance, etc.file.is_some())?;
        let jobs: Vec<JobSpec> = instance
            .tasks()
            .map(|task| job(&instance, task, factor.0, arrival))
            .collect::<Result<_, _>>()?;
        let scheduler = schedulers.named(etc.scheduler.as_deref()).at("scheduler")?;
        let mapping = etc.mapping.as_ref().map(|hosts| mapping(hosts, &jobs)).transpose()?;
        Ok(Self { jobs, scheduler, mapping })
    }

    pub fn count(&self) -> u64 {
        self.jobs.len() as u64
    }

    /// Run times of each job on each resource, job by job.
    pub fn rows(&self) -> impl Iterator<Item = &[Option<Ticks>]> {
        self.jobs.iter().map(times)
    }

    /// The jobs, submitted by this user.
    pub fn source(&self, user: u32) -> impl Iterator<Item = JobSpec> + Send + use<> {
        self.jobs.clone().into_iter().map(move |job| JobSpec { user, ..job })
    }
}

fn times(job: &JobSpec) -> &[Option<Ticks>] {
    match &job.demand {
        Demand::Times(times) => times,
        Demand::Instructions(_) | Demand::Operations(_) | Demand::Composite(_) => &[],
    }
}

fn instance(etc: &file::Etc, folder: &Path) -> Result<Instance, Fault> {
    match (&etc.file, &etc.matrix) {
        (Some(path), None) => {
            // The instance reader takes "-" for standard input.
            ensure(path.as_path() != Path::new("-"), || "file is \"-\", not a path")?;
            io::read_file(folder.join(path), &ReadOptions::default()).at("file")
        }
        (None, Some(matrix)) => {
            let row = |row: &Vec<super::number::Cell>| {
                let cells: Vec<&str> = row.iter().map(|cell| cell.0.as_str()).collect();
                format!("[{}]", cells.join(","))
            };
            let rows: Vec<String> = matrix.iter().map(row).collect();
            let text = format!("{{\"etc\":[{}]}}", rows.join(","));
            // A position in the generated text would be meaningless.
            let read = io::parse(text.as_bytes(), "matrix", Format::Json, &ReadOptions::default());
            read.map_err(|error| error.problem).at("matrix")
        }
        _ => Err(Fault::new("needs either file or matrix")),
    }
}

/// Checks that each resource offers at least the QoS level that the file says of its host.
fn check_levels(instance: &Instance, resources: &Resources) -> Result<(), Fault> {
    let levels = instance.levels().map_or(&[][..], |levels| &levels.hosts);
    for (id, &level) in resources.all().zip(levels) {
        let entry = resources.entry(id);
        ensure(entry.qos >= level, || {
            let (host, qos) = (id.0, entry.qos);
            format!("host {host} of the file offers QoS {level}, but that resource has qos = {qos}")
        })?;
    }
    Ok(())
}

/// Number of simulation ticks per tick of the instance.
fn ticks_a_tick(instance: &Instance, is_file: bool) -> Result<Ticks, Fault> {
    let (decimals, most) = (instance.scale().decimals(), scale().decimals());
    let remedy = match is_file {
        true => format!("gridsat convert FILE NEW --decimals {most} rounds them up"),
        false => "round them up".to_owned(),
    };
    ensure(instance.scale().parts() == 1, || {
        format!("times such as 10/3 have too many decimals, at most {most} are possible ({remedy})")
    })?;
    let more = most.checked_sub(decimals);
    let more = more.filter(|_| !instance.is_rounded()).ok_or_else(|| {
        let found = if instance.is_rounded() { "too many".into() } else { decimals.to_string() };
        format!("times have {found} decimals, at most {most} are possible ({remedy})")
    });
    Ok(Ticks(10_u64.pow(more?)))
}

fn job(instance: &Instance, task: TaskId, factor: u64, arrival: Ticks) -> Result<JobSpec, Fault> {
    let stretch = |time: Ticks| {
        let seconds = time.as_f64() / instance.scale().ticks_per_unit().as_f64();
        time.0.checked_mul(factor).map(Ticks).ok_or_else(|| beyond("a time", seconds))
    };
    let times = instance.hosts().map(|host| instance.time(task, host).map(stretch).transpose());
    let times = times.collect::<Result<Vec<_>, _>>().at(format!("task {}", task.0))?;
    Ok(JobSpec {
        qos: instance.levels().map_or(0, |levels| levels.tasks[task.index()]),
        name: Some(Arc::new(instance.task_name(task).to_owned())),
        ..JobSpec::new(arrival, Demand::Times(times.into()))
    })
}

fn mapping(hosts: &[u32], jobs: &[JobSpec]) -> Result<Vec<ResourceId>, Fault> {
    let (found, expected) = (hosts.len(), jobs.len());
    ensure(found == expected, || format!("mapping has {found} hosts for {expected} tasks"))?;
    for (task, (&host, job)) in hosts.iter().zip(jobs).enumerate() {
        let time = times(job).get(host as usize).copied();
        ensure(time.is_some(), || {
            format!("mapping[{task}] is {host}, but there is no such resource")
        })?;
        ensure(time.flatten().is_some(), || {
            format!("mapping[{task}] is {host}, where task {task} cannot run")
        })?;
    }
    Ok(hosts.iter().copied().map(ResourceId).collect())
}
