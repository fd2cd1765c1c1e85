//! Whether a request for a reservation is possible at all, and what it needs of which pools.

use super::pools::{Amounts, Books, Pool};
use super::{Period, ReservationError, ReservationSpec};
use crate::data::Data;
use crate::grid::{Grid, ResourceSpec};
use crate::network::NodeId;

/// The amounts that a reservation needs; their pools are opened.
pub(super) fn check(
    spec: &ReservationSpec,
    grid: &Grid,
    data: Option<&Data>,
    books: &mut Books,
) -> Result<Amounts, ReservationError> {
    let resource = grid.resources.get(spec.resource.index());
    let resource = resource.ok_or(ReservationError::Resource(spec.resource))?;
    if spec.pes == 0 && !spec.is_more_than_pes() {
        return Err(ReservationError::Nothing);
    }
    if Period::new(spec.start, spec.duration).is_none() {
        return Err(ReservationError::Duration(spec.duration));
    }
    if spec.start < spec.requested {
        return Err(ReservationError::Late);
    }
    let mut amounts = Amounts::new();
    let mut need = |pool, amount, size| {
        if amount > 0 {
            books.open(pool, size);
            amounts.push((pool, amount));
        }
    };
    need(Pool::Pes(spec.resource), u64::from(spec.pes), u64::from(pes(spec, resource)?));
    let of_machine = |what, bytes: u64, have: Option<u64>| match have {
        _ if bytes == 0 => Ok(0),
        Some(have) if bytes <= have => Ok(have),
        _ => Err(ReservationError::Bytes { what, bytes, resource: resource.name.clone(), have }),
    };
    let machine = resource.machine;
    let memory = resource.memory.as_ref().map(|memory| memory.size.0);
    let size = of_machine("memory", spec.memory.0, memory)?;
    need(Pool::Memory(machine), spec.memory.0, size);
    let storage = data.and_then(|data| *data.storage.get(machine as usize)?);
    let size = of_machine("storage", spec.storage.0, storage.map(|bytes| bytes.0))?;
    need(Pool::Storage(machine), spec.storage.0, size);
    for (link, amount, size) in links(spec, machine, data)? {
        need(Pool::Link(link), amount, size);
    }
    Ok(amounts)
}

/// Number of PEs of the resource, if that many can be reserved.
fn pes(spec: &ReservationSpec, resource: &ResourceSpec) -> Result<u32, ReservationError> {
    let (name, have) = (resource.name.clone(), resource.pes.count());
    if spec.pes > 0 && !resource.policy.is_space_shared() {
        return Err(ReservationError::Shared(name));
    }
    if spec.pes > have {
        return Err(ReservationError::Pes { pes: spec.pes, resource: name, have });
    }
    Ok(have)
}

/// The links between the machine and the other node: number, requested bandwidth, and how much can
/// be reserved.
fn links(
    spec: &ReservationSpec,
    machine: u32,
    data: Option<&Data>,
) -> Result<Vec<(u32, u64, u64)>, ReservationError> {
    let Some(connection) = spec.connection else { return Ok(Vec::new()) };
    let network = data.map(|data| &data.network).ok_or(ReservationError::Links)?;
    let way = network.way(NodeId(machine), connection.to).unwrap_or_default();
    let most = way.iter().map(|&(_, most)| most).min().ok_or(ReservationError::Links)?;
    let asked = connection.bandwidth;
    if asked > most {
        return Err(ReservationError::Bandwidth { asked, most });
    }
    let each = way.into_iter();
    Ok(each.map(|(link, size)| (link, asked.thousandths(), size.thousandths())).collect())
}
