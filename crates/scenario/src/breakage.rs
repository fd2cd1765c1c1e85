//! `[resource.disk_failure]` and `failure` of `[[network.link]]`: disks and links that fail.

use std::path::Path;

use super::error::{At, Fault, label};
use super::failure::Failure;
use super::file;
use super::grid::Resources;
use super::network::Network;
use gridsat_grid::data::{Breakage, Part};
use gridsat_grid::network::NodeId;

/// All disks and links that can fail.
pub(super) fn check(
    given: &file::File,
    resources: &Resources,
    network: &Network,
    folder: &Path,
) -> Result<Vec<Breakage>, Fault> {
    let mut all = Vec::new();
    disks(&given.resource, resources, folder, &mut all)?;
    if let Some(network_given) = &given.network {
        links(&network_given.link, resources, network, folder, &mut all).at("network")?;
    }
    Ok(all)
}

fn disks(
    given: &[file::Resource],
    resources: &Resources,
    folder: &Path,
    all: &mut Vec<Breakage>,
) -> Result<(), Fault> {
    let names = resources.machine_names();
    let mut first = 0;
    for (index, entry) in given.iter().enumerate() {
        let copies = entry.count.unwrap_or(1) as usize;
        if let Some(failure) = &entry.disk_failure {
            let checked = Failure::check_part(failure, copies, folder).at("disk_failure");
            let checked = checked.at(label("resource", index, entry.name.as_deref()))?;
            all.extend((0..copies).map(|copy| Breakage {
                part: Part::Disk(NodeId((first + copy) as u32)),
                availability: checked.availability(copy),
                name: names[first + copy].clone(),
            }));
        }
        first += copies;
    }
    Ok(())
}

fn links(
    given: &[file::Link],
    resources: &Resources,
    network: &Network,
    folder: &Path,
    all: &mut Vec<Breakage>,
) -> Result<(), Fault> {
    let mut first = 0;
    for (index, link) in given.iter().enumerate() {
        let [a, b] = &link.between;
        let [a, b] = [network.ends(a, resources)?, network.ends(b, resources)?];
        let pairs = a.iter().flat_map(|&a| b.iter().map(move |&b| (a, b)));
        let names: Vec<String> = pairs.map(|(a, b)| network.pair(a, b)).collect();
        let count = names.len() as u32;
        if let Some(failure) = &link.failure {
            let checked = Failure::check_part(failure, names.len(), folder).at("failure");
            let checked = checked.at(label("link", index, None))?;
            let parts = names.into_iter().zip(first..).enumerate();
            all.extend(parts.map(|(copy, (name, number))| Breakage {
                part: Part::Link(number),
                availability: checked.availability(copy),
                name,
            }));
        }
        first += count;
    }
    Ok(())
}
