//! Checks that every job can start on some resource.
//!
//! A job can run on resources that its scheduler reaches, directly or through other schedulers,
//! that offer its QoS level, and that are not fully occupied by their owners for ever. Levels are
//! nested, so what a scheduler reaches is described by one number: the highest level.

use super::error::{Fault, ensure};
use super::etc::Etc;
use super::grid::Resources;
use super::jobs::Workload;
use super::number::{CLOCK, beyond};
use super::schedulers::Schedulers;
use gridsat_grid::{Grid, SchedulerId, Target};
use gridsat_workload::{EstimateError, Unit};

/// The highest level among the resources a scheduler reaches, and among those that are not always
/// fully loaded.
#[derive(Clone, Copy, Default)]
struct Reach {
    offered: Option<u32>,
    usable: Option<u32>,
}

impl Reach {
    fn max(self, other: Self) -> Self {
        Self { offered: self.offered.max(other.offered), usable: self.usable.max(other.usable) }
    }
}

pub(super) fn check(
    resources: &Resources,
    schedulers: &Schedulers,
    workload: &Workload,
    etc: Option<&Etc>,
) -> Result<(), Fault> {
    let units = [Unit::Instructions, Unit::Operations];
    let levels = units.map(|unit| levels(unit, resources, schedulers));
    let check = |label: &str, unit: Unit, qos: u32, id: SchedulerId| {
        let levels = &levels[usize::from(unit == Unit::Operations)];
        let (level, of) = (levels[id.index()], schedulers.entry(id).label());
        ensure(level.offered.is_some(), || {
            let what = match unit {
                Unit::Instructions => "PEs",
                Unit::Operations => "input and output operations",
            };
            format!("{label}: no resource that {of} reaches has {what}")
        })?;
        ensure(level.offered >= Some(qos), || {
            format!("{label}: needs QoS {qos}, but no resource that {of} reaches offers it")
        })?;
        ensure(level.usable >= Some(qos), || {
            format!(
                "{label}: never starts: every resource that {of} reaches and that can run it has a \
                 load of 100 %"
            )
        })
    };
    for group in &workload.groups {
        group.schedulers.iter().try_for_each(|&id| {
            check(&group.label, group.unit, group.level, id)?;
            group.wants.check(&group.label, id, resources, schedulers)
        })?;
    }
    workload.jobs.iter().try_for_each(|job| {
        check(&job.label, job.unit, job.spec.qos, job.scheduler)?;
        job.wants.check(&job.label, job.scheduler, resources, schedulers)
    })?;
    for file in &workload.files {
        file.most
            .iter()
            .try_for_each(|&(unit, _, qos)| check(&file.label, unit, qos, file.scheduler))?;
        file.wants.iter().try_for_each(|wants| {
            wants.check(&file.label, file.scheduler, resources, schedulers)
        })?;
    }
    etc.map_or(Ok(()), |etc| check_rows(etc, resources, schedulers))
}

/// From the last scheduler to the first, because schedulers send only to later ones.
fn levels(unit: Unit, resources: &Resources, schedulers: &Schedulers) -> Vec<Reach> {
    let mut levels = vec![Reach::default(); schedulers.count()];
    for (index, entry) in schedulers.entries().enumerate().rev() {
        let level = |target: &Target| match target {
            Target::Scheduler(id) => levels[id.index()],
            Target::Resource(id) if resources.entry(*id).serves != unit => Reach::default(),
            Target::Resource(id) => {
                let resource = resources.entry(*id);
                let usable = (!resource.load.is_full).then_some(resource.qos);
                Reach { offered: Some(resource.qos), usable }
            }
        };
        levels[index] = entry.targets.iter().map(level).fold(Reach::default(), Reach::max);
    }
    let own = levels.clone();
    for (level, entry) in levels.iter_mut().zip(schedulers.entries()) {
        *level = entry.passed_to().map(|peer| own[peer.index()]).fold(*level, Reach::max);
    }
    levels
}

fn check_rows(etc: &Etc, resources: &Resources, schedulers: &Schedulers) -> Result<(), Fault> {
    let of = schedulers.entry(etc.scheduler);
    let usable = usable(etc.scheduler, resources, schedulers);
    for (task, row) in etc.rows().enumerate() {
        let mut times = row.iter().zip(&usable);
        ensure(times.any(|(time, is_usable)| time.is_some() && *is_usable), || {
            format!("etc: task {task} never starts on any resource that {} reaches", of.label())
        })?;
    }
    Ok(())
}

/// The resources that the scheduler reaches and that are not always fully loaded.
pub(super) fn usable(id: SchedulerId, resources: &Resources, schedulers: &Schedulers) -> Vec<bool> {
    let mut usable = vec![false; resources.count()];
    let mut is_reached = vec![false; schedulers.count()];
    is_reached[id.index()] = true;
    let peers = schedulers.entry(id).passed_to();
    peers.for_each(|peer| is_reached[peer.index()] = true);
    for (index, entry) in schedulers.entries().enumerate() {
        if !is_reached[index] {
            continue;
        }
        for target in &entry.targets {
            match target {
                Target::Scheduler(id) => is_reached[id.index()] = true,
                Target::Resource(id) => usable[id.index()] = !resources.entry(*id).load.is_full,
            }
        }
    }
    usable
}

/// Checks that the scheduler of the mapped jobs can follow the mapping, and that no other scheduler
/// has to.
pub(super) fn check_fixed(
    fixed: &[SchedulerId],
    resources: &Resources,
    schedulers: &Schedulers,
    workload: &Workload,
    etc: Option<&Etc>,
) -> Result<(), Fault> {
    let Some(&first) = fixed.first() else { return Ok(()) };
    let label = schedulers.entry(first).label();
    let Some((etc, mapping)) = etc.and_then(|etc| Some((etc, etc.mapping.as_ref()?))) else {
        return Err(Fault::new(format!("{label}: policy \"fixed\" needs a mapping in [etc]")));
    };
    ensure(fixed == [etc.scheduler] && workload.count == etc.count(), || {
        format!("{label}: policy \"fixed\" is for the jobs of [etc] only, and there are others")
    })?;
    let targets = &schedulers.entry(first).targets;
    let mut is_target = vec![false; resources.count()];
    for target in targets {
        if let Target::Resource(id) = target {
            is_target[id.index()] = !resources.entry(*id).load.is_full;
        }
    }
    for (task, id) in mapping.iter().enumerate() {
        ensure(is_target[id.index()], || {
            let host = id.0;
            format!(
                "etc: mapping[{task}] is {host}, no target of {label}, or one with a load of 100 %"
            )
        })?;
    }
    Ok(())
}

/// Checks that the longest job, alone on the slowest resource at full speed, ends within the
/// simulated time.
pub(super) fn check_times(grid: &Grid, workload: &Workload) -> Result<(), Fault> {
    let slowest = |unit: Unit| {
        let resources = grid.resources.iter().filter(|resource| resource.serves == unit);
        resources.map(|resource| resource.pes.fastest()).fold(f64::MAX, f64::min)
    };
    let more = match workload.estimates {
        EstimateError::None => 1.0,
        EstimateError::Thesis { .. } | EstimateError::GridSim { .. } => 2.0,
    };
    let groups = workload.groups.iter().flat_map(|group| {
        let operations = Some((&group.label, group.wants.operations, Unit::Operations));
        let operations = operations.filter(|(_, amount, _)| *amount > 0.0);
        [Some((&group.label, group.largest, group.unit)), operations].into_iter().flatten()
    });
    let jobs = workload.jobs.iter().flat_map(|job| {
        let operations = Some((&job.label, job.wants.operations, Unit::Operations));
        let operations = operations.filter(|(_, amount, _)| *amount > 0.0);
        [Some((&job.label, job.amount, job.unit)), operations].into_iter().flatten()
    });
    let files = workload.files.iter();
    let files = files
        .flat_map(|file| file.most.iter().map(|&(unit, amount, _)| (&file.label, amount, unit)));
    let slowest = [Unit::Instructions, Unit::Operations].map(slowest);
    for (label, size, unit) in groups.chain(jobs).chain(files) {
        let slowest = slowest[usize::from(unit == Unit::Operations)];
        let seconds = size * more / slowest;
        ensure(seconds < CLOCK, || {
            let [amount, rate] = match unit {
                Unit::Instructions => ["MI", "MIPS"],
                Unit::Operations => ["operations", "operations a second"],
            };
            let key =
                format!("{label}: the time of a job of {size:e} {amount} at {slowest} {rate}");
            beyond(&key, seconds).to_string()
        })?;
    }
    Ok(())
}
