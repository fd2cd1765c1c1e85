//! Free nodes over time: a list of steps, the last of which lasts for ever.
//!
//! | file | nodes |
//! | --- | --- |
//! | `mixed` | of several kinds or clusters: one number per step and cell, searched step by step |
//! | `equal` | of one kind in one cluster: one number per step, in blocks that a search can skip |
//! | `block` | some steps of `equal`, with their minimum |

mod block;
mod equal;
mod mixed;

use equal::Equal;
use mixed::Mixed;

use crate::job::ParallelJob;
use crate::pool::{Places, Share, nodes};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// Free nodes over time.
pub enum Profile {
    Equal(Equal),
    Mixed(Mixed),
}

impl Profile {
    pub fn new(cells: usize) -> Self {
        if cells == 1 { Self::Equal(Equal::default()) } else { Self::Mixed(Mixed::new(cells)) }
    }

    /// A profile of any nodes.
    pub fn mixed(cells: usize) -> Self {
        Self::Mixed(Mixed::new(cells))
    }

    /// The first time from one to another at which these nodes are not free; the second if there is
    /// none. Only for profiles of any nodes.
    pub fn has_until(&self, from: Time, to: Time, shares: &[Share]) -> Time {
        match self {
            Self::Equal(_) => to,
            Self::Mixed(profile) => profile.has_until(from, to, shares),
        }
    }

    /// Sets the free nodes from now on.
    pub fn reset(&mut self, now: Time, free: &[u32]) {
        match self {
            Self::Equal(profile) => profile.reset(now, free[0]),
            Self::Mixed(profile) => profile.reset(now, free),
        }
    }

    /// Removes steps that are past.
    pub fn advance(&mut self, now: Time) {
        match self {
            Self::Equal(profile) => profile.advance(now),
            Self::Mixed(profile) => profile.advance(now),
        }
    }

    /// Marks nodes as occupied from one time to another.
    pub fn take(&mut self, from: Time, to: Time, shares: &[Share]) {
        match self {
            Self::Equal(profile) => profile.take(from, to, nodes(shares)),
            Self::Mixed(profile) => profile.take(from, to, shares),
        }
    }

    /// Marks nodes as free from one time to another.
    pub fn give(&mut self, from: Time, to: Time, shares: &[Share]) {
        match self {
            Self::Equal(profile) => profile.give(from, to, nodes(shares)),
            Self::Mixed(profile) => profile.give(from, to, shares),
        }
    }

    /// The earliest start of a job; its placement is stored in `shares`.
    pub fn earliest(
        &mut self,
        places: &Places,
        job: &ParallelJob,
        shares: &mut Vec<Share>,
    ) -> Time {
        match self {
            Self::Equal(profile) if places.is_simple_for(job) => {
                let nodes = job.rigid.nodes;
                shares.clear();
                shares.push(Share { cell: 0, nodes });
                let span = places.expected_span(job, shares, crate::speed::Done::NOTHING);
                let start = profile.earliest(nodes, span);
                start.expect("all nodes are free in the end")
            }
            Self::Equal(profile) => profile.to_mixed().earliest(places, job, shares),
            Self::Mixed(profile) => profile.earliest(places, job, shares),
        }
    }

    /// The earliest start before `last` of a job that is booked from one time to another, if that
    /// is earlier; its placement is stored in `shares`. Afterwards the job is booked there.
    pub fn move_earlier(
        &mut self,
        places: &Places,
        job: &ParallelJob,
        (from, to, old): (Time, Time, &[Share]),
        last: Time,
        shares: &mut Vec<Share>,
    ) -> Option<Time> {
        match self {
            Self::Equal(profile) if places.is_simple_for(job) => {
                shares.clear();
                shares.extend_from_slice(old);
                profile.move_earlier(job.rigid.nodes, from, to, last)
            }
            _ => self.try_earlier(places, job, (from, to, old), last, shares),
        }
    }

    /// The same if nodes are only counted.
    pub fn move_counted(&mut self, nodes: u32, booked: (Time, Time), last: Time) -> Option<Time> {
        match self {
            Self::Equal(profile) => profile.move_earlier(nodes, booked.0, booked.1, last),
            // Nodes of several kinds are never only counted.
            Self::Mixed(_) => None,
        }
    }

    /// The same for any job: frees its booking, and takes it again if there is no earlier one.
    fn try_earlier(
        &mut self,
        places: &Places,
        job: &ParallelJob,
        (from, to, old): (Time, Time, &[Share]),
        last: Time,
        shares: &mut Vec<Share>,
    ) -> Option<Time> {
        if !self.may_start_before(last.min(from), job.least_nodes()) {
            return None;
        }
        self.give(from, to, old);
        let start = self.earliest(places, job, shares);
        if start >= from {
            self.take(from, to, old);
            return None;
        }
        let span: Ticks = places.expected_span(job, shares, crate::speed::Done::NOTHING);
        self.take(start, start + span, shares);
        Some(start)
    }

    /// Whether this many nodes are free at some time before a limit. If not, no job that needs them
    /// can start before it.
    fn may_start_before(&self, limit: Time, nodes: u32) -> bool {
        match self {
            Self::Equal(profile) => profile.may_start_before(limit, nodes),
            Self::Mixed(profile) => profile.may_start_before(limit, nodes),
        }
    }
}
