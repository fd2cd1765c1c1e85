//! `[[reservation]]`: PEs reserved for one user.

use std::collections::{HashMap, HashSet};

use super::error::{At, Fault, ensure, label, positive, quoted};
use super::file;
use super::grid::Resources;
use super::number::{beyond, positive_ticks, ticks};
use gridsat_engine::time::Time;
use gridsat_grid::ResourceId;
use gridsat_grid::allocation::AllocationPolicy as Sharing;
use gridsat_grid::reservation::{OnConflict, ReservationSpec};
use gridsat_workload::ReservationId;

/// All reservations.
#[derive(Clone, Debug, Default)]
pub(super) struct Reservations {
    specs: Vec<ReservationSpec>,
    /// By name, with the properties of their resources that jobs depend on.
    named: HashMap<String, Known>,
}

#[derive(Clone, Copy, Debug)]
struct Known {
    id: ReservationId,
    qos: u32,
    is_full: bool,
}

impl Reservations {
    pub fn check(given: &[file::Reservation], resources: &Resources) -> Result<Self, Fault> {
        let (mut all, mut names) = (Self::default(), HashSet::new());
        for (index, given) in given.iter().enumerate() {
            let label = label("reservation", index, Some(&given.name));
            ensure(names.insert(&given.name), || format!("{label}: the name is used twice"))?;
            all.add(given, index, resources).at(label)?;
        }
        Ok(all)
    }

    fn add(
        &mut self,
        given: &file::Reservation,
        index: usize,
        resources: &Resources,
    ) -> Result<(), Fault> {
        let resource = resource(given, resources)?;
        self.specs.push(spec(given, resource)?);
        let id = ReservationId::new(index).ok_or_else(|| Fault::new("there are too many"))?;
        let entry = resources.entry(resource);
        let known = Known { id, qos: entry.qos, is_full: entry.load.is_full };
        self.named.insert(given.name.clone(), known);
        Ok(())
    }

    pub fn specs(&self) -> &[ReservationSpec] {
        &self.specs
    }

    /// The reservation that a job names, if it names one.
    pub fn of(&self, job: &file::Job) -> Result<Option<ReservationId>, Fault> {
        let Some(name) = &job.reservation else { return Ok(None) };
        let (known, name) = (self.named.get(name), quoted(name));
        let known = known.ok_or_else(|| Fault::new(format!("reservation {name} is unknown")))?;
        ensure(
            job.io.is_none(),
            || "reservation is for jobs with mi only: it reserves PEs, not I/O devices",
        )?;
        ensure(job.qos <= known.qos, || {
            let asked = job.qos;
            format!("needs QoS {asked}, but the resource of reservation {name} does not offer it")
        })?;
        ensure(!known.is_full, || {
            format!("never starts: the resource of reservation {name} has a load of 100 %")
        })?;
        Ok(Some(known.id))
    }
}

/// The single resource of a reservation.
fn resource(given: &file::Reservation, resources: &Resources) -> Result<ResourceId, Fault> {
    let name = quoted(&given.resource);
    let named = resources.named(&given.resource);
    let named = named.ok_or_else(|| Fault::new(format!("resource {name} is unknown")))?;
    ensure(named.len() == 1, || {
        let (copies, first) = (named.len(), quoted(&format!("{}-0", given.resource)));
        format!("resource {name} has {copies} copies; name one of them, such as {first}")
    })?;
    let id = ResourceId(named.start);
    let entry = resources.entry(id);
    ensure(entry.sharing == Sharing::SpaceShared, || {
        let policy = entry.sharing.name();
        format!("resource {name} is {policy}; only space-shared resources can be reserved")
    })?;
    positive("pes", given.pes)?;
    ensure(given.pes <= entry.pes(), || {
        format!("pes is {}, but resource {name} has {}", given.pes, entry.pes())
    })?;
    Ok(id)
}

fn spec(given: &file::Reservation, resource: ResourceId) -> Result<ReservationSpec, Fault> {
    let requested = Time(ticks("requested", given.requested)?);
    let later = |key: &str, seconds: f64| {
        let time = Time(ticks(key, seconds)?);
        ensure(time >= requested, || {
            format!("{key} is {seconds}, before requested, which is {}", given.requested)
        })?;
        Ok::<_, Fault>(time)
    };
    let start = later("start", given.start)?;
    let duration = positive_ticks("duration", given.duration)?;
    ensure(start.after(duration).is_some(), || {
        beyond("the end", given.start + given.duration).to_string()
    })?;
    Ok(ReservationSpec {
        name: given.name.clone(),
        resource,
        pes: given.pes,
        start,
        duration,
        requested,
        commit: given.commit.map_or(Ok(requested), |time| later("commit", time))?,
        timeout: given.timeout.map(|time| ticks("timeout", time)).transpose()?,
        cancel: given.cancel.map(|time| later("cancel", time)).transpose()?,
        on_conflict: on_conflict(given.on_conflict.as_deref())?,
    })
}

fn on_conflict(name: Option<&str>) -> Result<OnConflict, Fault> {
    match name {
        None | Some("refuse") => Ok(OnConflict::Refuse),
        Some("move") => Ok(OnConflict::Move),
        Some(unknown) => Err(Fault::unknown("on_conflict", unknown, ["refuse", "move"])),
    }
}
