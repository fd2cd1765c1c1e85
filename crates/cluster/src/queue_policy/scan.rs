//! The two simple passes. *Plain*: in order, until a job does not fit. *SCAN*: in order, every job
//! that fits; one scan is enough, because starting jobs never frees nodes.
//!
//! A pass of SCAN over `n` waiting jobs costs `n / 64` digests, the blocks with a job that is small
//! enough, and the jobs that start.

use crate::pool::{At, Fit, Pool};
use gridsat_engine::time::Time;

/// Starts jobs from the front until one does not fit.
pub fn plain(pool: &mut Pool, now: Time) {
    while let Some(&first) = pool.queue.first() {
        if !pool.fits(&first) {
            break;
        }
        pool.start(At::default(), now);
    }
}

/// Starts every job that fits.
pub fn scan(pool: &mut Pool, now: Time) {
    let mut at = At::default();
    while pool.free_total > 0 {
        let next = pool.queue.find_fit(at, &Fit::nodes(pool.free_total));
        let Some((found, job)) = next else { break };
        if pool.fits(&job) {
            pool.start(found, now);
            at = found;
        } else {
            at = found.next();
        }
    }
}
