//! The best mapping, which parts tell each other.
//!
//! Each is a file named by its makespan, so that the best is the smallest name and no process
//! replaces the file of another. It helps; nothing depends on it.

use std::fs;
use std::path::Path;

use gridsat_files as files;
use gridsat_model::{HostId, Instance, Mapping};

use super::super::error::PartsError;

/// The first mapping, or a better one that a part has saved.
pub(super) fn find(
    instance: &Instance,
    first: &[u32],
    folder: &Path,
) -> Result<Mapping, PartsError> {
    let wrong = |what: String| PartsError::NoPlan { path: folder.join("plan.json"), what };
    let mapping =
        |hosts: &[u32]| Mapping::new(instance, hosts.iter().copied().map(HostId).collect());
    let mut best = mapping(first).map_err(|error| wrong(error.to_string()))?;
    let entries = fs::read_dir(folder.join("best")).into_iter().flatten();
    for path in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let hosts: Vec<u32> = serde_json::from_str(&text).unwrap_or_default();
        // A file that is no mapping is no help, and no harm.
        if let Some(better) = mapping(&hosts).ok().filter(|one| one.makespan() < best.makespan()) {
            best = better;
        }
    }
    Ok(best)
}

/// Saves a mapping under its makespan.
pub(super) fn save(folder: &Path, mapping: &Mapping) -> Result<(), PartsError> {
    let folder = folder.join("best");
    fs::create_dir_all(&folder).map_err(PartsError::write(&folder))?;
    let path = folder.join(format!("{}.json", mapping.makespan().0));
    let hosts: Vec<u32> = mapping.hosts().iter().map(|host| host.0).collect();
    let text = serde_json::to_string(&hosts).expect("a list of numbers is JSON");
    files::write_with(&path, |out| writeln!(out, "{text}")).map_err(PartsError::write(&path))
}
