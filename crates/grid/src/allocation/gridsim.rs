//! GridSim's time sharing (its figure 5.7; errata E12).
//!
//! With `n ≤ P` jobs each has a PE. Otherwise, with `m = n div P` and `e = n mod P`, `P − e` PEs
//! run `m` jobs and `e` PEs run one more: the first `(P − e)·m` jobs in order of submission get
//! `1/m` of a PE, the others `1/(m+1)`. Jobs are not tied to PEs; the line between the two groups
//! may jump past many jobs at every change, which is what [`Ranks`] are for.

use super::pool::Clock;
use super::ranks::Ranks;
use super::slab::Slab;
use super::{Allocation, JobId, Present, Slot, Started};
use crate::work::{Share, Speed, Work};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// GridSim's time sharing.
#[derive(Clone, Debug)]
pub struct GridSim {
    pes: u32,
    clock: Clock,
    since: Time,
    ranks: Ranks,
    jobs: Slab<Job>,
    next: Option<Time>,
    started: Vec<Started>,
}

#[derive(Clone, Copy, Debug)]
struct Job {
    id: JobId,
    /// What a halted job has left.
    halted: Option<Work>,
}

/// Who gets how much: the first this many jobs, and the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shares {
    pub count: u32,
    pub first: Share,
    pub rest: Share,
}

impl Shares {
    /// Shares of this many jobs on this many PEs.
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
    /// This many idle PEs, at least one.
    pub fn new(pes: u32) -> Self {
        Self {
            pes,
            clock: Clock::new(),
            since: Time::ZERO,
            ranks: Ranks::new(),
            jobs: Slab::new(),
            next: None,
            started: Vec::new(),
        }
    }

    fn shares(&self) -> Shares {
        Shares::of(self.ranks.len(), self.pes)
    }

    fn settle(&mut self) {
        if self.since < self.clock.now {
            let Shares { count, first, rest } = self.shares();
            let done = |share| self.clock.done(self.since, share);
            self.ranks.serve(count, done(first), done(rest));
            self.since = self.clock.now;
        }
    }

    fn update_next(&mut self) {
        let Shares { count, first, rest } = self.shares();
        let (of_first, of_rest) = self.ranks.least(count);
        let when = |left: Option<Work>, share| self.clock.when(self.since, left?, share);
        self.next = [when(of_first, first), when(of_rest, rest)].into_iter().flatten().min();
    }

    fn run(&mut self, slot: Slot, left: Work) {
        self.settle();
        self.ranks.push(slot, left);
        self.started.push(Started { job: self.jobs[slot].id, pe: None });
        self.update_next();
    }

    fn stop(&mut self, slot: Slot) -> Work {
        self.settle();
        let left = self.ranks.remove(slot);
        self.update_next();
        left
    }
}

impl Allocation for GridSim {
    fn advance(&mut self, now: Time) {
        self.clock.now = now;
    }

    fn submit(&mut self, job: JobId, time: Ticks) -> Slot {
        let slot = self.jobs.insert(Job { id: job, halted: None });
        self.run(slot, Work::of(time));
        slot
    }

    fn next_completion(&self) -> Option<Time> {
        self.next
    }

    fn complete(&mut self) -> Option<JobId> {
        if self.next? > self.clock.now {
            return None;
        }
        self.settle();
        let slot = self.ranks.first_done()?;
        self.stop(slot);
        self.jobs.remove(slot).map(|job| job.id)
    }

    fn take_started(&mut self, jobs: &mut Vec<Started>) {
        jobs.append(&mut self.started);
    }

    fn set_speed(&mut self, speed: Speed) {
        if speed != self.clock.speed {
            self.settle();
            self.clock.speed = speed;
            self.update_next();
        }
    }

    fn halt(&mut self, slot: Slot) -> bool {
        if self.jobs.get(slot).is_none_or(|job| job.halted.is_some()) {
            return false;
        }
        self.jobs[slot].halted = Some(self.stop(slot));
        true
    }

    fn resume(&mut self, slot: Slot) -> bool {
        let Some(&Job { halted: Some(left), .. }) = self.jobs.get(slot) else {
            return false;
        };
        self.jobs[slot].halted = None;
        self.run(slot, left);
        true
    }

    fn cancel(&mut self, slot: Slot) -> Work {
        self.halt(slot);
        self.jobs.remove(slot).and_then(|job| job.halted).unwrap_or(Work::NONE)
    }

    fn present(&self) -> Vec<Present> {
        let jobs = self.ranks.jobs();
        jobs.map(|(slot, _)| Present { job: self.jobs[slot].id, slot, is_running: true }).collect()
    }

    fn job_count(&self) -> usize {
        self.ranks.len() as usize
    }

    fn fork(&self) -> Box<dyn Allocation> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_of_all_jobs_are_all_pes() {
        for (jobs, pes) in [(3, 2), (4, 2), (7, 3), (11, 4), (100, 7), (5, 5)] {
            let Shares { count, first, rest } = Shares::of(jobs, pes);
            // PEs = jobs of a group over jobs on each of its PEs, a whole number.
            let used = [(count, first), (jobs - count, rest)].map(|(jobs, share)| {
                assert_eq!(jobs % share.jobs, 0);
                jobs / share.jobs
            });
            assert_eq!(used[0] + used[1], pes, "{jobs} jobs on {pes} PEs");
        }
    }
}
