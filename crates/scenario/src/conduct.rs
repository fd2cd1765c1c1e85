//! What a `[[scheduler]]` does beside deciding in its mode: other waits, rescheduling, and passing
//! jobs to its peers.

use super::error::{At, Fault, ensure, given as first_given, quoted};
use super::file;
use super::number::{positive_ticks, ticks};
use super::policy::Policy;
use gridsat_grid::work::Work;
use gridsat_grid::{
    Adapt, Conduct, Migration, Mode, Passing, Reconsider, Rescheduling, SchedulerId, Waits,
};

/// Limits of an adaptive wait, as factors of `wait`.
const LEAST: f64 = 0.1;
const MOST: f64 = 10.0;
/// Default number of jobs per decision of an adaptive wait.
const FLOW: u32 = 100;

/// Checks the keys of the scheduler with this index; `wait` is its wait in seconds.
pub(super) fn check(
    given: &file::Scheduler,
    policy: &Policy,
    mode: Mode,
    wait: f64,
    index: usize,
    names: &[String],
) -> Result<Conduct, Fault> {
    let conduct = Conduct {
        waits: waits(given, mode, wait)?,
        rescheduling: rescheduling(given)?,
        passing: passing(given, index, names)?,
    };
    let is_moving = conduct.rescheduling.is_some() || conduct.passing.is_some();
    ensure(
        !policy.is_fixed() || !is_moving,
        || "policy \"fixed\" excludes reschedule and pass, because its jobs have fixed resources",
    )?;
    Ok(conduct)
}

fn waits(given: &file::Scheduler, mode: Mode, wait: f64) -> Result<Option<Waits>, Fault> {
    let early = given.early.unwrap_or(false);
    let adapt = adapt(given)?;
    let limits =
        [("wait_least", given.wait_least.is_some()), ("wait_most", given.wait_most.is_some())];
    if let (Some(key), None) = (first_given(&limits), &given.adapt) {
        return Err(Fault::new(format!("{key} needs adapt")));
    }
    let used = first_given(&[("early", early), ("adapt", adapt.is_some())]);
    let Some(key) = used else { return Ok(None) };
    ensure(mode.period().is_some(), || Fault::only(key, "modes \"batch\" and \"time-limit\""))?;
    let least = positive_ticks("wait_least", given.wait_least.unwrap_or(LEAST * wait))?;
    let most = positive_ticks("wait_most", given.wait_most.unwrap_or(MOST * wait))?;
    ensure(least <= most, || "wait_least is longer than wait_most")?;
    Ok(Some(Waits { early, adapt, least, most }))
}

fn adapt(given: &file::Scheduler) -> Result<Option<Adapt>, Fault> {
    let jobs = given.jobs.map_or(FLOW, |jobs| u32::try_from(jobs).unwrap_or(u32::MAX));
    match given.adapt.as_deref() {
        None | Some("none") => Ok(None),
        Some("dry") => Ok(Some(Adapt::Dry)),
        Some("flow") => Ok(Some(Adapt::Flow(jobs))),
        Some(unknown) => Err(Fault::unknown("adapt", unknown, ["none", "flow", "dry"])),
    }
}

fn rescheduling(given: &file::Scheduler) -> Result<Option<Rescheduling>, Fault> {
    let keys = [
        ("period", given.period.is_some()),
        ("migration_cost", given.migration_cost.is_some()),
        ("migration_load", given.migration_load.is_some()),
    ];
    let when = match (given.reschedule.as_deref(), given.period) {
        (None, _) => {
            return match first_given(&keys) {
                Some(key) => Err(Fault::new(format!("{key} needs reschedule"))),
                None => Ok(None),
            };
        }
        (Some("event"), None) => Reconsider::PerEvent,
        (Some("event"), Some(_)) => {
            return Err(Fault::only("period", "reschedule = \"period\""));
        }
        (Some("period"), Some(period)) => Reconsider::Every(positive_ticks("period", period)?),
        (Some("period"), None) => {
            return Err(Fault::new("reschedule = \"period\" needs period, in seconds"));
        }
        (Some(unknown), _) => {
            return Err(Fault::unknown("reschedule", unknown, ["event", "period"]));
        }
    };
    Ok(Some(Rescheduling { when, migration: migration(given)? }))
}

fn migration(given: &file::Scheduler) -> Result<Option<Migration>, Fault> {
    if given.migration_cost.is_none() && given.migration_load.is_none() {
        return Ok(None);
    }
    let load = given.migration_load.unwrap_or(1);
    ensure(load <= 100, || format!("migration_load is {load}, not from 0 to 100"))?;
    let cost = Work::of(ticks("migration_cost", given.migration_cost.unwrap_or(0.0))?);
    Ok(Some(Migration { cost, load }))
}

fn passing(
    given: &file::Scheduler,
    index: usize,
    names: &[String],
) -> Result<Option<Passing>, Fault> {
    let keys = [
        ("peers", given.peers.is_some()),
        ("pass_above", given.pass_above.is_some()),
        ("pass_below", given.pass_below.is_some()),
        ("pass_time", given.pass_time.is_some()),
    ];
    let (sends, receives) = match given.pass.as_deref() {
        None => {
            return match first_given(&keys) {
                Some(key) => Err(Fault::new(format!("{key} needs pass"))),
                None => Ok(None),
            };
        }
        Some("sender") => (true, false),
        Some("receiver") => (false, true),
        Some("symmetric") => (true, true),
        Some(unknown) => {
            return Err(Fault::unknown("pass", unknown, ["sender", "receiver", "symmetric"]));
        }
    };
    ensure(receives || given.pass_below.is_none(), || {
        Fault::only("pass_below", "pass = \"receiver\" and \"symmetric\"")
    })?;
    let time = ticks("pass_time", given.pass_time.unwrap_or(0.0))?;
    let above = limit("pass_above", given.pass_above)?;
    let below = limit("pass_below", given.pass_below)?;
    let peers = peers(given.peers.as_deref(), index, names)?;
    Ok(Some(Passing { peers, sends, receives, above, below, time }))
}

/// A limit in jobs per PE.
fn limit(key: &str, given: Option<f64>) -> Result<f64, Fault> {
    let limit = given.unwrap_or(1.0);
    ensure(limit.is_finite() && limit >= 0.0, || format!("{key} is {limit}, not a number >= 0"))?;
    Ok(limit)
}

/// The schedulers of these names; all others by default.
fn peers(
    given: Option<&[String]>,
    index: usize,
    names: &[String],
) -> Result<Vec<SchedulerId>, Fault> {
    let Some(given) = given else {
        let others = (0..names.len()).filter(|&other| other != index);
        let others: Vec<SchedulerId> = others.map(|other| SchedulerId(other as u32)).collect();
        ensure(!others.is_empty(), || "pass needs other schedulers, but there are none")?;
        return Ok(others);
    };
    ensure(!given.is_empty(), || "peers is empty")?;
    let mut peers = Vec::with_capacity(given.len());
    for (place, name) in given.iter().enumerate() {
        let shown = format!("peers[{place}] {}", quoted(name));
        let found = names.iter().position(|other| other == name);
        let found = found.ok_or_else(|| Fault::new("there is no such scheduler")).at(&shown)?;
        ensure(found != index, || format!("{shown}: a scheduler is not its own peer"))?;
        let peer = SchedulerId(found as u32);
        ensure(!peers.contains(&peer), || format!("{shown}: a peer is listed twice"))?;
        peers.push(peer);
    }
    Ok(peers)
}
