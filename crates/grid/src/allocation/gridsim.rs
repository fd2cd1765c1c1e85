//! GridSim's time sharing (figure 5.7 of the GridSim paper; erratum E12).
//!
//! With `n ≤ P` jobs each job has its own PE. Otherwise, with `m = n div P` and `e = n mod P`,
//! `P − e` PEs run `m` jobs and `e` PEs run one more: the first `(P − e)·m` jobs in order of
//! submission get `1/m` of a PE, the others `1/(m+1)`. Jobs are not bound to PEs. The boundary
//! between the two groups may move past many jobs at every change, which [`Ranks`] handles
//! efficiently.

use super::floor::{Floor, Sharing};
use super::jobs::JobState;
use super::ranks::Ranks;
use super::{JobId, Slot, Started};
use crate::work::{Share, Work};
use gridsat_engine::time::Time;

/// GridSim's time sharing.
#[derive(Clone, Debug)]
pub struct GridSim {
    pes: u32,
    since: Time,
    ranks: Ranks,
    next: Option<Time>,
    floor: Floor,
}

/// The two shares: that of the first jobs with their number, and that of the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shares {
    pub count: u32,
    pub first: Share,
    pub rest: Share,
}

impl Shares {
    /// The shares of this many jobs on this many PEs.
    pub fn of(jobs: u32, pes: u32) -> Self {
        let (least, extra) = (jobs / pes, jobs % pes);
        if jobs <= pes {
            return Self { count: jobs, first: Share::WHOLE, rest: Share::WHOLE };
        }
        Self {
            count: (pes - extra) * least,
            first: Share { pes: 1, jobs: least },
            rest: Share { pes: 1, jobs: least + 1 },
        }
    }
}

impl GridSim {
    /// A resource with this many idle PEs, at least one.
    pub fn new(pes: u32) -> Self {
        let (since, ranks, floor) = (Time::ZERO, Ranks::new(), Floor::new());
        Self { pes, since, ranks, next: None, floor }
    }

    fn shares(&self) -> Shares {
        Shares::of(self.ranks.len(), self.pes)
    }
}

impl Sharing for GridSim {
    fn floor(&self) -> &Floor {
        &self.floor
    }

    fn floor_mut(&mut self) -> &mut Floor {
        &mut self.floor
    }

    fn place(&mut self, slot: Slot, left: Work) {
        self.settle();
        self.ranks.push(slot, left);
        let order = self.floor.stamp();
        let job = &mut self.floor.jobs[slot];
        // Only the ranks store its remaining work.
        (job.order, job.state) = (order, JobState::Running(Work::NONE));
        self.floor.started.push(Started { job: job.id, pe: None });
        self.update_next();
    }

    fn displace(&mut self, slot: Slot) -> Work {
        self.settle();
        let left = self.ranks.remove(slot);
        self.update_next();
        left
    }

    fn settle(&mut self) {
        if self.since < self.floor.clock.now {
            let Shares { count, first, rest } = self.shares();
            let done = |share| self.floor.clock.done(self.since, share);
            self.ranks.serve(count, done(first), done(rest));
            self.since = self.floor.clock.now;
        }
    }

    fn update_next(&mut self) {
        let Shares { count, first, rest } = self.shares();
        let (of_first, of_rest) = self.ranks.least(count);
        let when = |left: Option<Work>, share| self.floor.clock.when(self.since, left?, share);
        self.next = [when(of_first, first), when(of_rest, rest)].into_iter().flatten().min();
    }

    fn next(&self) -> Option<Time> {
        self.next
    }

    fn take_completed(&mut self) -> Option<JobId> {
        if self.next? > self.floor.clock.now {
            return None;
        }
        self.settle();
        let slot = self.ranks.first_done()?;
        self.displace(slot);
        self.floor.jobs.remove(slot).map(|job| job.id)
    }

    fn count(&self) -> usize {
        self.ranks.len() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_of_all_jobs_are_all_pes() {
        for (jobs, pes) in [(3, 2), (4, 2), (7, 3), (11, 4), (100, 7), (5, 5)] {
            let Shares { count, first, rest } = Shares::of(jobs, pes);
            // PEs of a group = its jobs divided by the jobs per PE, an integer.
            let used = [(count, first), (jobs - count, rest)].map(|(jobs, share)| {
                assert_eq!(jobs % share.jobs, 0);
                jobs / share.jobs
            });
            assert_eq!(used[0] + used[1], pes, "{jobs} jobs on {pes} PEs");
        }
    }
}
