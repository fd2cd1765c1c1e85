//! Conservative backfilling: every waiting job has a reservation, and no job delays another.
//!
//! A job is booked when it arrives, at the earliest time that leaves all earlier bookings
//! unchanged, and starts then. When a job ends earlier than expected, the bookings are recomputed
//! one after the other in order of arrival; each can only move to an earlier time. With exact
//! estimates no job starts later than first booked. When a job is still running at its expected
//! end, this cannot be guaranteed: its estimate is doubled and all jobs are booked again.
//!
//! Bookings are in a list of their own, so that a pass over thousands of them reads little memory.
//! A moved booking may start at a time without any other event, so the plan says when the next pass
//! is due ([`Plan::wake`]). Cost: a new booking searches the profile, which has at most two steps
//! per job. An early end does so for every waiting job, as far as nodes have become free since the
//! last time. Most bookings then move: `n` jobs at once make about `n²` searches.

use crate::pool::{Act, Active, Pool, has};
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

/// The booking of a waiting job; its nodes are the shares of the job.
#[derive(Clone, Copy)]
struct Booking {
    slot: u32,
    /// Number of nodes if nodes are only counted.
    nodes: u32,
    start: Time,
    end: Time,
}

/// Bookings, and the nodes that they leave free.
pub struct Plan {
    profile: Profile,
    /// The waiting jobs, in order of arrival.
    bookings: Vec<Booking>,
    /// The number of them that are booked; the others are new.
    booked: usize,
    due: Due,
    /// Time of the earliest booking.
    next: Time,
    /// Nodes that became free since the last attempt did so before this time. A job that could not
    /// be moved then can only be moved to a start before this time.
    freed: Time,
    /// Whether a running job is expected to lose its nodes to a reservation before its end.
    is_cut: bool,
}

impl Plan {
    pub fn new(cells: usize) -> Self {
        Self {
            profile: Profile::new(cells),
            bookings: Vec::new(),
            booked: 0,
            due: Due::Anew,
            next: Time::NEVER,
            freed: Time::ZERO,
            is_cut: false,
        }
    }

    /// A plan that can hold reservations too.
    pub fn with_reservations(cells: usize) -> Self {
        Self { profile: Profile::mixed(cells), ..Self::new(cells) }
    }

    /// Records that a job waits.
    pub fn arrived(&mut self, slot: u32, nodes: u32) {
        self.bookings.push(Booking { slot, nodes, start: Time::NEVER, end: Time::NEVER });
    }

    /// Records that a job waits again, before those that do not come before it; all are booked
    /// anew.
    pub fn returned(&mut self, slot: u32, nodes: u32, is_before: impl Fn(u32) -> bool) {
        let at = self.bookings.partition_point(|booking| is_before(booking.slot));
        let booking = Booking { slot, nodes, start: Time::NEVER, end: Time::NEVER };
        self.bookings.insert(at, booking);
        self.due = Due::Anew;
    }

    /// The time at which the next booking starts; never without one.
    #[inline]
    pub fn wake(&self) -> Time {
        self.next
    }

    /// Records that a job ended.
    pub fn finished(&mut self, job: &Active, now: Time) {
        if self.is_cut || job.is_reserved {
            self.due = Due::Anew;
        } else if now < job.expected {
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
        Due::New => {}
        Due::Earlier => rebook_all(pool),
        Due::Anew => clear(pool, now),
    }
    for index in pool.plan.booked..pool.plan.bookings.len() {
        book(pool, index);
    }
    pool.plan.booked = pool.plan.bookings.len();
    pool.plan.due = Due::New;
    if pool.plan.next <= now {
        start_booked(pool, now);
    }
}

/// Removes all bookings; only the running jobs occupy nodes.
fn clear(pool: &mut Pool, now: Time) {
    let profile = &mut pool.plan.profile;
    profile.reset(now, &pool.capacity);
    let granted = pool.calendar.iter().flat_map(|calendar| &calendar.granted);
    granted.for_each(|promise| profile.take(promise.from, promise.to, &promise.shares));
    pool.plan.is_cut = false;
    for release in pool.releases.iter() {
        let shares = &pool.jobs[release.slot].shares;
        let mut end = release.time;
        if pool.calendar.is_some() {
            end = profile.has_until(now, end, shares);
            pool.plan.is_cut |= end < release.time;
        }
        profile.take(now, end, shares);
    }
    (pool.plan.next, pool.plan.freed, pool.plan.booked) = (Time::NEVER, Time::ZERO, 0);
}

/// Moves bookings to earlier times, in order.
fn rebook_all(pool: &mut Pool) {
    let mut freed = Time::ZERO;
    pool.plan.next = Time::NEVER;
    for index in 0..pool.plan.booked {
        freed = freed.max(rebook(pool, index));
        pool.plan.next = pool.plan.next.min(pool.plan.bookings[index].start);
    }
    pool.plan.freed = freed;
}

/// Books a job at the earliest possible time.
fn book(pool: &mut Pool, index: usize) {
    let Pool { plan, places, jobs, shares, .. } = pool;
    let job = &mut jobs[plan.bookings[index].slot];
    let start = plan.profile.earliest(places, &job.spec, shares);
    let end = start + places.expected_span(&job.spec, shares, Done::NOTHING);
    plan.profile.take(start, end, shares);
    std::mem::swap(&mut job.shares, shares);
    reserve(pool, index, start, end);
}

/// Moves a booking to an earlier time if possible; returns the end of the old booking if it moved.
fn rebook(pool: &mut Pool, index: usize) -> Time {
    let Booking { nodes, start: old, end, .. } = pool.plan.bookings[index];
    let moved = if pool.is_counted {
        let start = pool.plan.profile.move_counted(nodes, (old, end), pool.plan.freed);
        start.map(|start| (start, start + (end - old)))
    } else {
        replace(pool, index)
    };
    let Some((start, new_end)) = moved else { return Time::ZERO };
    reserve(pool, index, start, new_end);
    pool.plan.freed = pool.plan.freed.max(end);
    end
}

/// Moves a booking, perhaps to other nodes; its new start and end.
fn replace(pool: &mut Pool, index: usize) -> Option<(Time, Time)> {
    let Pool { plan, places, jobs, shares, .. } = pool;
    let Booking { slot, start, end, .. } = plan.bookings[index];
    let job = &mut jobs[slot];
    let booking = (start, end, job.shares.as_slice());
    let start = plan.profile.move_earlier(places, &job.spec, booking, plan.freed, shares)?;
    std::mem::swap(&mut job.shares, shares);
    Some((start, start + places.expected_span(&job.spec, &job.shares, Done::NOTHING)))
}

/// Records a booking.
fn reserve(pool: &mut Pool, index: usize, start: Time, end: Time) {
    let booking = &mut pool.plan.bookings[index];
    (booking.start, booking.end) = (start, end);
    let slot = booking.slot;
    pool.plan.next = pool.plan.next.min(start);
    pool.note(Act::Reserve(slot, start));
}

/// Starts the jobs that are booked for now. Their nodes are free: all jobs that were to end by now
/// have ended or are expected to end later.
fn start_booked(pool: &mut Pool, now: Time) {
    pool.plan.next = Time::NEVER;
    let mut bookings = std::mem::take(&mut pool.plan.bookings);
    bookings.retain(|&Booking { slot, start, end, .. }| {
        let waits = start > now;
        if waits {
            pool.plan.next = pool.plan.next.min(start);
        } else {
            let job = &pool.jobs[slot];
            debug_assert!(has(&pool.free, &job.shares), "bookings fit");
            pool.shares.clone_from(&job.shares);
            pool.start(pool.queue.seek(job.key), now);
            // A job that keeps work from before a failure needs less time than it was booked for.
            let Pool { jobs, plan, .. } = &mut *pool;
            plan.profile.give(jobs[slot].expected.min(end), end, &jobs[slot].shares);
        }
        waits
    });
    (pool.plan.booked, pool.plan.bookings) = (bookings.len(), bookings);
}
