//! Placements that respect reservations to come.
//!
//! A job may have nodes from a time on if they stay free of reservations until its expected end:
//! at the begin of every reservation before that end, the nodes that are free then, by the expected
//! ends of running jobs and without all reservations of that time, must include those of the job.

use super::place::Share;
use super::{Pool, give, has};
use crate::queue_policy::Plan;
use gridsat_engine::time::Time;

/// Nodes that are reserved for a period.
#[derive(Clone, Debug)]
pub struct Promise {
    pub id: usize,
    pub from: Time,
    pub to: Time,
    pub shares: Vec<Share>,
}

/// The reservations that have been granted and have not begun.
#[derive(Debug, Default)]
pub struct Calendar {
    /// The time of the current pass.
    pub now: Time,
    pub granted: Vec<Promise>,
}

impl Pool {
    /// Prepares for reservations: policies look at times, not only at numbers of nodes.
    pub fn plan_reservations(&mut self) {
        self.calendar = Some(Box::default());
        self.is_counted = false;
        self.plan = Plan::with_reservations(self.capacity.len());
    }

    /// Free nodes of each cell at a time, if jobs end as expected and no other starts.
    fn free_at(&self, time: Time) -> Vec<u32> {
        let mut free = self.free.clone();
        for release in self.releases.iter().take_while(|release| release.time <= time) {
            give(&mut free, &self.jobs[release.slot].shares);
        }
        let granted = self.calendar.iter().flat_map(|calendar| &calendar.granted);
        for promise in granted.filter(|promise| promise.from <= time && time < promise.to) {
            for share in &promise.shares {
                let free = &mut free[share.cell as usize];
                *free = free.saturating_sub(share.nodes);
            }
        }
        free
    }

    /// Whether a job can have nodes from a time on, among those that are free then. Its placement
    /// is stored in `shares`; the result is the nodes that stay free until its expected end.
    fn fit_around(
        &self,
        slot: u32,
        from: Time,
        mut free: Vec<u32>,
        shares: &mut Vec<Share>,
    ) -> Option<Vec<u32>> {
        let job = &self.jobs[slot];
        while self.places.place(&job.spec, &free, shares) {
            let end = from + self.places.expected_span(&job.spec, shares, job.done);
            let granted = self.calendar.iter().flat_map(|calendar| &calendar.granted);
            for promise in granted.filter(|promise| promise.from > from && promise.from < end) {
                let then = self.free_at(promise.from);
                free.iter_mut().zip(then).for_each(|(free, then)| *free = then.min(*free));
            }
            if has(&free, shares) {
                return Some(free);
            }
        }
        None
    }

    /// Whether a job can start now on some of these nodes.
    pub fn can_start(&self, slot: u32, free: &[u32], shares: &mut Vec<Share>) -> bool {
        match &self.calendar {
            None => self.places.place(&self.jobs[slot].spec, free, shares),
            Some(calendar) => self.fit_around(slot, calendar.now, free.to_vec(), shares).is_some(),
        }
    }

    /// [`Pool::reservation`] with reservations to come.
    pub fn reservation_around(&mut self, slot: u32) -> Time {
        let granted = self.calendar.iter().flat_map(|calendar| &calendar.granted);
        let releases = self.releases.iter().map(|release| release.time);
        let mut times: Vec<Time> = releases.chain(granted.map(|promise| promise.to)).collect();
        times.sort_unstable();
        times.dedup();
        let mut shares = std::mem::take(&mut self.shares);
        let mut found = (Time::NEVER, vec![0; self.free.len()]);
        for time in times {
            if let Some(mut left) = self.fit_around(slot, time, self.free_at(time), &mut shares) {
                super::take(&mut left, &shares);
                found = (time, left);
                break;
            }
        }
        (self.shares, self.extra) = (shares, found.1);
        found.0
    }
}
