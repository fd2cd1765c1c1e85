//! The nodes of one scheduler, the jobs that wait for them and the jobs that run on them.
//!
//! Policies change a pool through [`Pool::start`] and [`Pool::suspend`], or try changes with
//! [`Pool::occupy`] and [`Pool::vacate`]. Each decision is recorded as an [`Act`], which the
//! simulation then carries out.

mod active;
mod block;
mod blocks;
mod calendar;
mod place;
mod queue;

pub use active::Active;
pub use block::Block;
pub use blocks::{At, Key};
pub use calendar::{Calendar, Promise};
pub use place::{NodeChoice, Places, Share, nodes};
pub use queue::{Fit, Queue, Release, Waiting};

use super::job::ParallelJob;
use super::queue_policy::{Hole, Plan, QueuePolicy, Turns};
use super::speed::Done;
use active::Slots;
use gridsat_engine::EventId;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use queue::Releases;

/// A decision of a policy.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    /// The job starts.
    Start(u32),
    /// The job loses its nodes and waits again.
    Suspend(u32),
    /// The job has a reservation for this time.
    Reserve(u32, Time),
    /// The job is delayed by this many ticks because another one started; its remaining delay
    /// budget.
    Delay(u32, Ticks, Ticks),
}

/// What a job keeps of its work when it loses its nodes.
#[derive(Clone, Copy, Debug)]
pub enum Keep {
    Nothing,
    /// The work up to a multiple of this many ticks on reference nodes.
    Checkpoints(Ticks),
    All,
}

/// Nodes, the jobs that wait for them, and the jobs that run on them.
pub struct Pool {
    pub places: Places,
    pub policy: QueuePolicy,
    /// Free nodes of each cell.
    pub free: Vec<u32>,
    /// Total number of free nodes.
    pub free_total: u32,
    /// Number of nodes of each cell.
    pub capacity: Vec<u32>,
    /// The waiting jobs, unless there is one queue per cluster.
    pub queue: Queue,
    /// The queues of the clusters, if each has one.
    pub turns: Option<Box<Turns>>,
    /// The running jobs, by expected end.
    pub releases: Releases,
    pub jobs: Slots,
    pub acts: Vec<Act>,
    /// Whether an observer wants to know about reservations.
    pub is_watched: bool,
    /// Whether the policy must decide after the events of this tick.
    pub is_concerned: bool,
    /// When the policy must decide next, even without any other event.
    pub wake: Time,
    /// The pending event that makes it decide then.
    pub wake_event: Option<EventId>,
    /// The placement found last.
    pub shares: Vec<Share>,
    /// Nodes of each cell that a reservation leaves free.
    pub extra: Vec<u32>,
    /// Reservations by users that have not begun, if there are any.
    pub calendar: Option<Box<Calendar>>,
    /// The reservations of policies that plan ahead.
    pub plan: Plan,
    /// Whether nodes only have to be counted, for all jobs so far.
    pub is_counted: bool,
    /// The reservation of the first waiting job as long as no nodes become free and no expected end
    /// moves.
    pub hole: Option<Hole>,
    /// Number of jobs submitted; the last one has this number in its key.
    pub arrivals: u64,
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
            calendar: None,
            plan: Plan::new(capacity.len()),
            capacity,
            queue: Queue::default(),
            turns: None,
            releases: Releases::default(),
            jobs: Slots::default(),
            acts: Vec::new(),
            is_watched: false,
            is_concerned: false,
            wake: Time::NEVER,
            wake_event: None,
            shares: Vec::new(),
            is_counted: true,
            hole: None,
            arrivals: 0,
            starts: 0,
        }
    }

    /// Whether the job fits if all nodes are free.
    #[inline]
    pub fn can_ever_run(&mut self, job: &ParallelJob) -> bool {
        if self.places.is_simple_for(job) {
            return job.rigid.nodes <= self.capacity[0];
        }
        self.places.place(job, &self.capacity, &mut self.shares)
    }

    /// Adds a job to the queue.
    #[inline]
    pub fn submit(&mut self, spec: ParallelJob) {
        let (nodes, least) = (spec.least_nodes(), self.places.least_span(&spec, Done::NOTHING));
        let slot = self.admit(spec);
        let key = self.jobs[slot].key;
        self.enqueue(Waiting { key, slot, nodes, least });
        if matches!(self.policy, QueuePolicy::Conservative) {
            self.plan.arrived(slot, nodes);
        }
    }

    /// Gives a job a slot, but no place in a queue.
    #[inline]
    pub fn admit(&mut self, spec: ParallelJob) -> u32 {
        self.arrivals += 1;
        self.is_counted &= self.places.is_simple_for(&spec);
        let key = Key::new(self.policy.order().rank(&spec), self.arrivals);
        self.jobs.insert(spec, key)
    }

    /// Adds a job to its queue, at its position.
    pub fn queue_again(&mut self, slot: u32) {
        let job = &self.jobs[slot];
        let (key, nodes) = (job.key, job.spec.least_nodes());
        let least = self.places.least_span(&job.spec, job.done);
        self.enqueue(Waiting { key, slot, nodes, least });
        if matches!(self.policy, QueuePolicy::Conservative) {
            let Self { plan, jobs, .. } = self;
            plan.returned(slot, nodes, |other| jobs[other].key < key);
        }
    }

    /// Adds a job to its queue.
    #[inline]
    fn enqueue(&mut self, job: Waiting) {
        let Some(turns) = &mut self.turns else { return self.queue.insert(job) };
        turns.insert(self.places.position(self.jobs[job.slot].spec.home), job);
    }

    /// All waiting jobs.
    pub fn waiting(&self) -> impl Iterator<Item = &Waiting> {
        self.queue.iter().chain(self.turns.iter().flat_map(|turns| turns.iter()))
    }

    /// Whether a job fits on the free nodes, so that it can start.
    #[inline]
    pub fn fits(&mut self, job: &Waiting) -> bool {
        job.nodes <= self.free_total && (self.is_counted || self.place(job.slot))
    }

    /// Whether there is a placement of a job on the free nodes; if so, [`Pool::shares`] is it.
    pub fn place(&mut self, slot: u32) -> bool {
        if self.calendar.is_some() {
            return self.place_among(slot, &self.free.clone());
        }
        self.places.place(&self.jobs[slot].spec, &self.free, &mut self.shares)
    }

    /// The same among some of the free nodes.
    pub fn place_among(&mut self, slot: u32, free: &[u32]) -> bool {
        let mut shares = std::mem::take(&mut self.shares);
        let can_start = self.can_start(slot, free, &mut shares);
        self.shares = shares;
        can_start
    }

    /// Records a decision that only observers want to know.
    #[inline]
    pub fn note(&mut self, act: Act) {
        if self.is_watched {
            self.acts.push(act);
        }
    }

    /// Expected end of a job if it starts now with the placement found last.
    pub fn expected_end(&self, slot: u32, now: Time) -> Time {
        let job = &self.jobs[slot];
        now + self.places.expected_span(&job.spec, &self.shares, job.done)
    }

    /// Removes a waiting job from the queue and starts it with the placement found last.
    #[inline]
    pub fn start(&mut self, at: At, now: Time) {
        let job = self.queue.remove_at(at);
        if self.is_counted {
            self.occupy_counted(&job, now);
        } else {
            self.occupy(job.slot, now);
        }
        self.acts.push(Act::Start(job.slot));
    }

    /// Gives the nodes of the placement found last to a job.
    pub fn occupy(&mut self, slot: u32, now: Time) {
        self.occupy_until(slot, now, None);
    }

    /// The same; a job in a reservation has them until the end of the reservation.
    pub fn occupy_until(&mut self, slot: u32, now: Time, end: Option<Time>) {
        self.starts += 1;
        let job = &mut self.jobs[slot];
        std::mem::swap(&mut job.shares, &mut self.shares);
        job.pace = self.places.pace(&job.spec, &job.shares);
        let span = || now + job.pace.expected_span(job.spec.rigid.estimate, job.done);
        let expected = end.unwrap_or_else(span);
        job.is_reserved = end.is_some();
        (job.since, job.expected, job.start) = (now, expected, self.starts);
        take(&mut self.free, &job.shares);
        let nodes = nodes(&job.shares);
        self.free_total -= nodes;
        self.releases.insert(Release { time: expected, start: self.starts, slot, nodes });
    }

    /// The same if nodes are only counted: the lower bound on the run time is exact then.
    #[inline]
    fn occupy_counted(&mut self, &Waiting { slot, nodes, least, .. }: &Waiting, now: Time) {
        self.starts += 1;
        let job = &mut self.jobs[slot];
        job.shares.clear();
        job.shares.push(Share { cell: 0, nodes });
        job.pace = self.places.equal_pace();
        let expected = now + least.max(Ticks(1));
        (job.since, job.expected, job.start) = (now, expected, self.starts);
        self.free[0] -= nodes;
        self.free_total -= nodes;
        self.releases.insert(Release { time: expected, start: self.starts, slot, nodes });
    }

    /// Takes its nodes from a job.
    #[inline]
    pub fn vacate(&mut self, slot: u32) {
        self.hole = None;
        let job = &self.jobs[slot];
        let release = self.releases.remove(Key::new(job.expected.0.0, job.start));
        debug_assert!(release.is_some(), "running jobs are in the list");
        for share in &job.shares {
            self.free[share.cell as usize] += share.nodes;
            self.free_total += share.nodes;
        }
    }

    /// Frees the nodes of a finished job. Its data remain until [`Pool::leave`].
    #[inline]
    pub fn finish(&mut self, slot: u32, now: Time) {
        self.vacate(slot);
        if matches!(self.policy, QueuePolicy::Conservative) {
            self.plan.finished(&self.jobs[slot], now);
        }
    }

    /// Frees the slot of a job that has left.
    pub fn leave(&mut self, slot: u32) {
        self.jobs.vacate(slot);
    }

    /// Suspends a job: takes its nodes and returns it to its position in the queue, with or without
    /// the work it has done.
    pub fn suspend(&mut self, slot: u32, now: Time, keeps_work: bool) {
        self.give_up(slot, now, if keeps_work { Keep::All } else { Keep::Nothing });
        self.acts.push(Act::Suspend(slot));
    }

    /// Takes its nodes from a job and returns it to its position in the queue. Returns the work
    /// that is lost, in ticks on reference nodes.
    pub fn give_up(&mut self, slot: u32, now: Time, keep: Keep) -> u128 {
        self.vacate(slot);
        let job = &mut self.jobs[slot];
        let ran = now - job.since;
        let all = job.pace.after(ran, job.done);
        job.done = match keep {
            Keep::Nothing => Done::NOTHING,
            Keep::Checkpoints(every) => all.checkpointed(every),
            Keep::All => all,
        };
        let lost = all.ticks() - job.done.ticks();
        job.held += ran;
        job.suspensions += 1;
        job.is_reserved = false;
        self.queue_again(slot);
        lost
    }

    /// Doubles the expected run time of a running job whose expected end has come, until its end is
    /// in the future.
    pub fn extend(&mut self, slot: u32, now: Time) {
        let job = &mut self.jobs[slot];
        let late = self.releases.remove(Key::new(job.expected.0.0, job.start));
        self.hole = None;
        while job.expected <= now {
            job.expected += job.expected - job.since;
        }
        let late = late.expect("running jobs are in the list");
        self.releases.insert(Release { time: job.expected, ..late });
        self.plan.extended();
    }

    /// The time at which a waiting job fits if running jobs end as expected and no other starts.
    /// Sets [`Pool::extra`] to the nodes that it leaves free then.
    pub fn reservation(&mut self, slot: u32) -> Time {
        if self.calendar.is_some() {
            return self.reservation_around(slot);
        }
        if self.places.is_simple_for(&self.jobs[slot].spec) {
            return self.simple_reservation(self.jobs[slot].spec.rigid.nodes);
        }
        let Self { jobs, places, shares, extra, .. } = self;
        let spec = &jobs[slot].spec;
        let (mut total, need) = (self.free_total, spec.least_nodes());
        let mut fits_at = None;
        extra.clone_from(&self.free);
        'releases: for releases in self.releases.blocks() {
            for release in releases {
                // All releases of the same tick count.
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

    /// The same if nodes only have to be counted.
    fn simple_reservation(&mut self, need: u32) -> Time {
        let (total, fits_at) = self.releases.until(self.free_total, need);
        self.extra.clear();
        self.extra.push(total - need);
        fits_at
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
