//! Conservative backfilling: every waiting job has a reservation, and nobody delays anybody.
//!
//! A job is booked when it arrives, at the earliest time that leaves all earlier bookings as they are, and
//! starts then. When a job ends before it was expected, the bookings are tried again one after the other in
//! the order of arrival; each can only move to an earlier time. With exact estimates nobody starts later
//! than first booked. When a job runs longer than expected, that promise cannot be kept: its estimate is
//! doubled and all are booked anew.
//!
//! A booking that was moved may begin when nothing else happens, so that the simulation is told when to make
//! the next pass ([`Plan::wake`]). Cost: a new booking looks at each step of the profile,
//! at most two for each job; an early end does that for every waiting job.

use crate::cluster::pool::{Act, Active, At, Pool, has};
use crate::cluster::speed::Done;
use crate::sim::time::Time;

use super::profile::Profile;

/// What has to be done to the bookings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    /// Book those that are new.
    New,
    /// Try to move each to an earlier time.
    Earlier,
    /// Book all anew.
    Anew,
}

/// Bookings, and the nodes that they leave.
pub struct Plan {
    profile: Profile,
    /// The job without a booking.
    new: Option<u32>,
    due: Due,
    /// The earliest booking.
    next: Time,
    /// The earliest booking after now.
    wake: Time,
}

impl Plan {
    pub fn new(cells: usize) -> Self {
        Self {
            profile: Profile::new(cells),
            new: None,
            due: Due::Anew,
            next: Time::NEVER,
            wake: Time::NEVER,
        }
    }

    /// A job waits.
    pub fn arrived(&mut self, slot: u32) {
        self.new = Some(slot);
    }

    /// When the next booking begins.
    pub fn wake(&self) -> Option<Time> {
        Some(self.wake).filter(|&time| time < Time::NEVER)
    }

    /// A job ended.
    pub fn finished(&mut self, job: &Active, now: Time) {
        if now < job.expected {
            self.profile.give(now, job.expected, &job.shares);
            self.due = self.due.max(Due::Earlier);
        } else if now > job.expected {
            self.due = Due::Anew;
        }
    }
}

/// Books what is to be booked and starts what is booked for now.
pub fn pass(pool: &mut Pool, now: Time) {
    if pool.correct_estimates(now) {
        pool.plan.due = Due::Anew;
    }
    pool.plan.profile.advance(now);
    match pool.plan.due {
        Due::New => book_new(pool),
        Due::Earlier => book_all(pool),
        Due::Anew => {
            unbook_all(pool, now);
            book_all(pool);
        }
    }
    pool.plan.new = None;
    pool.plan.due = Due::New;
    pool.plan.wake = pool.plan.next;
    if pool.plan.next <= now {
        start_booked(pool, now);
    }
}

/// The future with the running jobs only.
fn unbook_all(pool: &mut Pool, now: Time) {
    for job in pool.queue.iter() {
        pool.jobs[job.slot].reserved = None;
    }
    let profile = &mut pool.plan.profile;
    profile.reset(now, &pool.capacity);
    for release in pool.releases.iter() {
        // A job that ends in this tick has not given its nodes back, but will.
        profile.take(now, release.time, &pool.jobs[release.slot].shares);
    }
}

fn book_new(pool: &mut Pool) {
    if let Some(slot) = pool.plan.new {
        book(pool, slot);
    }
}

fn book_all(pool: &mut Pool) {
    pool.plan.next = Time::NEVER;
    let mut at = At::default();
    while let Some((found, job)) = pool.queue.find(at, |_| true, |_| true) {
        book(pool, job.slot);
        at = found.next();
    }
}

/// Books a job for the earliest time found; one that is booked keeps its booking if that is not earlier.
fn book(pool: &mut Pool, slot: u32) {
    let Pool { plan, places, jobs, shares, acts, .. } = pool;
    let job = &mut jobs[slot];
    if let Some(start) = job.reserved {
        plan.profile.give(start, job.expected, &job.shares);
    }
    let earliest = plan.profile.earliest(places, &job.spec, shares);
    let start = job.reserved.map_or(earliest, |old| old.min(earliest));
    if job.reserved != Some(start) {
        std::mem::swap(&mut job.shares, shares);
        job.expected = start + places.expected_span(&job.spec, &job.shares, Done::NOTHING);
        job.reserved = Some(start);
        acts.push(Act::Reserve(slot, start));
    }
    plan.profile.take(start, job.expected, &job.shares);
    plan.next = plan.next.min(start);
}

/// Starts jobs where and when they are booked. One whose nodes come free later in this tick waits for that.
fn start_booked(pool: &mut Pool, now: Time) {
    (pool.plan.next, pool.plan.wake) = (Time::NEVER, Time::NEVER);
    let mut at = At::default();
    while let Some((found, job)) = pool.queue.find(at, |_| true, |_| true) {
        let active = &pool.jobs[job.slot];
        let start = active.reserved.unwrap_or(Time::NEVER);
        if start <= now && has(&pool.free, &active.shares) {
            pool.shares.clone_from(&active.shares);
            pool.start(found, now);
            at = found;
        } else {
            pool.plan.next = pool.plan.next.min(start);
            if start > now {
                pool.plan.wake = pool.plan.wake.min(start);
            }
            at = found.next();
        }
    }
}
