//! Preemptive priority (Beosim's Pre_Emptive): the queue is sorted by priority, and a job at the
//! front that does not fit takes the nodes of running jobs of lower priority.
//!
//! Jobs of the lowest priority are suspended first, among equals the one started last. None is
//! suspended if all of them together would not free enough nodes, and none whose nodes are not
//! needed. A suspended job waits in its old position and keeps its work or starts from the
//! beginning, depending on an option. At each start it pays the penalty for nodes that are not
//! local; suspending costs no time. If the job at the front cannot start, no job does.
//!
//! A pass that suspends sorts the running jobs of lower priority.

use std::cmp::Reverse;

use crate::pool::{At, Pool, give, take};
use gridsat_engine::time::Time;

use super::scan::plain;

/// Starts jobs in order, then the first that does not fit in place of running jobs. A pass that
/// suspended jobs must be followed by another one after the simulation has carried it out.
pub fn pass(pool: &mut Pool, now: Time, keeps_work: bool) {
    plain(pool, now);
    let Some(&first) = pool.queue.first() else { return };
    let victims = victims(pool, first.slot);
    if victims.is_empty() {
        return;
    }
    victims.into_iter().for_each(|slot| pool.suspend(slot, now, keeps_work));
    let fits = pool.fits(&first);
    debug_assert!(fits, "the victims were chosen so");
    pool.start(At::default(), now);
}

/// The jobs to suspend for one that does not fit; empty if that would not free enough nodes.
fn victims(pool: &mut Pool, slot: u32) -> Vec<u32> {
    let priority = |slot: u32| pool.jobs[slot].spec.rigid.priority;
    let running = pool.releases.iter().map(|release| release.slot);
    let mut lower: Vec<u32> = running.filter(|&other| priority(other) < priority(slot)).collect();
    lower.sort_unstable_by_key(|&other| (priority(other), Reverse(pool.jobs[other].start)));
    let mut free = pool.free.clone();
    let mut fits = |free: &[u32]| pool.places.place(&pool.jobs[slot].spec, free, &mut pool.shares);
    let enough = lower.iter().position(|&other| {
        give(&mut free, &pool.jobs[other].shares);
        fits(&free)
    });
    let Some(last) = enough else { return Vec::new() };
    lower.truncate(last + 1);
    // Jobs of the highest priority are spared first.
    for at in (0..last).rev() {
        take(&mut free, &pool.jobs[lower[at]].shares);
        if fits(&free) {
            lower.remove(at);
        } else {
            give(&mut free, &pool.jobs[lower[at]].shares);
        }
    }
    lower
}
