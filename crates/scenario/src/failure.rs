//! `[resource.failure]`: when a resource fails, and what happens to its jobs.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use super::error::{At, Fault, ensure, given as first_given, quoted};
use super::file;
use super::number::{positive_ticks, scale, ticks};
use gridsat_engine::time::Time;
use gridsat_grid::failure::{
    AlsoLost, Availability, Change, Changes, Checkpoints, Failures, Intervals, OnFailure, Renewal,
    read_trace,
};
use gridsat_grid::work::Work;

/// The failures of the resources of one entry.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    /// One per copy, or one for all.
    availabilities: Vec<Availability>,
    on_failure: OnFailure,
    also_lost: AlsoLost,
}

impl Failure {
    /// Checks the failures of this many copies; relative paths of traces start at `folder`.
    pub fn check(given: &file::Failure, copies: usize, folder: &Path) -> Result<Self, Fault> {
        let is_random = given.fails.is_some() || given.restores.is_some();
        let ways = [is_random, given.changes.is_some(), given.trace.is_some()];
        ensure(
            ways.into_iter().filter(|&is_given| is_given).count() == 1,
            || "needs exactly one of fails with restores, changes, trace",
        )?;
        let for_traces = given.trace_start.is_some() || given.trace_node.is_some();
        ensure(given.trace.is_some() || !for_traces, || "trace_start and trace_node need a trace")?;
        ensure(
            is_random || given.intervals.is_none(),
            || "intervals is for fails and restores only",
        )?;
        let availabilities = match (&given.changes, &given.trace) {
            (Some(changes), _) => vec![Availability::Changes(listed(changes)?)],
            (_, Some(path)) => traced(&folder.join(path), given, copies).at("trace")?,
            (None, None) => vec![Availability::Renewal(renewal(given)?)],
        };
        let also_lost = also_lost(&given.also_lost)?;
        Ok(Self { availabilities, on_failure: on_failure(given)?, also_lost })
    }

    /// Checks the failures of this many disks or links, which have no jobs.
    pub fn check_part(given: &file::Failure, copies: usize, folder: &Path) -> Result<Self, Fault> {
        let about_jobs = [
            ("on_failure", given.on_failure.is_some()),
            ("also_lost", !given.also_lost.is_empty()),
            ("checkpoint", given.checkpoint.is_some()),
            ("checkpoint_cost", given.checkpoint_cost.is_some()),
            ("stay", given.stay.is_some()),
            ("migration_cost", given.migration_cost.is_some()),
        ];
        if let Some(key) = first_given(&about_jobs) {
            return Err(Fault::only(key, "[resource.failure]"));
        }
        let changes = given.changes.iter().flatten();
        ensure(
            changes.map(|change| change.capacity).all(|capacity| capacity.is_none()),
            || "changes: capacity is for [resource.failure] only",
        )?;
        Self::check(given, copies, folder)
    }

    /// When one copy is up or down.
    pub fn availability(&self, copy: usize) -> Availability {
        self.availabilities[copy % self.availabilities.len()].clone()
    }

    /// The failures of one copy.
    pub fn of(&self, copy: usize) -> Failures {
        let availability = self.availability(copy);
        let &Self { on_failure, also_lost, .. } = self;
        Failures { availability, on_failure, also_lost }
    }
}

fn renewal(given: &file::Failure) -> Result<Renewal, Fault> {
    let (Some(fails), Some(restores)) = (given.fails, given.restores) else {
        return Err(Fault::new("fails and restores must be given together"));
    };
    let (fails, restores) = (fails.positive("fails")?, restores.distribution().at("restores")?);
    let intervals = match given.intervals.as_deref() {
        None | Some("cycle") => Intervals::Cycle,
        Some("streams") => Intervals::Streams,
        Some(unknown) => {
            let unknown = quoted(unknown);
            return Err(Fault::new(format!(
                "intervals {unknown} is unknown; known: cycle, streams"
            )));
        }
    };
    Ok(Renewal { fails, restores, intervals })
}

fn listed(given: &[file::Change]) -> Result<Changes, Fault> {
    let one =
        |(index, given): (usize, &file::Change)| change(given).at(format!("changes[{index}]"));
    let changes = given.iter().enumerate().map(one).collect::<Result<Vec<_>, _>>()?;
    Changes::new(&changes).map_err(Fault::from)
}

fn change(given: &file::Change) -> Result<(Time, Change), Fault> {
    let all = [
        given.down.then_some(Change::Down),
        given.up.then_some(Change::Up),
        given.capacity.map(Change::Capacity),
    ];
    let all: Vec<Change> = all.into_iter().flatten().collect();
    let [change] = all[..] else {
        return Err(Fault::new("needs exactly one of down = true, up = true, capacity"));
    };
    Ok((Time(ticks("at", given.at)?), change))
}

/// One node of the trace per copy.
fn traced(path: &Path, given: &file::Failure, copies: usize) -> Result<Vec<Availability>, Fault> {
    let shown = || quoted(&path.to_string_lossy());
    let file = File::open(path).at(shown())?;
    let nodes = read_trace(&mut BufReader::new(file), given.trace_start, scale()).at(shown())?;
    let (first, found) = (given.trace_node.unwrap_or(0), nodes.len());
    ensure(first.checked_add(copies).is_some_and(|end| end <= found), || {
        format!(
            "{}: {copies} nodes are needed from number {first} on, but there are {found}",
            shown()
        )
    })?;
    Ok(nodes.into_iter().skip(first).take(copies).map(Availability::Changes).collect())
}

fn on_failure(given: &file::Failure) -> Result<OnFailure, Fault> {
    let name = given.on_failure.as_deref().unwrap_or("restart");
    let keys = [
        ("checkpoint", "checkpoint", given.checkpoint.is_some()),
        ("checkpoint_cost", "checkpoint", given.checkpoint_cost.is_some()),
        ("stay", "checkpoint", given.stay.is_some()),
        ("migration_cost", "migrate", given.migration_cost.is_some()),
    ];
    let lonely = keys.into_iter().find(|&(_, of, is_given)| is_given && of != name);
    let rule = match name {
        "lost" => OnFailure::Lost,
        "restart" => OnFailure::Restart,
        "resubmit" => OnFailure::Resubmit,
        "checkpoint" => checkpoint(given)?,
        "migrate" => OnFailure::Migrate { cost: cost("migration_cost", given.migration_cost)? },
        unknown => {
            let known = ["lost", "restart", "resubmit", "checkpoint", "migrate"];
            return Err(Fault::unknown("on_failure", unknown, known));
        }
    };
    match lonely {
        Some((key, of, _)) => Err(Fault::only(key, format!("on_failure = \"{of}\""))),
        None => Ok(rule),
    }
}

fn also_lost(given: &[String]) -> Result<AlsoLost, Fault> {
    let mut all = AlsoLost::default();
    for word in given {
        let is_lost = match word.as_str() {
            "queued" => &mut all.queued,
            "transit" => &mut all.transit,
            unknown => return Err(Fault::unknown("also_lost", unknown, ["queued", "transit"])),
        };
        ensure(!std::mem::replace(is_lost, true), || {
            format!("also_lost lists {} twice", quoted(word))
        })?;
    }
    Ok(all)
}

fn checkpoint(given: &file::Failure) -> Result<OnFailure, Fault> {
    let every = given.checkpoint.ok_or_else(|| {
        Fault::new("on_failure = \"checkpoint\" needs checkpoint, the seconds between two of them")
    })?;
    let every = Work::of(positive_ticks("checkpoint", every)?);
    let cost = cost("checkpoint_cost", given.checkpoint_cost)?;
    let checkpoints = Checkpoints { every, cost };
    Ok(OnFailure::Checkpoint { checkpoints, stay: given.stay.unwrap_or(false) })
}

fn cost(key: &str, seconds: Option<f64>) -> Result<Work, Fault> {
    Ok(Work::of(ticks(key, seconds.unwrap_or(0.0))?))
}
