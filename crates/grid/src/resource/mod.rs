//! A resource during a simulation: its allocation policy, local load, state visible to schedulers,
//! and statistics.

mod earliest;
mod front;
mod outages;
mod reserved;
mod staging;
mod times;
mod wide;

pub(super) use earliest::{Earliest, raised};
pub(super) use front::Front;
pub(super) use reserved::Coming;
pub(super) use times::{charged, time_at_full_speed};

use super::SimError;
use super::allocation::{Allocation, JobId, Pes, Slot, Started};
use super::belief::Belief;
use super::estimate::completion_among;
use super::grid::ResourceSpec;
use super::load::{self, Start};
use super::occupancy::Occupancy;
use super::work::{Speed, Work};
use gridsat_engine::EventId;
use gridsat_engine::time::Time;
use gridsat_model::{Scale, Ticks};
use gridsat_statistics::random;
use outages::Outages;
use reserved::Reserved;
use times::ticks_per_instruction;
use wide::Widths;

/// State of a resource that can be read without visiting its jobs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub pes: u32,
    /// Number of PEs that are not reserved.
    pub open_pes: u32,
    pub is_up: bool,
    /// Local load in percent.
    pub load: u8,
    pub speed: Speed,
    /// Number of jobs there, running or queued.
    pub jobs: u32,
    /// Number of running jobs of a space-shared resource.
    pub running: usize,
    /// Number of queued jobs, and their total time.
    pub queue: (usize, Ticks),
    /// Estimated completion of all jobs sent to a time-shared resource.
    pub occupied_until: Time,
}

impl Seen {
    /// Ticks until then; 0 without jobs.
    pub fn occupied(&self, now: Time) -> Ticks {
        if self.jobs == 0 { Ticks(0) } else { self.occupied_until - now }
    }
}

/// A resource during a simulation.
pub struct Resource {
    spec: ResourceSpec,
    index: u32,
    allocation: Box<dyn Allocation>,
    load: load::LoadProcess,
    percent: u8,
    capacity: u8,
    speed: Speed,
    outages: Option<Box<Outages>>,
    /// Active reservations; `None` if the resource never has any.
    reserved: Option<Box<Reserved>>,
    /// Jobs on several PEs; `None` if the policy has none.
    widths: Option<Box<Widths>>,
    ticks_per_instruction: f64,
    scale: Scale,
    belief: Option<Belief>,
    /// Whether it has one space-shared PE.
    is_single_queue: bool,
    occupied_until: Time,
    now: Time,
    /// Statistics of the number of jobs over time.
    pub(super) occupancy: Occupancy,
    /// The event of the next change of local load.
    pub(super) load_event: Option<EventId>,
    /// The event of the next completion.
    pub(super) completion: Option<(EventId, Time)>,
    /// Whether that event may have to be moved.
    pub(super) is_changed: bool,
}

impl Resource {
    pub(super) fn new(
        spec: ResourceSpec,
        index: u32,
        start: Start,
        seed: u64,
        scale: Scale,
    ) -> Result<Self, SimError> {
        let random = || random::stream(seed, "local load", u64::from(index));
        let load = spec.load.start(random, scale, start);
        let allocation = spec
            .policy
            .build(&spec.pes)
            .map_err(|error| SimError::Allocation { resource: spec.name.clone(), error })?;
        let belief = spec.policy.is_space_shared().then(Belief::default);
        let is_single_queue = belief.is_some() && spec.pes.count() == 1;
        let widths = spec.policy.has_wide_jobs().then(Box::default);
        let outages = spec.failures.as_ref().map(|failures| Box::new(Outages::of(failures)));
        let ticks_per_instruction = ticks_per_instruction(&spec, scale);
        Ok(Self {
            spec,
            index,
            allocation,
            load,
            percent: 0,
            capacity: 100,
            speed: Speed::FULL,
            outages,
            reserved: None,
            widths,
            ticks_per_instruction,
            scale,
            is_single_queue,
            belief,
            occupied_until: Time::ZERO,
            now: Time::ZERO,
            occupancy: Occupancy::default(),
            load_event: None,
            completion: None,
            is_changed: false,
        })
    }

    /// The description of the resource.
    pub fn spec(&self) -> &ResourceSpec {
        &self.spec
    }

    /// Its PEs.
    pub fn pes(&self) -> &Pes {
        &self.spec.pes
    }

    /// Number of PEs.
    pub fn pe_count(&self) -> u32 {
        self.spec.pes.count()
    }

    /// Number of PEs that are not reserved now.
    pub fn open_pes(&self) -> u32 {
        self.pe_count() - self.active().iter().map(|&(_, pes, _)| pes).sum::<u32>()
    }

    /// Local load in percent.
    pub fn load(&self) -> u8 {
        self.percent
    }

    /// Speed of each PE that local load and capacity leave.
    pub fn speed(&self) -> Speed {
        self.speed
    }

    /// Whether PEs run one job at a time.
    pub fn is_space_shared(&self) -> bool {
        self.belief.is_some()
    }

    /// Number of jobs here, running or queued.
    pub fn job_count(&self) -> u32 {
        self.occupancy.jobs()
    }

    /// Estimated completion of all jobs sent to a time-shared resource.
    pub(super) fn occupied_until(&self) -> Time {
        self.occupied_until
    }

    /// Estimates about the jobs of a space-shared resource; empty for others.
    pub fn belief(&self) -> &Belief {
        static NOTHING: Belief = Belief::NOTHING;
        self.belief.as_ref().unwrap_or(&NOTHING)
    }

    /// False if no job can start at once; true if one perhaps can.
    pub(super) fn may_be_free(&self, now: Time) -> bool {
        let has_room = |belief: &Belief| {
            belief.running() < self.pe_count() as usize || belief.is_any_over(now)
        };
        self.is_up() && self.belief.as_ref().is_none_or(has_room)
    }

    /// Its current state.
    pub(super) fn seen(&self) -> Seen {
        let belief = self.belief();
        Seen {
            pes: self.pe_count(),
            open_pes: self.open_pes(),
            is_up: self.is_up(),
            load: self.load(),
            speed: self.speed,
            jobs: self.job_count(),
            running: belief.running(),
            queue: belief.queue(),
            occupied_until: self.occupied_until,
        }
    }

    /// Ticks since the last job left; 0 if there is one.
    pub fn idle(&self, now: Time) -> Ticks {
        if self.job_count() == 0 { now - self.occupancy.last() } else { Ticks(0) }
    }

    /// Time of the next completion if nothing changes; `None` if there is none.
    pub fn next_completion(&self) -> Option<Time> {
        self.allocation.next_completion().filter(|&time| time < Time::NEVER)
    }

    /// Its jobs and PEs.
    pub fn allocation(&self) -> &dyn Allocation {
        &*self.allocation
    }

    #[inline]
    pub(super) fn advance(&mut self, now: Time) {
        if now == self.now {
            return self.occupancy.stay();
        }
        self.now = now;
        self.allocation.advance(now);
        if self.widths.is_some() {
            return self.count_busy(now);
        }
        let pes = match &self.reserved {
            _ if !self.is_up() => 0,
            None => self.spec.pes.count(),
            // PEs may be idle although jobs wait.
            Some(_) => self.reserving().at_work(),
        };
        self.occupancy.advance(now, pes);
    }

    /// Adds a job, which starts or is queued: its true run time, and its estimated one.
    #[inline]
    pub(super) fn begin(&mut self, job: JobId, time: Ticks, believed: Ticks) -> Slot {
        self.expect(job, believed);
        self.allocation.submit(job, time)
    }

    /// Accounts for the estimated time of a job that is added, or that will be when its data have
    /// arrived.
    #[inline]
    pub(super) fn expect(&mut self, job: JobId, believed: Ticks) {
        match &mut self.belief {
            Some(belief) => {
                let pes = self.spec.pes.count();
                match &self.widths {
                    None => belief.add(job, believed, self.now, pes),
                    Some(widths) => {
                        let layout = widths.layout(pes, self.spec.policy);
                        belief.add_wide(job, widths.of(job), believed, self.now, layout);
                    }
                }
            }
            None => {
                let (jobs, pes) = (self.occupancy.jobs(), self.spec.pes.count());
                let expected = completion_among(jobs, pes, self.speed, believed);
                let expected = expected.unwrap_or(Ticks::MAX);
                self.occupied_until = self.occupied_until.max(self.now + expected);
            }
        }
    }

    /// Sets the capacity in percent of its speed; false if it is unchanged.
    pub(super) fn set_capacity(&mut self, percent: u8) -> bool {
        let is_new = percent != self.capacity;
        self.capacity = percent;
        self.set_speed();
        is_new
    }

    fn set_speed(&mut self) {
        self.speed = Speed::under_load(self.percent).limited(self.capacity);
        self.allocation.set_speed(self.speed);
        if let Some(belief) = &mut self.belief {
            belief.forget_plan();
        }
    }

    /// Calls a function with each job that started since the last call.
    #[inline]
    pub(super) fn take_started(&mut self, mut note: impl FnMut(Started)) {
        let Self { allocation, belief, widths, now, speed, .. } = self;
        let started = allocation.started();
        for &start in started.iter() {
            if let Some(belief) = belief {
                let width = widths.as_ref().map_or(1, |widths| widths.of(start.job));
                (0..width).for_each(|_| belief.start(start.job, *now, *speed));
            }
            note(start);
        }
        started.clear();
    }

    /// If no more than this job started since the last call, the PE under space sharing.
    #[inline]
    pub(super) fn take_start_of(&mut self, job: JobId) -> Option<Option<u32>> {
        let started = self.allocation.started();
        let pe = match started[..] {
            [Started { job: only, pe }] if only == job => pe,
            _ => return None,
        };
        started.clear();
        if let Some(belief) = &mut self.belief {
            belief.start(job, self.now, self.speed);
        }
        Some(pe)
    }

    /// A job that is complete by now.
    #[inline]
    pub(super) fn complete(&mut self) -> Option<JobId> {
        let job = self.allocation.complete()?;
        self.occupancy.complete();
        self.forget(job);
        Some(job)
    }

    pub(super) fn halt(&mut self, job: JobId, slot: Slot) -> bool {
        let is_halted = self.allocation.halt(slot);
        if is_halted {
            self.occupancy.halt();
            self.forget(job);
        }
        is_halted
    }

    pub(super) fn resume(&mut self, job: JobId, slot: Slot, believed: Ticks) -> bool {
        let is_resumed = self.allocation.resume(slot);
        if is_resumed {
            self.occupancy.resume();
            if self.reserved.is_some() && self.reserving().is_reserved(slot) {
                return true;
            }
            if self.belief.is_some() {
                self.expect(job, believed);
            }
        }
        is_resumed
    }

    /// Removes a job; returns the work it had left.
    pub(super) fn cancel(&mut self, job: JobId, slot: Slot) -> Work {
        // Halting fails if the job is halted already.
        let was_halted = !self.allocation.halt(slot);
        self.occupancy.cancel(was_halted);
        self.forget(job);
        self.allocation.cancel(slot)
    }

    /// Work that a job has left at the end of the simulation. The resource must not be used after
    /// this.
    pub(super) fn left_of(&mut self, slot: Slot) -> Work {
        self.allocation.cancel(slot)
    }

    /// Draws the local load; returns the time of the next draw.
    pub(super) fn draw_load(&mut self) -> Option<Time> {
        let (percent, next) = self.load.draw(self.now);
        self.percent = percent;
        self.set_speed();
        next
    }

    fn forget(&mut self, job: JobId) {
        if let Some(belief) = &mut self.belief {
            let width = self.widths.as_ref().map_or(1, |widths| widths.of(job));
            (0..width).for_each(|_| belief.remove(job, self.now));
        }
    }
}
