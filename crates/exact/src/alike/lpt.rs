//! Longest processing time first (Graham 1969): at most a third longer than the optimum, and mostly
//! a few ticks if there are many tasks per host.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Packing;

/// Each item, longest first, goes to the host with the smallest load.
pub(super) fn lpt(times: &[u64], hosts: usize) -> Packing {
    let mut packing = Packing::empty(hosts);
    let mut loads: BinaryHeap<Reverse<(u64, usize)>> =
        (0..hosts).map(|h| Reverse((0, h))).collect();
    for (item, &time) in times.iter().enumerate() {
        let Some(Reverse((load, host))) = loads.pop() else { break };
        packing.add(host, item as u32);
        loads.push(Reverse((load + time, host)));
    }
    packing
}
