//! `[[reservation]]`: PEs, memory, storage and bandwidth reserved for one user.

use std::collections::{HashMap, HashSet};

use super::data::{DataFiles, bytes};
use super::error::{At, Fault, ensure, label, positive, quoted};
use super::grid::Resources;
use super::number::{beyond, positive_ticks, ticks, whole};
use super::{economy, file, memory};
use gridsat_engine::time::Time;
use gridsat_grid::data::Data;
use gridsat_grid::network::{Bandwidth, Bytes};
use gridsat_grid::reservation::{self, Connection, OnConflict, ReservationSpec};
use gridsat_grid::{Grid, ResourceId};
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
    pes: u32,
    memory: u64,
}

impl Reservations {
    pub fn check(
        given: &[file::Reservation],
        resources: &Resources,
        files: &DataFiles,
    ) -> Result<Self, Fault> {
        let (mut all, mut names) = (Self::default(), HashSet::new());
        for (index, given) in given.iter().enumerate() {
            let label = label("reservation", index, Some(&given.name));
            ensure(names.insert(&given.name), || format!("{label}: the name is used twice"))?;
            all.add(given, index, resources, files).at(label)?;
        }
        Ok(all)
    }

    fn add(
        &mut self,
        given: &file::Reservation,
        index: usize,
        resources: &Resources,
        files: &DataFiles,
    ) -> Result<(), Fault> {
        let resource = resource(given, resources)?;
        let spec = spec(given, resource, files)?;
        let (pes, memory) = (spec.pes, spec.memory.0);
        self.specs.push(spec);
        let id = ReservationId::new(index).ok_or_else(|| Fault::new("there are too many"))?;
        let entry = resources.entry(resource);
        let known = Known { id, qos: entry.qos, is_full: entry.load.is_full, pes, memory };
        self.named.insert(given.name.clone(), known);
        Ok(())
    }

    pub fn specs(&self) -> &[ReservationSpec] {
        &self.specs
    }

    /// Checks that there is as much at all as each of them requests.
    pub fn check_amounts(&self, grid: &Grid, data: Option<&Data>) -> Result<(), Fault> {
        for (index, spec) in self.specs.iter().enumerate() {
            let checked = reservation::check(spec, grid, data);
            let checked = checked.map_err(|error| Fault::new(error.to_string()));
            checked.at(label("reservation", index, Some(&spec.name)))?;
        }
        Ok(())
    }

    /// Whether one of them has storage or bandwidth.
    pub fn has_data(&self) -> bool {
        self.specs.iter().any(|spec| spec.storage.0 > 0 || spec.connection.is_some())
    }

    /// The reservation that a job names, if it names one.
    pub fn of(&self, job: &file::Job) -> Result<Option<ReservationId>, Fault> {
        let Some(name) = &job.reservation else { return Ok(None) };
        let (known, name) = (self.named.get(name), quoted(name));
        let known = known.ok_or_else(|| Fault::new(format!("reservation {name} is unknown")))?;
        ensure(job.mi.is_some(), || "reservation is for jobs with mi: it reserves no I/O devices")?;
        let (pes, memory) = (job.pes.unwrap_or(1), memory::of_job(job.memory)?);
        ensure(known.pes == 0 || pes <= known.pes, || {
            format!("needs {pes} PEs, but reservation {name} has {}", known.pes)
        })?;
        ensure(known.memory == 0 || memory <= known.memory, || {
            format!("needs {memory} bytes of memory, but reservation {name} has {}", known.memory)
        })?;
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
    if let Some(pes) = given.pes {
        ensure(entry.sharing.is_space_shared(), || {
            let policy = entry.sharing.name();
            format!("resource {name} is {policy}; PEs of space-shared resources can be reserved")
        })?;
        positive("pes", pes)?;
        ensure(pes <= entry.pes(), || {
            format!("pes is {pes}, but resource {name} has {}", entry.pes())
        })?;
    }
    Ok(id)
}

/// Bandwidth to another node.
fn connection(given: &file::Reservation, files: &DataFiles) -> Result<Option<Connection>, Fault> {
    match (given.bandwidth, &given.to) {
        (None, None) => Ok(None),
        (Some(_), None) => Err(Fault::new("bandwidth needs to, the other end of the connection")),
        (None, Some(_)) => Err(Fault::new("to needs bandwidth, the bits per second up to there")),
        (Some(bits), Some(to)) => {
            let bits = whole("bandwidth", bits, 1, Bandwidth::MOST)?;
            let bandwidth = Bandwidth::of(bits).expect("it is within the limits");
            Ok(Some(Connection { to: files.node(to).at("to")?, bandwidth }))
        }
    }
}

fn spec(
    given: &file::Reservation,
    resource: ResourceId,
    files: &DataFiles,
) -> Result<ReservationSpec, Fault> {
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
        pes: given.pes.unwrap_or(0),
        memory: amount("memory", given.memory)?,
        storage: amount("storage", given.storage)?,
        connection: connection(given, files)?,
        price: economy::price(given.price)?,
        fee: economy::fee(given.fee)?,
        start,
        duration,
        requested,
        commit: given.commit.map_or(Ok(requested), |time| later("commit", time))?,
        timeout: given.timeout.map(|time| ticks("timeout", time)).transpose()?,
        cancel: given.cancel.map(|time| later("cancel", time)).transpose()?,
        on_conflict: on_conflict(given.on_conflict.as_deref())?,
    })
}

/// Bytes, at least one if they are given.
fn amount(key: &'static str, given: Option<f64>) -> Result<Bytes, Fault> {
    let Some(value) = given else { return Ok(Bytes(0)) };
    ensure(value != 0.0, || Fault::Zero { key })?;
    bytes(key, value)
}

fn on_conflict(name: Option<&str>) -> Result<OnConflict, Fault> {
    match name {
        None | Some("refuse") => Ok(OnConflict::Refuse),
        Some("move") => Ok(OnConflict::Move),
        Some(unknown) => Err(Fault::unknown("on_conflict", unknown, ["refuse", "move"])),
    }
}
