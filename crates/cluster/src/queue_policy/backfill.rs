//! Backfilling that protects the first waiting job: EASY (Lifka 1995), and Beosim's
//! FCFS_SCANBackfill and FCFS_SCANBackfill_Var.
//!
//! The first job's reservation is the time when enough running jobs are expected to have ended. A
//! later job may start if it is expected to end by then, or if it only takes nodes that the first
//! will not need. Otherwise it would delay the first. In the _Var variant it may do so within a
//! budget of the first job, a percentage of its expected run time. The delay caused by each such
//! start is subtracted from the budget and never returned.
//!
//! With exact estimates the reservation of the first job never moves to a later time, except by its
//! budget. The reservation is recomputed in each pass. Cost of a pass: the releases until the
//! reservation, one digest per block of 64 waiting jobs, and the blocks with a job that is small
//! and short enough; with a budget also two reservations for each job that is tried.

use crate::pool::{Act, At, Fit, Pool, Waiting, has, take};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

use super::scan::plain;

/// Starts jobs in order, then later jobs that do not delay the first waiting job beyond its budget.
pub fn pass(pool: &mut Pool, now: Time, delay_percent: u32) {
    plain(pool, now);
    if pool.queue.len() < 2 || pool.free_total == 0 {
        return;
    }
    let first = pool.queue.first().expect("two wait").slot;
    let mut hole = Hole::open(pool, first, now, delay_percent);
    pool.note(Act::Reserve(first, hole.end));
    let mut at = At::default().next();
    while let Some((found, job)) = hole.candidate(pool, at) {
        at = if hole.fill(pool, found, &job) { found } else { found.next() };
    }
}

/// The time until the first job's reservation, and the nodes that are left free then.
struct Hole {
    now: Time,
    first: u32,
    end: Time,
    /// Sum of [`Pool::extra`].
    extra_total: u32,
    /// Ticks by which the first job may still be delayed.
    budget: Ticks,
}

impl Hole {
    fn open(pool: &mut Pool, first: u32, now: Time, delay_percent: u32) -> Self {
        let end = pool.reservation(first);
        let job = &mut pool.jobs[first];
        let budget =
            *job.budget.get_or_insert_with(|| share(job.spec.rigid.estimate, delay_percent));
        Self { now, first, end, extra_total: pool.extra.iter().sum(), budget }
    }

    /// The next job that may start, judging by size and run time only.
    fn candidate(&self, pool: &mut Pool, from: At) -> Option<(At, Waiting)> {
        if pool.free_total == 0 {
            return None;
        }
        let room = if self.budget > Ticks(0) { Ticks::MAX } else { self.end - self.now };
        let fit = Fit { free: pool.free_total, extra: self.extra_total, room };
        pool.queue.find_fit(from, &fit)
    }

    /// Starts a job if the first job's reservation or budget permits.
    fn fill(&mut self, pool: &mut Pool, at: At, job: &Waiting) -> bool {
        if !pool.place(job.slot) {
            return false;
        }
        if pool.expected_end(job.slot, self.now) <= self.end {
            pool.start(at, self.now);
            return true;
        }
        if self.leaves_enough(pool, job) {
            take(&mut pool.extra, &pool.shares);
            self.extra_total = pool.extra.iter().sum();
            pool.start(at, self.now);
            return true;
        }
        self.budget > Ticks(0) && pool.place(job.slot) && self.delay(pool, at, job.slot)
    }

    /// Whether the job fits on nodes that are free now and not needed at the reservation.
    fn leaves_enough(&self, pool: &mut Pool, job: &Waiting) -> bool {
        if job.nodes > self.extra_total {
            return false;
        }
        if has(&pool.extra, &pool.shares) {
            return true;
        }
        let both: Vec<u32> = pool.free.iter().zip(&pool.extra).map(|(a, b)| *a.min(b)).collect();
        pool.place_among(job.slot, &both)
    }

    /// Starts a job that delays the first, if the budget of the first suffices.
    fn delay(&mut self, pool: &mut Pool, at: At, slot: u32) -> bool {
        pool.occupy(slot, self.now);
        let end = pool.reservation(self.first);
        let by = end - self.end;
        let affordable = by <= self.budget;
        if affordable {
            self.budget -= by;
            self.end = end;
            pool.jobs[self.first].budget = Some(self.budget);
            pool.queue.remove_at(at);
            pool.acts.push(Act::Start(slot));
            pool.note(Act::Delay(self.first, by, self.budget));
        } else {
            pool.vacate(slot);
            pool.reservation(self.first);
        }
        self.extra_total = pool.extra.iter().sum();
        affordable
    }
}

fn share(estimate: Ticks, percent: u32) -> Ticks {
    let ticks = u128::from(estimate) * u128::from(percent) / 100;
    Ticks::try_from(ticks).unwrap_or(Ticks::MAX)
}
