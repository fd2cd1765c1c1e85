//! `[[reservation]]`: nodes reserved for certain jobs.

use super::file;
use super::grid::Clusters;
use super::words::ticks;
use crate::error::{At, Fault, ensure, label, positive, quoted};
use gridsat_cluster::ReservationSpec;
use gridsat_engine::time::Time;
use gridsat_model::{Scale, Ticks};

/// Higher prices are rejected as typing errors.
const MAX_PRICE: f64 = 1e9;

/// All reservations, in the order of the file.
pub(super) fn check(
    given: &[file::Reservation],
    clusters: &Clusters,
    scale: Scale,
) -> Result<Vec<ReservationSpec>, Fault> {
    let mut all: Vec<ReservationSpec> = Vec::new();
    for (index, one) in given.iter().enumerate() {
        let label = label("reservation", index, Some(&one.name));
        ensure(all.iter().all(|other| other.name != one.name), || {
            format!("{label}: the name is used twice")
        })?;
        all.push(of(one, clusters, scale).at(label)?);
    }
    Ok(all)
}

fn of(
    given: &file::Reservation,
    clusters: &Clusters,
    scale: Scale,
) -> Result<ReservationSpec, Fault> {
    let cluster = clusters.chosen(given.cluster.as_deref())?;
    let spec = &clusters.specs[cluster.index()];
    positive("nodes", given.nodes)?;
    ensure(u64::from(given.nodes) <= spec.nodes(), || {
        format!("nodes is {}, but cluster {} has {}", given.nodes, quoted(&spec.name), spec.nodes())
    })?;
    let duration = ticks("duration", given.duration, scale)?;
    ensure(duration > Ticks(0), || "duration is 0, must be above 0")?;
    let (start, requested) =
        (ticks("start", given.start, scale)?, ticks("requested", given.requested, scale)?);
    ensure(requested <= start, || {
        format!("start is {}, before requested, which is {}", given.start, given.requested)
    })?;
    ensure(Time(start).after(duration).is_some(), || "it ends beyond the largest simulated time")?;
    ensure((0.0..=MAX_PRICE).contains(&given.price), || {
        format!("price is {}, not a number from 0 to {MAX_PRICE:e}", given.price)
    })?;
    Ok(ReservationSpec {
        name: given.name.clone(),
        cluster,
        nodes: given.nodes,
        start: Time(start),
        duration,
        requested: Time(requested),
        price: (given.price * 1e6).round() as u64,
    })
}

/// Number of the reservation that a job names.
pub(super) fn named(name: &str, all: &[ReservationSpec]) -> Result<u32, Fault> {
    let found = all.iter().position(|spec| spec.name == name);
    let unknown = || Fault::new(format!("reservation {} is unknown", quoted(name)));
    found.map(|at| at as u32).ok_or_else(unknown)
}
