//! The nodes of one scheduler, the jobs that wait for them and the jobs that have them.
//!
//! Policies change a pool through [`Pool::start`] and [`Pool::suspend`], or try something out with
//! [`Pool::occupy`] and [`Pool::vacate`]; what they did is a list of [`Act`]s, which the simulation
//! then makes known.

mod active;
mod blocks;
mod place;
mod queue;

pub use active::Active;
pub use blocks::At;
pub use place::{NodeChoice, Places, Share, nodes};
pub use queue::{Least, Release, Waiting};

use super::job::ParallelJob;
use super::queue_policy::{Plan, QueuePolicy};
use super::speed::Done;
use active::Slots;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use queue::{Queue, Releases};

/// What a policy did, in order.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    /// The job runs.
    Start(u32),
    /// The job lost its nodes and waits again.
    Suspend(u32),
    /// The job is to start then.
    Reserve(u32, Time),
    /// The job will start so much later because another started, and may still be delayed so much.
    Delay(u32, Ticks, Ticks),
}

/// Nodes, the queue for them, and the jobs on them.
pub struct Pool {
    pub places: Places,
    pub policy: QueuePolicy,
    /// Free nodes of each cell.
    pub free: Vec<u32>,
    /// Free nodes together.
    pub free_total: u32,
    /// Nodes of each cell.
    pub capacity: Vec<u32>,
    pub queue: Queue,
    /// The running jobs.
    pub releases: Releases,
    pub jobs: Slots,
    pub acts: Vec<Act>,
    /// The placement found last.
    pub shares: Vec<Share>,
    /// Nodes that a reservation leaves, of each cell.
    pub extra: Vec<u32>,
    /// The future, for policies that plan it.
    pub plan: Plan,
    arrivals: u64,
    starts: u64,
}

impl Pool {
    pub fn new(places: Places, capacity: Vec<u32>, policy: QueuePolicy) -> Self {
        Self {
            places,
            policy,
            free_total: capacity.iter().sum(),
            free: capacity.clone(),
            extra: Vec::new(),
            plan: Plan::new(capacity.len()),
            capacity,
            queue: Queue::default(),
            releases: Releases::default(),
            jobs: Slots::default(),
            acts: Vec::new(),
            shares: Vec::new(),
            arrivals: 0,
            starts: 0,
        }
    }

    /// Whether the job fits when nothing else is there.
    pub fn can_ever_run(&mut self, job: &ParallelJob) -> bool {
        self.places.place(job, &self.capacity, &mut self.shares)
    }

    /// A job comes into the queue.
    pub fn submit(&mut self, spec: ParallelJob) {
        self.arrivals += 1;
        let key = (self.policy.order().rank(&spec.rigid), self.arrivals);
        let slot = self.jobs.insert(spec);
        self.jobs[slot].key = key;
        self.enqueue(slot);
        self.plan.arrived(slot);
    }

    fn enqueue(&mut self, slot: u32) {
        let Active { spec, key, done, .. } = &self.jobs[slot];
        let least = self.places.least_span(spec, *done);
        self.queue.insert(Waiting { key: *key, slot, nodes: spec.least_nodes(), least });
    }

    /// Whether a job fits among the free nodes; then [`Pool::shares`] says where.
    pub fn fits(&mut self, slot: u32) -> bool {
        self.places.place(&self.jobs[slot].spec, &self.free, &mut self.shares)
    }

    /// When a job is expected to end if it starts now where it was placed last.
    pub fn expected_end(&self, slot: u32, now: Time) -> Time {
        let job = &self.jobs[slot];
        now + self.places.expected_span(&job.spec, &self.shares, job.done)
    }

    /// Takes a waiting job out of the queue and starts it where it was placed last.
    pub fn start(&mut self, at: At, now: Time) {
        let slot = self.queue.remove_at(at).slot;
        self.occupy(slot, now);
        self.acts.push(Act::Start(slot));
    }

    /// Gives the nodes placed last to a job.
    pub fn occupy(&mut self, slot: u32, now: Time) {
        let expected = self.expected_end(slot, now);
        self.starts += 1;
        let job = &mut self.jobs[slot];
        std::mem::swap(&mut job.shares, &mut self.shares);
        job.pace = self.places.pace(&job.spec, &job.shares);
        (job.since, job.expected, job.start) = (now, expected, self.starts);
        for share in &job.shares {
            self.free[share.cell as usize] -= share.nodes;
        }
        let nodes = nodes(&job.shares);
        self.free_total -= nodes;
        self.releases.insert(Release { time: expected, start: self.starts, slot, nodes });
    }

    /// Takes its nodes from a job.
    pub fn vacate(&mut self, slot: u32) {
        let job = &self.jobs[slot];
        let release = self.releases.remove((job.expected.0.0, job.start));
        debug_assert!(release.is_some(), "running jobs are in the list");
        for share in &job.shares {
            self.free[share.cell as usize] += share.nodes;
            self.free_total += share.nodes;
        }
    }

    /// A job is done. Its slot is as it was until [`Pool::leave`].
    pub fn finish(&mut self, slot: u32, now: Time) {
        self.vacate(slot);
        if self.policy == QueuePolicy::Conservative {
            self.plan.finished(&self.jobs[slot], now);
        }
    }

    /// A job is forgotten.
    pub fn leave(&mut self, slot: u32) {
        self.jobs.vacate(slot);
    }

    /// Takes the nodes from a job and puts it back where it was in the queue, with or without what
    /// it has done.
    pub fn suspend(&mut self, slot: u32, now: Time, keeps_work: bool) {
        self.vacate(slot);
        let job = &mut self.jobs[slot];
        let ran = now - job.since;
        job.done = if keeps_work { job.pace.after(ran, job.done) } else { Done::NOTHING };
        job.held += ran;
        job.suspensions += 1;
        self.enqueue(slot);
        self.acts.push(Act::Suspend(slot));
    }

    /// Running jobs that should have ended before now are expected to take twice as long as
    /// expected, or four times, and so on. Whether there were any.
    pub fn correct_estimates(&mut self, now: Time) -> bool {
        let mut any = false;
        while let Some(&late) = self.releases.first().filter(|release| release.time < now) {
            self.releases.remove((late.time.0.0, late.start));
            let job = &mut self.jobs[late.slot];
            while job.expected < now {
                job.expected += job.expected - job.since;
            }
            self.releases.insert(Release { time: job.expected, ..late });
            any = true;
        }
        any
    }

    /// When a waiting job will fit if running jobs end as expected and no other starts; afterwards
    /// [`Pool::extra`] are the nodes it leaves at that time.
    pub fn reservation(&mut self, slot: u32) -> Time {
        let Self { jobs, places, shares, extra, .. } = self;
        let spec = &jobs[slot].spec;
        let is_single = self.free.len() == 1;
        let (mut total, need) = (self.free_total, spec.least_nodes());
        let mut fits_at = None;
        extra.clone_from(&self.free);
        'releases: for (nodes, releases) in self.releases.blocks() {
            if is_single && total + nodes < need {
                total += nodes;
                extra[0] = total;
                continue;
            }
            for release in releases {
                // All of the same tick count.
                if fits_at.is_some_and(|time| release.time > time) {
                    break 'releases;
                }
                total += release.nodes;
                give(extra, &jobs[release.slot].shares);
                if fits_at.is_none() && total >= need && places.place(spec, extra, shares) {
                    fits_at = Some(release.time);
                }
            }
        }
        let fits = places.place(spec, extra, shares);
        debug_assert!(fits, "what fits nowhere was refused");
        take(extra, shares);
        fits_at.unwrap_or(Time::NEVER)
    }
}

/// Adds nodes to cells.
pub fn give(cells: &mut [u32], shares: &[Share]) {
    shares.iter().for_each(|share| cells[share.cell as usize] += share.nodes);
}

/// Takes nodes from cells.
pub fn take(cells: &mut [u32], shares: &[Share]) {
    shares.iter().for_each(|share| cells[share.cell as usize] -= share.nodes);
}

/// Whether cells have these nodes.
pub fn has(cells: &[u32], shares: &[Share]) -> bool {
    shares.iter().all(|share| share.nodes <= cells[share.cell as usize])
}
