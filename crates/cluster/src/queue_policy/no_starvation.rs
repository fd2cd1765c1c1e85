//! FCFS_SCANNoStarvation: every job that fits, but no job is overtaken more than `max_hops` times.
//!
//! Each waiting job counts the later jobs that started before it. The queue is in order of arrival,
//! so these counts never increase from front to back: checking the first job is enough. A job that
//! overtakes costs one step for each job it overtakes.

use crate::pool::{At, Fit, Pool};
use gridsat_engine::time::Time;

/// Starts jobs in order, and later ones as long as the first may be overtaken.
pub fn pass(pool: &mut Pool, now: Time, max_hops: u32) {
    let mut at = At::default();
    while pool.free_total > 0 {
        let next = pool.queue.find_fit(at, &Fit::nodes(pool.free_total));
        let Some((found, job)) = next else { break };
        if !pool.fits(&job) {
            at = found.next();
            continue;
        }
        if found != At::default() && !hop(pool, found, max_hops) {
            break;
        }
        pool.start(found, now);
        at = found;
    }
}

/// Counts a job as overtaking all before it, if the limit of the first permits.
fn hop(pool: &mut Pool, at: At, max_hops: u32) -> bool {
    let first = pool.queue.first().expect("there is a job at a later place");
    if pool.jobs[first.slot].hops >= max_hops {
        return false;
    }
    for job in pool.queue.before(at) {
        pool.jobs[job.slot].hops += 1;
    }
    true
}
