//! Conservative backfilling: every waiting job has a reservation, and no job delays another.
//!
//! A job is booked when it arrives, at the earliest time that leaves all earlier bookings
//! unchanged, and starts then. When a job ends earlier than expected, the bookings are recomputed
//! one after the other in order of arrival; each can only move to an earlier time. With exact
//! estimates no job starts later than first booked. When a job is still running at its expected
//! end, this cannot be guaranteed: its estimate is doubled and all jobs are booked again.
//!
//! A moved booking may start at a time without any other event, so the plan says when the next pass
//! is due ([`Plan::wake`]). Cost: a new booking searches the profile, which has at most two steps
//! per job. An early end does so for every waiting job, as far as nodes have become free since the
//! last time. Most bookings then move: `n` jobs at once make about `n²` searches.

use crate::pool::{Act, Active, At, Pool, has};
use crate::speed::Done;
use gridsat_engine::time::Time;

use super::profile::Profile;

/// What the next pass has to do with the bookings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    /// Book new jobs.
    New,
    /// Try to move each booking to an earlier time.
    Earlier,
    /// Book all jobs again.
    Anew,
}

/// Bookings, and the nodes that they leave free.
pub struct Plan {
    profile: Profile,
    /// The jobs without a booking, in order of arrival.
    new: Vec<u32>,
    due: Due,
    /// Time of the earliest booking.
    next: Time,
    /// Nodes that became free since the last attempt did so before this time. A job that could not
    /// be moved then can only be moved to a start before this time.
    freed: Time,
}

impl Plan {
    pub fn new(cells: usize) -> Self {
        Self {
            profile: Profile::new(cells),
            new: Vec::new(),
            due: Due::Anew,
            next: Time::NEVER,
            freed: Time::ZERO,
        }
    }

    /// Records that a job waits.
    pub fn arrived(&mut self, slot: u32) {
        self.new.push(slot);
    }

    /// The time at which the next booking starts.
    pub fn wake(&self) -> Option<Time> {
        Some(self.next).filter(|&time| time < Time::NEVER)
    }

    /// Records that a job ended.
    pub fn finished(&mut self, job: &Active, now: Time) {
        if now < job.expected {
            self.profile.give(now, job.expected, &job.shares);
            self.freed = self.freed.max(job.expected);
            self.due = self.due.max(Due::Earlier);
        }
    }

    /// Records that a job runs longer than expected.
    pub fn extended(&mut self) {
        self.due = Due::Anew;
    }
}

/// Makes or moves bookings as required and starts the jobs that are booked for now.
pub fn pass(pool: &mut Pool, now: Time) {
    pool.plan.profile.advance(now);
    match pool.plan.due {
        Due::New => book_new(pool),
        Due::Earlier => {
            rebook_all(pool);
            book_new(pool);
        }
        Due::Anew => book_anew(pool, now),
    }
    pool.plan.new.clear();
    pool.plan.due = Due::New;
    if pool.plan.next <= now {
        start_booked(pool, now);
    }
}

fn book_new(pool: &mut Pool) {
    for index in 0..pool.plan.new.len() {
        book(pool, pool.plan.new[index]);
    }
}

/// Books all jobs in order, given only the running jobs.
fn book_anew(pool: &mut Pool, now: Time) {
    let profile = &mut pool.plan.profile;
    profile.reset(now, &pool.capacity);
    for release in pool.releases.iter() {
        profile.take(now, release.time, &pool.jobs[release.slot].shares);
    }
    (pool.plan.next, pool.plan.freed) = (Time::NEVER, Time::ZERO);
    for_each_waiting(pool, book);
}

/// Moves bookings to earlier times, in order.
fn rebook_all(pool: &mut Pool) {
    let mut freed = Time::ZERO;
    pool.plan.next = Time::NEVER;
    for_each_waiting(pool, |pool, slot| {
        freed = freed.max(rebook(pool, slot));
        pool.plan.next = pool.plan.next.min(pool.jobs[slot].reserved.unwrap_or(Time::NEVER));
    });
    pool.plan.freed = freed;
}

fn for_each_waiting(pool: &mut Pool, mut act: impl FnMut(&mut Pool, u32)) {
    let mut at = At::default();
    while let Some((found, job)) = pool.queue.find(at, |_| true) {
        act(pool, job.slot);
        at = found.next();
    }
}

/// Books a job at the earliest possible time.
fn book(pool: &mut Pool, slot: u32) {
    let start = pool.plan.profile.earliest(&pool.places, &pool.jobs[slot].spec, &mut pool.shares);
    move_to(pool, slot, start);
}

/// Moves a booking to an earlier time if possible; returns the end of the old booking if it moved.
fn rebook(pool: &mut Pool, slot: u32) -> Time {
    let Pool { plan, places, jobs, shares, .. } = pool;
    let job = &jobs[slot];
    let Some(old) = job.reserved else { return Time::ZERO };
    let (end, last) = (job.expected, plan.freed);
    let booking = (old, end, job.shares.as_slice());
    let moved = plan.profile.move_earlier(places, &job.spec, booking, last, shares);
    let Some(start) = moved else { return Time::ZERO };
    reserve(pool, slot, start);
    pool.plan.freed = pool.plan.freed.max(end);
    end
}

/// Books a job with the placement found last.
fn move_to(pool: &mut Pool, slot: u32, start: Time) {
    reserve(pool, slot, start);
    let job = &pool.jobs[slot];
    pool.plan.profile.take(start, job.expected, &job.shares);
}

/// Records a booking with the placement found last.
fn reserve(pool: &mut Pool, slot: u32, start: Time) {
    let job = &mut pool.jobs[slot];
    std::mem::swap(&mut job.shares, &mut pool.shares);
    job.expected = start + pool.places.expected_span(&job.spec, &job.shares, Done::NOTHING);
    job.reserved = Some(start);
    pool.plan.next = pool.plan.next.min(start);
    pool.note(Act::Reserve(slot, start));
}

/// Starts the jobs that are booked for now. Their nodes are free: all jobs that were to end by now
/// have ended or are expected to end later.
fn start_booked(pool: &mut Pool, now: Time) {
    pool.plan.next = Time::NEVER;
    let mut at = At::default();
    while let Some((found, job)) = pool.queue.find(at, |_| true) {
        let active = &pool.jobs[job.slot];
        let start = active.reserved.unwrap_or(Time::NEVER);
        if start <= now {
            debug_assert!(has(&pool.free, &active.shares), "bookings fit");
            pool.shares.clone_from(&active.shares);
            pool.start(found, now);
            at = found;
        } else {
            pool.plan.next = pool.plan.next.min(start);
            at = found.next();
        }
    }
}
