//! A plain implementation of the queues for jobs on several PEs: every change visits all jobs. It
//! shares with the fast one only the arithmetic of [`Work`] and [`Pes`].

use super::super::ordered::Queue;
use super::super::pool::Clock;
use super::super::{Allocation, JobId, Pes, Present, Request, Slot, Started};
use crate::work::{Share, Speed, Work};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// PEs and their jobs.
#[derive(Clone, Debug)]
pub struct PlainOrdered {
    order: Queue,
    pes: Pes,
    clock: Clock,
    /// In order of submission, resumed jobs last.
    jobs: Vec<Job>,
    numbers: u32,
    started: Vec<Started>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Halted,
    Queued,
    Running,
}

#[derive(Clone, Debug)]
struct Job {
    id: JobId,
    slot: Slot,
    width: u32,
    whole: Work,
    believed: Work,
    /// On the fastest PE, or on its own ones while it runs.
    left: Work,
    /// The same by the estimate, while it runs.
    expected: Work,
    since: Time,
    on: Vec<u32>,
    state: State,
}

impl Job {
    fn estimate(&self) -> Work {
        if self.left == self.whole || self.whole == Work::NONE {
            return self.believed;
        }
        let share = self.left.0 as f64 / self.whole.0 as f64;
        Work((self.believed.0 as f64 * share).round() as u128)
    }
}

impl PlainOrdered {
    pub fn new(order: Queue, pes: &Pes) -> Self {
        let (clock, pes) = (Clock::new(), pes.clone());
        Self { order, pes, clock, jobs: Vec::new(), numbers: 0, started: Vec::new() }
    }

    fn free(&self) -> Vec<u32> {
        let is_free = |pe: &u32| !self.jobs.iter().any(|job| job.on.contains(pe));
        self.pes.by_speed().into_iter().filter(is_free).collect()
    }

    /// Accounts for the progress of all jobs.
    fn settle(&mut self) {
        for job in self.jobs.iter_mut().filter(|job| job.state == State::Running) {
            let done = self.clock.done(job.since, Share::WHOLE);
            (job.left, job.expected) = (job.left.less(done), job.expected.less(done));
            job.since = self.clock.now;
        }
    }

    /// Positions of queued jobs, in the order in which they may start.
    fn queue(&self) -> Vec<usize> {
        let queued = (0..self.jobs.len()).filter(|&i| self.jobs[i].state == State::Queued);
        let mut queued: Vec<usize> = queued.collect();
        if self.order == Queue::Sjf {
            queued.sort_by_key(|&i| self.jobs[i].estimate());
        }
        queued
    }

    fn start(&mut self, i: usize) {
        let on = self.free()[..self.jobs[i].width as usize].to_vec();
        let job = &mut self.jobs[i];
        let slowest = on[on.len() - 1];
        job.expected = self.pes.onto(slowest, job.estimate());
        job.left = self.pes.onto(slowest, job.left);
        (job.state, job.since) = (State::Running, self.clock.now);
        self.started.push(Started { job: job.id, pe: Some(on[0]) });
        job.on = on;
    }

    fn fill(&mut self) {
        self.settle();
        let fits = |plain: &Self, i: usize| plain.jobs[i].width as usize <= plain.free().len();
        while let Some(&first) = self.queue().first()
            && fits(self, first)
        {
            self.start(first);
        }
        let queue = self.queue();
        if self.order != Queue::Backfill || queue.is_empty() {
            return;
        }
        let (shadow, mut extra) = self.shadow(self.jobs[queue[0]].width as usize);
        for &i in &queue[1..] {
            if !fits(self, i) {
                continue;
            }
            let width = self.jobs[i].width as usize;
            let work = self.pes.onto(self.free()[width - 1], self.jobs[i].estimate());
            let end = self.clock.when(self.clock.now, work, Share::WHOLE);
            if end.is_some_and(|end| end <= shadow) {
                self.start(i);
            } else if width <= extra {
                extra -= width;
                self.start(i);
            }
        }
    }

    /// The first estimated end at which this many PEs are free, and how many more are then.
    fn shadow(&self, width: usize) -> (Time, usize) {
        let running: Vec<&Job> =
            self.jobs.iter().filter(|job| job.state == State::Running).collect();
        let end = |job: &Job| {
            let end = self.clock.when(self.clock.now, job.expected, Share::WHOLE);
            end.unwrap_or(Time::NEVER)
        };
        let free_at = |time: Time| {
            let ended = running.iter().filter(|job| end(job) <= time);
            self.free().len() + ended.map(|job| job.width as usize).sum::<usize>()
        };
        let ends = running.iter().map(|job| end(job)).filter(|&time| free_at(time) >= width);
        let shadow = ends.min().expect("a job is not wider than the resource");
        (shadow, free_at(shadow) - width)
    }

    fn position(&self, slot: Slot) -> Option<usize> {
        self.jobs.iter().position(|job| job.slot == slot)
    }

    /// Removes a job from its PEs or from the queue and halts it.
    fn take(&mut self, i: usize) {
        self.settle();
        let job = &mut self.jobs[i];
        if let Some(&slowest) = job.on.last() {
            job.left = self.pes.off(slowest, job.left);
            job.on.clear();
        }
        job.state = State::Halted;
    }
}

impl Allocation for PlainOrdered {
    fn advance(&mut self, now: Time) {
        self.clock.now = now;
    }

    fn submit(&mut self, job: JobId, time: Ticks) -> Slot {
        self.submit_as(job, time, Request { pes: 1, believed: time })
    }

    fn submit_as(&mut self, id: JobId, time: Ticks, request: Request) -> Slot {
        self.numbers += 1;
        let slot = Slot(self.numbers);
        self.jobs.push(Job {
            id,
            slot,
            width: request.pes,
            whole: Work::of(time),
            believed: Work::of(request.believed),
            left: Work::of(time),
            expected: Work::NONE,
            since: self.clock.now,
            on: Vec::new(),
            state: State::Queued,
        });
        self.fill();
        slot
    }

    fn next_completion(&self) -> Option<Time> {
        let running = self.jobs.iter().filter(|job| job.state == State::Running);
        running.filter_map(|job| self.clock.when(job.since, job.left, Share::WHOLE)).min()
    }

    fn complete(&mut self) -> Option<JobId> {
        let is_done = |job: &Job| {
            job.state == State::Running && job.left <= self.clock.done(job.since, Share::WHOLE)
        };
        let i = self.jobs.iter().position(is_done)?;
        self.take(i);
        let id = self.jobs.remove(i).id;
        self.fill();
        Some(id)
    }

    fn started(&mut self) -> &mut Vec<Started> {
        &mut self.started
    }

    fn set_speed(&mut self, speed: Speed) {
        self.settle();
        self.clock.speed = speed;
    }

    fn halt(&mut self, slot: Slot) -> bool {
        let found = self.position(slot).filter(|&i| self.jobs[i].state != State::Halted);
        found.into_iter().for_each(|i| {
            self.take(i);
            self.fill();
        });
        found.is_some()
    }

    fn resume(&mut self, slot: Slot) -> bool {
        let found = self.position(slot).filter(|&i| self.jobs[i].state == State::Halted);
        found.into_iter().for_each(|i| {
            let job = self.jobs.remove(i);
            self.jobs.push(Job { state: State::Queued, ..job });
            self.fill();
        });
        found.is_some()
    }

    fn cancel(&mut self, slot: Slot) -> Work {
        self.halt(slot);
        let i = self.position(slot);
        i.map_or(Work::NONE, |i| self.jobs.remove(i).left)
    }

    fn present(&self) -> Vec<Present> {
        let jobs = self.jobs.iter().filter(|job| job.state != State::Halted);
        let present = |job: &Job| Present {
            job: job.id,
            slot: job.slot,
            is_running: job.state == State::Running,
        };
        jobs.map(present).collect()
    }

    fn job_count(&self) -> usize {
        self.jobs.iter().filter(|job| job.state != State::Halted).count()
    }

    fn busy(&self) -> Option<u32> {
        Some(self.pes.count() - self.free().len() as u32)
    }

    fn fork(&self) -> Box<dyn Allocation> {
        Box::new(self.clone())
    }
}
