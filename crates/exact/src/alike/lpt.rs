//! Longest processing time first (Graham 1969): at most a third longer than the optimum on equal
//! hosts, and mostly a few ticks if there are many tasks per host.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{HostClass, Packing};

/// Each item, longest first, goes to the host that is done with it first. Hosts are in the order of
/// their classes.
pub(super) fn lpt(times: &[u64], classes: &[HostClass]) -> Packing {
    let mut packing = Packing::empty(classes.iter().map(|class| class.hosts.len()).sum());
    let mut next = 0;
    let loads = |class: &HostClass| -> BinaryHeap<Reverse<(u64, usize)>> {
        let first = next;
        next += class.hosts.len();
        (first..next).map(|host| Reverse((0, host))).collect()
    };
    let mut loads: Vec<BinaryHeap<_>> = classes.iter().map(loads).collect();
    for (item, &time) in times.iter().enumerate() {
        let end = |(class, loads): (&HostClass, &BinaryHeap<Reverse<(u64, usize)>>)| {
            loads.peek().map(|Reverse((load, _))| class.end(load + time))
        };
        let ends = classes.iter().zip(&loads).map(end).enumerate();
        let Some((class, _)) = ends.min_by_key(|&(_, end)| end) else { break };
        let Some(Reverse((load, host))) = loads[class].pop() else { break };
        packing.add(host, item as u32);
        loads[class].push(Reverse((load + time, host)));
    }
    packing
}
