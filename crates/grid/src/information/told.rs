//! What a scheduler was told of one resource.
//!
//! Everything is as it was at the ping. Only the clock goes on: a PE that was to be free in 60
//! seconds is to be free in 20 when 40 have passed, as jobs are believed to start and end as
//! planned meanwhile. Counts of jobs stay as they were. Jobs that the scheduler sent since are
//! added where they would go if no other scheduler had sent any.

use super::super::belief::stretched;
use super::super::estimate::completion_among;
use super::super::resource::Resource;
use super::super::work::Speed;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

#[derive(Clone, Debug)]
pub(in super::super) struct Told {
    pub pes: u32,
    /// Those that were not reserved.
    pub open_pes: u32,
    pub is_up: bool,
    /// Local load in percent.
    pub load: u8,
    pub speed: Speed,
    /// Jobs there.
    pub jobs: u32,
    /// Jobs that ran, of a space-shared resource.
    pub running: usize,
    /// Those that waited, and how long they would take together.
    pub queue: (usize, Ticks),
    /// When each PE of a space-shared resource is free.
    free: Option<Vec<Time>>,
    occupied_until: Time,
    idle_since: Time,
}

impl Told {
    pub fn of(resource: &Resource, now: Time) -> Self {
        let (pes, speed, belief) = (resource.pe_count(), resource.speed(), resource.belief());
        let free = || belief.delays(now, pes, speed).into_iter().map(|delay| now + delay);
        Self {
            pes,
            open_pes: resource.open_pes(),
            is_up: resource.is_up(),
            load: resource.load(),
            speed,
            jobs: resource.job_count(),
            running: belief.running(),
            queue: belief.queue(),
            free: resource.is_space_shared().then(|| free().collect()),
            occupied_until: now + resource.occupied(now),
            idle_since: Time(now.0 - resource.idle(now)),
        }
    }

    /// A job of this believed time was sent.
    pub fn add(&mut self, time: Ticks, now: Time) {
        match &mut self.free {
            Some(free) => {
                let first = free.iter_mut().min().expect("a resource has PEs");
                *first = (*first).max(now) + stretched(time, self.speed);
                if self.running < self.pes as usize {
                    self.running += 1;
                } else {
                    self.queue = (self.queue.0 + 1, self.queue.1.saturating_add(time));
                }
            }
            None => {
                let ticks = completion_among(self.jobs, self.pes, self.speed, time);
                let end = now + ticks.unwrap_or(Ticks::MAX);
                self.occupied_until = self.occupied_until.max(end);
            }
        }
        self.jobs += 1;
    }

    pub fn is_space_shared(&self) -> bool {
        self.free.is_some()
    }

    /// Ticks until each PE of a space-shared resource is free; nothing of others.
    pub fn delays(&self, now: Time) -> Vec<Ticks> {
        let delay = |&free: &Time| if free == Time::NEVER { Ticks::MAX } else { free - now };
        self.free.iter().flatten().map(delay).collect()
    }

    /// As [`Resource::occupied`].
    pub fn occupied(&self, now: Time) -> Ticks {
        if self.jobs == 0 { Ticks(0) } else { self.occupied_until - now }
    }

    /// As [`Resource::idle`].
    pub fn idle(&self, now: Time) -> Ticks {
        if self.jobs == 0 { now - self.idle_since } else { Ticks(0) }
    }

    /// As [`Resource::may_be_free`].
    pub fn may_be_free(&self, now: Time) -> bool {
        let is_any = |free: &Vec<Time>| free.iter().any(|&free| free <= now);
        self.is_up && self.free.as_ref().is_none_or(is_any)
    }
}
