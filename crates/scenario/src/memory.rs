//! `memory` and `memory_load`: memory of resources, jobs and users.

use super::data::bytes;
use super::error::{At, Fault, ensure};
use super::file;
use super::load::Load;
use super::number::Number;
use gridsat_grid::MemorySpec;
use gridsat_workload::Distribution;

/// The memory of a resource, and the most of it that its owners ever leave.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    pub spec: MemorySpec,
    pub most: u64,
}

impl Memory {
    /// `None` is unlimited.
    pub fn of(entry: &file::Resource) -> Result<Option<Self>, Fault> {
        let Some(size) = entry.memory else {
            ensure(entry.memory_load.is_none(), || "memory_load needs memory")?;
            return Ok(None);
        };
        let load = entry.memory_load.as_ref().map(|load| Load::check(&load.0));
        let load = load.transpose().at("memory_load")?.unwrap_or_else(Load::none);
        let size = bytes("memory", size)?;
        let most = u128::from(size.0) * u128::from(100 - load.least) / 100;
        Ok(Some(Self { spec: MemorySpec { size, load: load.load }, most: most as u64 }))
    }
}

/// The memory of a job, in bytes.
pub(super) fn of_job(memory: Option<f64>) -> Result<u64, Fault> {
    memory.map_or(Ok(0), |value| Ok(bytes("memory", value)?.0))
}

/// The memory of the jobs of a group, and the most that a job may need.
pub(super) fn of_users(memory: Option<Number>) -> Result<(Option<Distribution>, u64), Fault> {
    let Some(memory) = memory else { return Ok((None, 0)) };
    if let Number::Plain(value) = memory {
        bytes("memory", value)?;
    }
    let drawn = memory.distribution().at("memory")?;
    // The conversion saturates; no resource has that much.
    Ok((Some(drawn), memory.largest().round() as u64))
}
