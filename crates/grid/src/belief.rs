//! When a space-shared resource will be free, according to the estimated run times of its jobs.
//!
//! Equation 4.3 of the thesis needs DELAY, the time to complete what is already allocated. It is
//! computed from estimated run times; a job whose estimated end has passed is assumed to end at
//! once. With one PE: the rest of the running job plus the sum of the queue, O(1). With several
//! PEs: the queue is planned on the PEs first come, first served. As long as everything happens as
//! estimated, a new job only extends that plan, O(PEs); otherwise the queue is planned again,
//! O(queue · log PEs).
//!
//! PEs of an active reservation count as jobs that run until it ends, and jobs suspended for one as
//! queued before all others. The jobs of a reservation are not considered; future reservations are
//! [elsewhere](super::estimate).
//!
//! A job on p PEs has p entries, one after the other. In the plan it starts on all of them at once,
//! when p are free.
//!
//! Under local load the times of queued jobs are scaled by the current speed.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use super::allocation::JobId;
use super::work::{Share, Speed, Work};
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// Stands for a reservation on each of its PEs; no job of the simulation has this id.
const RESERVED: JobId = JobId(u32::MAX);

/// How the queue of a resource is planned.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Number of PEs.
    pub pes: u32,
    /// What jobs need of them.
    pub jobs: PesPerJob,
}

/// How many PEs jobs need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PesPerJob {
    /// One each.
    One,
    /// One or more, and none starts before one that is ahead of it in the queue.
    InOrder,
    /// One or more, and others may start before one that waits for its PEs.
    Overtaking,
}

impl Layout {
    /// Jobs on one of this many PEs each.
    pub fn plain(pes: u32) -> Self {
        Self { pes, jobs: PesPerJob::One }
    }

    /// Puts a job on as many PEs as it needs; `free` is in order, and stays so.
    fn place(self, free: &mut [Time], width: usize, time: Ticks) {
        let width = width.min(free.len());
        let Some(&start) = free[..width].last() else { return };
        free[..width].fill(start + time);
        if self.jobs == PesPerJob::InOrder {
            free.iter_mut().for_each(|free| *free = start.max(*free));
        }
        free.sort_unstable();
    }
}

/// Estimates about the jobs at one resource.
#[derive(Clone, Debug, Default)]
pub struct Belief {
    /// Estimated end of the running job, if there is one PE.
    last_end: Time,
    /// Sum of the queue in ticks, which may exceed 64 bits.
    queued: u128,
    running: Vec<(JobId, Time)>,
    queue: VecDeque<(JobId, Ticks)>,
    /// With several PEs: when each is free once the queue is empty, at full speed. `None` if it has
    /// to be recomputed.
    plan: Option<Vec<Time>>,
}

impl Belief {
    /// A resource without jobs.
    pub const NOTHING: Self = Self {
        last_end: Time::ZERO,
        queued: 0,
        running: Vec::new(),
        queue: VecDeque::new(),
        plan: None,
    };

    /// Adds a job sent to this resource, which has this many PEs. It counts as queued until it
    /// starts.
    pub fn add(&mut self, job: JobId, time: Ticks, now: Time, pes: u32) {
        if pes > 1 {
            self.extend_plan(time, now, pes);
        }
        self.queue.push_back((job, time));
        self.queued += u128::from(time);
    }

    /// Adds a job that needs several PEs at once.
    pub fn add_wide(&mut self, job: JobId, width: u32, time: Ticks, now: Time, layout: Layout) {
        let plan = self.plan(now, layout);
        plan.iter_mut().for_each(|free| *free = now.max(*free));
        plan.sort_unstable();
        layout.place(plan, width as usize, time);
        self.queue.extend((0..width).map(|_| (job, time)));
        self.queued += u128::from(time) * u128::from(width);
    }

    /// The current plan at full speed.
    fn plan(&mut self, now: Time, layout: Layout) -> &mut Vec<Time> {
        if self.plan.is_none() || self.is_late(now) {
            let delays = self.lay_out(now, layout, Speed::FULL);
            self.plan = Some(delays.into_iter().map(|delay| now + delay).collect());
        }
        self.plan.as_mut().expect("just made")
    }

    fn extend_plan(&mut self, time: Ticks, now: Time, pes: u32) {
        let plan = self.plan(now, Layout::plain(pes));
        let first = plan.iter_mut().min().expect("a resource has PEs");
        *first = (*first).max(now) + time;
    }

    /// Whether the estimated end of a job has passed.
    fn is_late(&self, now: Time) -> bool {
        self.running.iter().any(|&(_, end)| end < now)
    }

    /// Invalidates the plan.
    pub fn forget_plan(&mut self) {
        self.plan = None;
    }

    /// Records that a job started.
    pub fn start(&mut self, job: JobId, now: Time, speed: Speed) {
        let Some(time) = self.take_queued(job) else { return };
        self.last_end = now + stretched(time, speed);
        self.running.push((job, self.last_end));
    }

    /// Removes a job that left or was halted.
    pub fn remove(&mut self, job: JobId, now: Time) {
        let found = self.running.iter().position(|&(other, _)| other == job);
        if found.is_none_or(|position| self.running[position].1 != now) {
            self.forget_plan();
        }
        match found {
            Some(position) => {
                self.running.swap_remove(position);
                self.last_end = self.running.last().map_or(Time::ZERO, |&(_, end)| end);
            }
            None => drop(self.take_queued(job)),
        }
    }

    /// Records that a running job was suspended: it is queued before all others, with what it has
    /// left.
    pub fn suspend(&mut self, job: JobId, now: Time, speed: Speed) {
        let found = self.running.iter().find(|&&(other, _)| other == job);
        let Some(&(_, end)) = found else { return };
        let left = Work::done(end - now, speed, Share::WHOLE).whole_ticks();
        self.remove(job, now);
        self.insert(0, job, left);
    }

    /// Queues a job behind this many others.
    pub fn insert(&mut self, behind: usize, job: JobId, time: Ticks) {
        self.forget_plan();
        self.queue.insert(behind.min(self.queue.len()), (job, time));
        self.queued += u128::from(time);
    }

    /// Marks this many PEs as reserved until then.
    pub fn reserve(&mut self, pes: u32, until: Time) {
        self.forget_plan();
        self.running.extend((0..pes).map(|_| (RESERVED, until)));
        self.last_end = until;
    }

    /// Ends that reservation of PEs.
    pub fn release(&mut self, pes: u32, until: Time) {
        self.forget_plan();
        let mut left = pes;
        self.running.retain(|&entry| {
            let is_kept = left == 0 || entry != (RESERVED, until);
            left -= u32::from(!is_kept);
            is_kept
        });
        self.last_end = self.running.last().map_or(Time::ZERO, |&(_, end)| end);
    }

    /// Whether the job was sent here and has not started.
    pub fn is_queued(&self, job: JobId) -> bool {
        self.queue.iter().any(|&(other, _)| other == job)
    }

    /// Number of running jobs and reserved PEs.
    pub fn running(&self) -> usize {
        self.running.len()
    }

    /// Whether the estimated end of a running job has passed.
    pub fn is_any_over(&self, now: Time) -> bool {
        self.running.iter().any(|&(_, end)| end <= now)
    }

    /// Number of queued jobs, and their total time on one PE.
    pub fn queue(&self) -> (usize, Ticks) {
        (self.queue.len(), self.queued_ticks())
    }

    /// Running jobs and their estimated ends, without reservations; in no particular order.
    pub fn running_jobs(&self) -> impl Iterator<Item = (JobId, Time)> {
        self.running.iter().copied().filter(|&(job, _)| job != RESERVED)
    }

    /// Queued jobs and their estimated times, in order.
    pub fn queued_jobs(&self) -> impl Iterator<Item = (JobId, Ticks)> {
        self.queue.iter().copied()
    }

    /// Ticks until each PE is free if no other job arrives; in no particular order.
    pub fn delays(&self, now: Time, layout: Layout, speed: Speed) -> Vec<Ticks> {
        if layout.pes == 1 {
            return vec![self.delay_of_one(now, speed)];
        }
        match &self.plan {
            Some(plan) if speed == Speed::FULL && !self.is_late(now) => {
                plan.iter().map(|&free| free - now).collect()
            }
            _ => self.lay_out(now, layout, speed),
        }
    }

    fn lay_out(&self, now: Time, layout: Layout, speed: Speed) -> Vec<Ticks> {
        let ends = self.running.iter().map(|&(_, end)| end - now);
        if layout.jobs != PesPerJob::One {
            return self.lay_out_wide(ends, now, layout, speed);
        }
        let mut free: BinaryHeap<Reverse<Ticks>> = ends.map(Reverse).collect();
        free.extend((free.len()..layout.pes as usize).map(|_| Reverse(Ticks::ZERO)));
        for &(_, time) in &self.queue {
            let Reverse(earliest) = free.pop().expect("a resource has PEs");
            free.push(Reverse(earliest.saturating_add(stretched(time, speed))));
        }
        free.into_iter().map(|Reverse(delay)| delay).collect()
    }

    fn lay_out_wide(
        &self,
        ends: impl Iterator<Item = Ticks>,
        now: Time,
        layout: Layout,
        speed: Speed,
    ) -> Vec<Ticks> {
        let mut free: Vec<Time> = ends.map(|delay| now + delay).collect();
        free.resize(layout.pes as usize, now);
        free.sort_unstable();
        let entries: Vec<(JobId, Ticks)> = self.queue.iter().copied().collect();
        for job in entries.chunk_by(|a, b| a.0 == b.0) {
            layout.place(&mut free, job.len(), stretched(job[0].1, speed));
        }
        let delay = |time| if time == Time::NEVER { Ticks::MAX } else { time - now };
        free.into_iter().map(delay).collect()
    }

    /// For one PE: the end of the running job, and the time that the queue takes after it.
    pub fn of_one(&self) -> (Time, Ticks) {
        (self.last_end, self.queued_ticks())
    }

    fn delay_of_one(&self, now: Time, speed: Speed) -> Ticks {
        (self.last_end - now).saturating_add(stretched(self.queued_ticks(), speed))
    }

    fn queued_ticks(&self) -> Ticks {
        Ticks::try_from(self.queued).unwrap_or(Ticks::MAX)
    }

    #[inline]
    fn take_queued(&mut self, job: JobId) -> Option<Ticks> {
        // Mostly it is the first.
        let (_, time) = match self.queue.front()? {
            &(first, _) if first == job => self.queue.pop_front()?,
            _ => {
                let position = self.queue.iter().position(|&(other, _)| other == job)?;
                self.queue.remove(position)?
            }
        };
        self.queued -= u128::from(time);
        Some(time)
    }
}

/// The time at this speed; [`Ticks::MAX`] at speed 0.
pub fn stretched(time: Ticks, speed: Speed) -> Ticks {
    if speed == Speed::FULL {
        return time;
    }
    Work::of(time).ticks_at(speed, Share::WHOLE).unwrap_or(Ticks::MAX)
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn lays_the_queue_out_on_the_pes() {
        let mut belief = Belief::default();
        for (job, time) in [(0, 10), (1, 4), (2, 5), (3, 1)] {
            belief.add(JobId(job), Ticks(time), Time(Ticks(0)), 2);
        }
        belief.start(JobId(0), Time(Ticks(0)), Speed::FULL);
        belief.start(JobId(1), Time(Ticks(0)), Speed::FULL);
        let mut delays = belief.delays(Time(Ticks(3)), Layout::plain(2), Speed::FULL);
        delays.sort_unstable();
        assert_eq!(delays, [Ticks(7), Ticks(7)]); // 10 - 3 = 7; 4 - 3 + 5 = 6, + 1
        belief.remove(JobId(1), Time(Ticks(3)));
        assert_eq!(belief.queue(), (2, Ticks(6)));
    }

    /// First come, first served on three PEs, with jobs that end as estimated and otherwise.
    #[test]
    fn the_plan_is_what_laying_out_anew_gives() {
        let mut random = ChaCha8Rng::seed_from_u64(8);
        for _ in 0..200 {
            let (mut belief, mut next, mut now) = (Belief::default(), 0, Time(Ticks(0)));
            for step in 0..60 {
                now += Ticks(random.random_range(0..4));
                let first_end = belief.running.iter().copied().min_by_key(|&(_, end)| end);
                match (first_end, random.random_range(0..10)) {
                    (Some((job, end)), 0..8) if end <= now => belief.remove(job, end.max(now)),
                    (Some((job, _)), 8) => belief.remove(job, now),
                    (_, 9) if !belief.queue.is_empty() => belief.remove(belief.queue[0].0, now),
                    _ => {
                        belief.add(JobId(next), Ticks(random.random_range(0..12)), now, 3);
                        next += 1;
                    }
                }
                while belief.running.len() < 3
                    && let Some(&(job, _)) = belief.queue.front()
                {
                    belief.start(job, now, Speed::FULL);
                }
                let sorted = |mut delays: Vec<Ticks>| {
                    delays.sort_unstable();
                    delays
                };
                let three = Layout::plain(3);
                let planned = belief.delays(now, three, Speed::FULL);
                let anew = belief.lay_out(now, three, Speed::FULL);
                assert_eq!(sorted(planned), sorted(anew), "step {step} at {now:?}");
            }
        }
    }

    /// Three PEs; the first is busy until 4. The second job needs all three.
    #[test]
    fn a_wide_job_starts_on_all_its_pes_at_once() {
        let delays = |jobs| {
            let (layout, now) = (Layout { pes: 3, jobs }, Time(Ticks(0)));
            let mut belief = Belief::default();
            belief.add_wide(JobId(0), 1, Ticks(4), now, layout);
            belief.start(JobId(0), now, Speed::FULL);
            belief.add_wide(JobId(1), 3, Ticks(5), now, layout);
            belief.add_wide(JobId(2), 2, Ticks(2), now, layout);
            assert_eq!(belief.queue(), (5, Ticks(19)));
            let planned = belief.delays(now, layout, Speed::FULL);
            assert_eq!(planned, belief.lay_out(now, layout, Speed::FULL));
            planned
        };
        assert_eq!(delays(PesPerJob::InOrder), [9, 11, 11].map(Ticks));
        // The plan puts the third job behind the second in both cases, as it takes all PEs.
        assert_eq!(delays(PesPerJob::Overtaking), [9, 11, 11].map(Ticks));
    }

    #[test]
    fn pes_that_a_wide_job_leaves_idle_are_free_only_if_jobs_overtake() {
        let delays = |jobs| {
            let (layout, now) = (Layout { pes: 3, jobs }, Time(Ticks(0)));
            let mut belief = Belief::default();
            belief.add_wide(JobId(0), 2, Ticks(4), now, layout);
            (0..2).for_each(|_| belief.start(JobId(0), now, Speed::FULL));
            belief.add_wide(JobId(1), 2, Ticks(5), now, layout);
            belief.delays(now, layout, Speed::FULL)
        };
        assert_eq!(delays(PesPerJob::InOrder), [4, 9, 9].map(Ticks));
        assert_eq!(delays(PesPerJob::Overtaking), [4, 9, 9].map(Ticks));
    }

    #[test]
    fn a_late_job_is_believed_to_end_at_once() {
        let mut belief = Belief::default();
        belief.add(JobId(0), Ticks(10), Time(Ticks(0)), 1);
        belief.add(JobId(1), Ticks(6), Time(Ticks(0)), 1);
        belief.start(JobId(0), Time(Ticks(0)), Speed::FULL);
        assert_eq!(belief.delay_of_one(Time(Ticks(4)), Speed::FULL), Ticks(12));
        assert_eq!(belief.delay_of_one(Time(Ticks(40)), Speed::FULL), Ticks(6));
        assert_eq!(belief.delay_of_one(Time(Ticks(40)), Speed::under_load(50)), Ticks(12));
        assert_eq!(belief.delay_of_one(Time(Ticks(40)), Speed::ZERO), Ticks::MAX);
    }
}
