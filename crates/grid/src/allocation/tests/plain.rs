//! A plain implementation of the four policies for jobs on one PE: each job stores its remaining
//! work, and every
//! change visits all jobs. Slow; the fast policies are compared with it tick by tick.
//!
//! It shares with them only the arithmetic of [`Work`], `Shares` and [`Pes`], and the rule that
//! progress is rounded when the jobs that share a PE change, regardless of inspections.

use super::super::gridsim::Shares;
use super::super::pool::Clock;
use super::super::{Allocation, AllocationPolicy, JobId, Pes, Present, Slot, Started};
use crate::work::{Share, Speed, Work};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// PEs under any policy, implemented plainly.
#[derive(Clone, Debug)]
pub struct Plain {
    policy: AllocationPolicy,
    pes: Pes,
    clock: Clock,
    /// In order of submission, resumed jobs last.
    jobs: Vec<Job>,
    numbers: u32,
    started: Vec<Started>,
}

#[derive(Clone, Debug)]
struct Job {
    id: JobId,
    slot: Slot,
    place: Place,
    left: Work,
    since: Time,
    /// Sequence number of its arrival on its PE, among all jobs.
    arrival: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Halted,
    Queued,
    /// On a PE; 0 under policies that do not bind jobs to PEs.
    On(u32),
}

impl Plain {
    /// Idle PEs, of one rate unless the policy is space sharing.
    pub fn new(policy: AllocationPolicy, pes: &Pes) -> Self {
        let (clock, pes) = (Clock::new(), pes.clone());
        Self { policy, pes, clock, jobs: Vec::new(), numbers: 0, started: Vec::new() }
    }

    fn number(&mut self) -> u32 {
        self.numbers += 1;
        self.numbers
    }

    fn position(&self, slot: Slot) -> Option<usize> {
        self.jobs.iter().position(|job| job.slot == slot)
    }

    fn is_running(&self, job: &Job) -> bool {
        matches!(job.place, Place::On(_))
    }

    fn on(&self, pe: u32) -> impl Iterator<Item = &Job> {
        self.jobs.iter().filter(move |job| job.place == Place::On(pe))
    }

    fn count(&self, pe: u32) -> u32 {
        u32::try_from(self.on(pe).count()).expect("few")
    }

    /// The share of each job, running or not.
    fn shares(&self) -> Vec<Share> {
        let pes = self.pes.count();
        let running = u32::try_from(self.jobs.iter().filter(|job| self.is_running(job)).count());
        let running = running.expect("few");
        let groups = Shares::of(running, pes);
        let mut before = 0;
        let share = |job: &Job| match (self.policy, job.place) {
            (_, Place::Halted | Place::Queued)
            | (AllocationPolicy::SpaceShared | AllocationPolicy::Queued(_), _) => Share::WHOLE,
            (AllocationPolicy::Equal, _) => Share::equal(pes, running),
            (AllocationPolicy::GSim, Place::On(pe)) => Share { pes: 1, jobs: self.count(pe) },
            (AllocationPolicy::GridSim, _) => {
                before += 1;
                if before <= groups.count { groups.first } else { groups.rest }
            }
        };
        self.jobs.iter().map(share).collect()
    }

    /// Accounts for the progress of the jobs on a PE, before something changes for them.
    fn settle(&mut self, pe: u32) {
        for (i, share) in self.shares().into_iter().enumerate() {
            let job = &mut self.jobs[i];
            if job.place == Place::On(pe) {
                job.left = job.left.less(self.clock.done(job.since, share));
                job.since = self.clock.now;
            }
        }
    }

    fn put(&mut self, i: usize, pe: u32) {
        self.settle(pe);
        let arrival = self.number();
        let job = &mut self.jobs[i];
        (job.place, job.since, job.arrival) = (Place::On(pe), self.clock.now, arrival);
    }

    /// Starts or queues a job that is not placed.
    fn place(&mut self, i: usize) {
        let pe = match self.policy {
            AllocationPolicy::SpaceShared => {
                self.pes.by_speed().into_iter().find(|&pe| self.on(pe).next().is_none())
            }
            AllocationPolicy::GSim => (0..self.pes.count()).min_by_key(|&pe| self.count(pe)),
            AllocationPolicy::GridSim | AllocationPolicy::Equal => Some(0),
            AllocationPolicy::Queued(_) => None,
        };
        let Some(pe) = pe else {
            self.jobs[i].place = Place::Queued;
            return;
        };
        self.put(i, pe);
        let ties = self.policy == AllocationPolicy::SpaceShared;
        if ties {
            self.jobs[i].left = self.pes.onto(pe, self.jobs[i].left);
        }
        self.started.push(Started { job: self.jobs[i].id, pe: ties.then_some(pe) });
    }

    /// Removes a job from where it is and halts it. Another may take its place.
    fn take(&mut self, i: usize) {
        let place = self.jobs[i].place;
        if let Place::On(pe) = place {
            self.settle(pe);
            self.jobs[i].place = Place::Halted;
            match self.policy {
                AllocationPolicy::SpaceShared => {
                    self.jobs[i].left = self.pes.off(pe, self.jobs[i].left);
                    let waiting = self.jobs.iter().position(|job| job.place == Place::Queued);
                    waiting.into_iter().for_each(|next| self.place(next));
                }
                AllocationPolicy::GSim => self.balance(pe),
                AllocationPolicy::GridSim
                | AllocationPolicy::Equal
                | AllocationPolicy::Queued(_) => {}
            }
        }
        self.jobs[i].place = Place::Halted;
    }

    /// G-Sim's move of a job to a PE that lost one.
    fn balance(&mut self, pe: u32) {
        let enough = self.count(pe) + 2;
        let Some(from) = (0..self.pes.count()).find(|&from| self.count(from) >= enough) else {
            return;
        };
        self.settle(from);
        let mut list: Vec<&Job> = self.on(from).collect();
        list.sort_by_key(|job| job.arrival);
        let next = list.iter().min_by_key(|job| job.left).expect("two at least").slot;
        let spare = if list[0].slot == next { list[1].slot } else { list[0].slot };
        let i = self.position(spare).expect("it is there");
        self.put(i, pe);
    }
}

impl Allocation for Plain {
    fn advance(&mut self, now: Time) {
        self.clock.now = now;
    }

    fn submit(&mut self, job: JobId, time: Ticks) -> Slot {
        let slot = Slot(self.number());
        let (left, since) = (Work::of(time), self.clock.now);
        self.jobs.push(Job { id: job, slot, place: Place::Halted, left, since, arrival: 0 });
        self.place(self.jobs.len() - 1);
        slot
    }

    fn next_completion(&self) -> Option<Time> {
        let jobs = self.jobs.iter().zip(self.shares()).filter(|(job, _)| self.is_running(job));
        jobs.filter_map(|(job, share)| self.clock.when(job.since, job.left, share)).min()
    }

    fn complete(&mut self) -> Option<JobId> {
        let i = self.jobs.iter().zip(self.shares()).position(|(job, share)| {
            self.is_running(job) && job.left <= self.clock.done(job.since, share)
        })?;
        self.take(i);
        Some(self.jobs.remove(i).id)
    }

    fn started(&mut self) -> &mut Vec<Started> {
        &mut self.started
    }

    fn set_speed(&mut self, speed: Speed) {
        if speed != self.clock.speed {
            (0..self.pes.count()).for_each(|pe| self.settle(pe));
            self.clock.speed = speed;
        }
    }

    fn halt(&mut self, slot: Slot) -> bool {
        match self.position(slot) {
            Some(i) if self.jobs[i].place != Place::Halted => {
                self.take(i);
                true
            }
            _ => false,
        }
    }

    fn resume(&mut self, slot: Slot) -> bool {
        match self.position(slot) {
            Some(i) if self.jobs[i].place == Place::Halted => {
                let job = self.jobs.remove(i);
                self.jobs.push(job);
                self.place(self.jobs.len() - 1);
                true
            }
            _ => false,
        }
    }

    fn cancel(&mut self, slot: Slot) -> Work {
        self.halt(slot);
        let i = self.position(slot);
        i.map_or(Work::NONE, |i| self.jobs.remove(i).left)
    }

    fn present(&self) -> Vec<Present> {
        let jobs = self.jobs.iter().filter(|job| job.place != Place::Halted);
        let present =
            |job: &Job| Present { job: job.id, slot: job.slot, is_running: self.is_running(job) };
        jobs.map(present).collect()
    }

    fn job_count(&self) -> usize {
        self.jobs.iter().filter(|job| job.place != Place::Halted).count()
    }

    fn fork(&self) -> Box<dyn Allocation> {
        Box::new(self.clone())
    }
}
