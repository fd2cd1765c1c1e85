//! Longest first, but a task that fills the host exactly to a target goes with it.
//!
//! The idea is from Akram, Maas, Sanders and Schreiber (2024). Every host that is filled exactly
//! leaves no waste, and what is left for the others gets no harder.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::{Packing, Rooms};

/// A packing that keeps to the rooms, if this finds one. Each task goes to the host with most room
/// left.
pub(super) fn fill_up(times: &[u64], rooms: &Rooms) -> Option<Packing> {
    let mut left: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    for (item, &time) in times.iter().enumerate() {
        left.entry(time).or_default().push(item as u32);
    }
    let mut packing = Packing::empty(rooms.hosts());
    let mut hosts: BinaryHeap<(u64, Reverse<usize>)> =
        rooms.each().enumerate().map(|(host, room)| (room, Reverse(host))).collect();
    while let Some((&longest, _)) = left.last_key_value() {
        let (room, Reverse(host)) = hosts.pop()?;
        packing.add(host, take(&mut left, longest)?);
        let rest = room.checked_sub(longest)?;
        match take(&mut left, rest) {
            Some(item) => packing.add(host, item),
            None if rest > 0 => hosts.push((rest, Reverse(host))),
            None => {}
        }
    }
    Some(packing)
}

fn take(left: &mut BTreeMap<u64, Vec<u32>>, time: u64) -> Option<u32> {
    let items = left.get_mut(&time)?;
    let item = items.pop();
    if items.is_empty() {
        left.remove(&time);
    }
    item
}
