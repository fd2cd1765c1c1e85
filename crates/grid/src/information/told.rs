//! The reported state of one resource.
//!
//! Everything is as it was at the ping, except for the clock: a PE that was to be free in 60
//! seconds is to be free in 20 when 40 have passed, because jobs are assumed to start and end as
//! planned in the meantime. Numbers of jobs do not change. Jobs that the scheduler sent since are
//! added as if no other scheduler had sent any.

use super::super::belief::stretched;
use super::super::estimate::{completion_among, delays};
use super::super::resource::{Resource, Seen};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

#[derive(Clone, Debug)]
pub(in super::super) struct Told {
    /// The state, including the jobs sent since.
    pub seen: Seen,
    /// When each PE of a space-shared resource is free.
    free: Option<Vec<Time>>,
    idle_since: Time,
}

impl Told {
    pub fn of(resource: &Resource, now: Time) -> Self {
        let seen = resource.seen();
        let free = || delays(resource, now).into_iter().map(|delay| now + delay).collect();
        Self {
            // For idle resources an earlier estimate no longer counts.
            seen: Seen { occupied_until: now + seen.occupied(now), ..seen },
            free: resource.is_space_shared().then(free),
            idle_since: Time(now.0 - resource.idle(now)),
        }
    }

    /// Adds a job of this estimated time that was sent.
    pub fn add(&mut self, time: Ticks, now: Time) {
        let seen = &mut self.seen;
        match &mut self.free {
            Some(free) => {
                let first = free.iter_mut().min().expect("a resource has PEs");
                *first = (*first).max(now) + stretched(time, seen.speed);
                if seen.running < seen.pes as usize {
                    seen.running += 1;
                } else {
                    seen.queue = (seen.queue.0 + 1, seen.queue.1.saturating_add(time));
                }
            }
            None => {
                let ticks = completion_among(seen.jobs, seen.pes, seen.speed, time);
                let end = now + ticks.unwrap_or(Ticks::MAX);
                seen.occupied_until = seen.occupied_until.max(end);
            }
        }
        seen.jobs += 1;
    }

    pub fn is_space_shared(&self) -> bool {
        self.free.is_some()
    }

    /// Ticks until each PE of a space-shared resource is free; empty for others.
    pub fn delays(&self, now: Time) -> Vec<Ticks> {
        let delay = |&free: &Time| if free == Time::NEVER { Ticks::MAX } else { free - now };
        self.free.iter().flatten().map(delay).collect()
    }

    /// As [`Resource::idle`].
    pub fn idle(&self, now: Time) -> Ticks {
        if self.seen.jobs == 0 { now - self.idle_since } else { Ticks(0) }
    }

    /// As [`Resource::may_be_free`].
    pub fn may_be_free(&self, now: Time) -> bool {
        let is_any = |free: &Vec<Time>| free.iter().any(|&free| free <= now);
        self.seen.is_up && self.free.as_ref().is_none_or(is_any)
    }
}
