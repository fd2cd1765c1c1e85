//! EASY if nodes only have to be counted: all are equal, in one cluster, and no job is moldable.
//!
//! Starts the same jobs as `backfill` without a budget, with less work. The reservation of the
//! first job stays the same until nodes become free or an expected end moves: jobs that start
//! before it have ended by then, or take nodes that the first job leaves free. Until then a job
//! that could not start cannot start later either, because fewer nodes are free and less time is
//! left. So after arrivals alone, only the jobs that arrived are tried.

use crate::pool::{Act, At, Fit, Key, Pool};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

use super::scan::plain;

/// The reservation of the first waiting job.
#[derive(Clone, Copy, Debug)]
pub struct Hole {
    /// Its time.
    end: Time,
    /// Number of nodes that are left free then.
    extra: u32,
    /// Number of jobs that had arrived when the queue was last searched.
    seen: u64,
}

/// Starts jobs in order, then later jobs that do not delay the first waiting job.
pub fn pass(pool: &mut Pool, now: Time) {
    let known = pool.hole;
    if known.is_none() {
        plain(pool, now);
    }
    if pool.queue.len() < 2 || pool.free_total == 0 {
        return;
    }
    let (hole, from) = match known {
        Some(hole) => (hole, pool.queue.seek(Key::new(0, hole.seen + 1))),
        None => (open(pool), At::default().next()),
    };
    if pool.is_watched {
        let first = pool.queue.first().expect("two wait").slot;
        pool.note(Act::Reserve(first, hole.end));
    }
    pool.hole = Some(fill(pool, hole, from, now));
}

fn open(pool: &mut Pool) -> Hole {
    let need = pool.queue.first().expect("two wait").nodes;
    let (free, end) = pool.releases.until(pool.free_total, need);
    Hole { end, extra: free - need, seen: pool.arrivals }
}

/// Starts the jobs from a position on that do not delay the first.
fn fill(pool: &mut Pool, mut hole: Hole, from: At, now: Time) -> Hole {
    let (mut at, room) = (from, hole.end - now);
    while pool.free_total > 0 {
        let fit = Fit { free: pool.free_total, extra: hole.extra, room };
        let Some((found, job)) = pool.queue.find_fit(at, &fit) else { break };
        at = found;
        if now + job.least.max(Ticks(1)) <= hole.end {
            pool.start(found, now);
        } else if job.nodes <= hole.extra {
            hole.extra -= job.nodes;
            pool.start(found, now);
        } else {
            at = found.next();
        }
    }
    Hole { seen: pool.arrivals, ..hole }
}
