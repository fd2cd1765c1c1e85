//! A resource at work: its allocation policy, its local load, what schedulers can see of it, and what
//! the reports need.

use super::allocation::{
    Allocation, JobId, Pes, Policy, PolicyError, Present, Released, Reserving, Slot, Started,
};
use super::belief::Belief;
use super::economy::Money;
use super::engine::EventId;
use super::estimate::shared_completion;
use super::failure::{Checkpoints, OnFailure};
use super::grid::ResourceSpec;
use super::load;
use super::tally::Tally;
use super::time::Time;
use super::work::{Speed, Work};
use crate::model::{Scale, Ticks};
use crate::workload::{Demand, JobSpec, ReservationId, Unit};

/// What most decisions look at. Decisions look at every resource, so this lies apart from the rest,
/// close together, and is brought up to date after every change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Front {
    ticks_per_instruction: f64,
    /// When the running job is believed to end, and how long the queue takes after that.
    end: Time,
    queued: Ticks,
    /// Jobs below this QoS level can run, if they need instructions.
    levels: u32,
    /// Whether that is all there is to know: one space-shared PE at full speed.
    is_queue: bool,
}

impl Front {
    /// Time of a job of so many instructions; `None` if it may not run here.
    #[inline]
    pub(super) fn time(&self, qos: u32, instructions: f64) -> Option<Ticks> {
        (qos < self.levels).then(|| nearest(instructions * self.ticks_per_instruction))
    }

    /// What does not change of it.
    pub(super) fn without_state(self) -> Self {
        Self { is_queue: false, ..self }
    }

    /// Ticks until it is believed to be free, where that is all there is to know.
    #[inline]
    pub(super) fn delay(&self, now: Time) -> Option<Ticks> {
        self.is_queue.then(|| (self.end - now).saturating_add(self.queued))
    }
}

/// What there is to a resource that can fail.
struct Outages {
    on_failure: OnFailure,
    /// Since when it is down, if it is.
    down: Option<Time>,
    down_time: Ticks,
    /// Jobs that begin when it is back, in order, and those among them that were halted.
    stranded: Vec<JobId>,
}

/// Reservations that are active: which, how many PEs, and until when.
#[derive(Default)]
struct Reserved(Vec<(ReservationId, u32, Time)>);

/// A job that a failure stopped.
pub(super) struct Stopped {
    pub job: JobId,
    pub left: Work,
    pub is_running: bool,
}

/// A resource at work.
pub struct Resource {
    spec: ResourceSpec,
    index: u32,
    allocation: Box<dyn Allocation>,
    load: load::Running,
    percent: u8,
    capacity: u8,
    speed: Speed,
    outages: Option<Box<Outages>>,
    /// If there are reservations at all.
    reserved: Option<Box<Reserved>>,
    ticks_per_instruction: f64,
    scale: Scale,
    belief: Option<Belief>,
    occupied_until: Time,
    now: Time,
    tally: Tally,
    /// The event of the next completion.
    pub(super) completion: Option<(EventId, Time)>,
    /// Whether that event may no longer be right.
    pub(super) is_changed: bool,
}

impl Resource {
    pub(super) fn new(
        spec: ResourceSpec,
        index: u32,
        load: load::Running,
        scale: Scale,
    ) -> Result<Self, PolicyError> {
        let allocation = spec.policy.build(&spec.pes)?;
        let belief = (spec.policy == Policy::SpaceShared).then(Belief::default);
        let outages = spec.failures.as_ref().map(|failures| {
            let (on_failure, stranded) = (failures.on_failure, Vec::new());
            Box::new(Outages { on_failure, down: None, down_time: 0, stranded })
        });
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
            ticks_per_instruction,
            scale,
            belief,
            occupied_until: Time::ZERO,
            now: Time::ZERO,
            tally: Tally::default(),
            completion: None,
            is_changed: false,
        })
    }

    /// What most decisions look at.
    pub(super) fn front(&self) -> Front {
        let (end, queued) = self.belief().of_one();
        Front {
            ticks_per_instruction: self.ticks_per_instruction,
            end,
            queued,
            levels: match self.spec.serves {
                Unit::Instructions => self.spec.qos.saturating_add(1),
                Unit::Operations => 0,
            },
            is_queue: self.is_space_shared()
                && self.pe_count() == 1
                && self.speed == Speed::FULL
                && self.is_up(),
        }
    }

    /// As it was described.
    pub fn spec(&self) -> &ResourceSpec {
        &self.spec
    }

    /// Its PEs.
    pub fn pes(&self) -> &Pes {
        &self.spec.pes
    }

    /// How many PEs it has.
    pub fn pe_count(&self) -> u32 {
        self.spec.pes.count()
    }

    /// PEs that are not reserved now.
    pub fn open_pes(&self) -> u32 {
        let reserved = self.reserved.iter().flat_map(|reserved| &reserved.0);
        self.pe_count() - reserved.map(|&(_, pes, _)| pes).sum::<u32>()
    }

    /// Local load in percent.
    pub fn load(&self) -> u8 {
        self.percent
    }

    /// Whether it is there.
    #[inline]
    pub fn is_up(&self) -> bool {
        self.outages.as_ref().is_none_or(|outages| outages.down.is_none())
    }

    /// What becomes of jobs when it fails, if it can.
    pub fn on_failure(&self) -> Option<OnFailure> {
        self.outages.as_ref().map(|outages| outages.on_failure)
    }

    /// The checkpoints that jobs make here.
    #[inline]
    pub(super) fn checkpoints(&self) -> Option<Checkpoints> {
        self.outages.as_ref()?.on_failure.checkpoints()
    }

    /// Ticks it was down.
    pub fn down_time(&self, now: Time) -> Ticks {
        let of =
            |outages: &Outages| outages.down_time + outages.down.map_or(0, |since| now - since);
        self.outages.as_deref().map_or(0, of)
    }

    /// What local load and capacity leave of each PE.
    pub fn speed(&self) -> Speed {
        self.speed
    }

    /// Whether PEs run one job at a time.
    pub fn is_space_shared(&self) -> bool {
        self.belief.is_some()
    }

    /// Jobs here, running or queued.
    pub fn job_count(&self) -> u32 {
        self.tally.jobs()
    }

    /// What is believed of the jobs at a space-shared resource; nothing of others.
    pub fn belief(&self) -> &Belief {
        static NOTHING: Belief = Belief::NOTHING;
        self.belief.as_ref().unwrap_or(&NOTHING)
    }

    /// Whether a job could perhaps start at once; if not, none can.
    pub(super) fn may_be_free(&self, now: Time) -> bool {
        let has_room = |belief: &Belief| {
            belief.running() < self.pe_count() as usize || belief.is_any_over(now)
        };
        self.is_up() && self.belief.as_ref().is_none_or(has_room)
    }

    /// Ticks until the jobs sent to a time-shared resource were estimated to be completed.
    pub fn occupied(&self, now: Time) -> Ticks {
        if self.job_count() == 0 { 0 } else { self.occupied_until - now }
    }

    /// How long it has had no job; 0 if it has one.
    pub fn idle(&self, now: Time) -> Ticks {
        if self.job_count() == 0 { now - self.tally.last() } else { 0 }
    }

    /// Its jobs counted over time.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// When the next job completes if nothing changes; `None` if none ever does.
    pub fn next_completion(&self) -> Option<Time> {
        self.allocation.next_completion().filter(|&time| time < Time::NEVER)
    }

    /// Its jobs.
    pub fn allocation(&self) -> &dyn Allocation {
        &*self.allocation
    }

    /// Time of the job alone on the fastest PE at full speed; `None` if it cannot run here.
    pub fn true_time(&self, job: &JobSpec) -> Option<Ticks> {
        self.time(job, 1.0)
    }

    /// The same by what schedulers believe of its size.
    pub fn believed_time(&self, job: &JobSpec) -> Option<Ticks> {
        self.time(job, job.estimate)
    }

    fn time(&self, job: &JobSpec, factor: f64) -> Option<Ticks> {
        time(&self.spec, self.index, self.ticks_per_instruction, job, factor)
    }

    /// What it charges for the job, whatever happens on the way; `None` if it cannot run it.
    pub fn cost(&self, job: &JobSpec) -> Option<Money> {
        Some(self.spec.price.times(self.true_time(job)?, self.scale))
    }

    pub(super) fn advance(&mut self, now: Time) {
        self.now = now;
        self.allocation.advance(now);
        let pes = match &self.reserved {
            _ if !self.is_up() => 0,
            None => self.spec.pes.count(),
            // Some may be idle although jobs wait.
            Some(_) => self.reserving().at_work(),
        };
        self.tally.advance(now, pes);
    }

    /// A job is there from now on; comes after it has begun, so that it is not in its own way.
    pub(super) fn enter(&mut self) {
        self.tally.enter();
    }

    /// A job that is there begins: how long it takes, and how long it is believed to.
    pub(super) fn begin(&mut self, job: JobId, time: Ticks, believed: Ticks) -> Slot {
        self.expect(job, believed);
        self.allocation.submit(job, time)
    }

    /// The same of a job that was perhaps expected.
    pub(super) fn begin_expected(&mut self, job: JobId, time: Ticks, believed: Ticks) -> Slot {
        if !self.belief.as_ref().is_some_and(|belief| belief.is_queued(job)) {
            self.expect(job, believed);
        }
        self.allocation.submit(job, time)
    }

    /// A job will begin when its data are there: its time is no longer free.
    pub(super) fn expect(&mut self, job: JobId, believed: Ticks) {
        match &mut self.belief {
            Some(belief) => belief.add(job, believed, self.now, self.spec.pes.count()),
            None => {
                let expected = shared_completion(self, believed).unwrap_or(Ticks::MAX);
                self.occupied_until = self.occupied_until.max(self.now + expected);
            }
        }
    }

    /// A job is there from now on, but waits for its data.
    pub(super) fn enter_staging(&mut self) {
        self.tally.enter();
        self.tally.stage();
    }

    /// It has its data.
    pub(super) fn staged(&mut self) {
        self.tally.staged();
    }

    /// It stands still until it is resumed.
    pub(super) fn halt_staging(&mut self, job: JobId) {
        self.tally.staged();
        self.tally.halt();
        self.forget(job);
    }

    /// It waits for its data again.
    pub(super) fn resume_staging(&mut self, job: JobId, believed: Ticks) {
        self.expect(job, believed);
        self.tally.resume();
        self.tally.stage();
    }

    /// It goes away.
    pub(super) fn leave_staging(&mut self, job: JobId, was_halted: bool) {
        if !was_halted {
            self.tally.staged();
        }
        self.tally.cancel(was_halted);
        self.forget(job);
    }

    /// The same in a reservation that is not over.
    pub(super) fn begin_in(&mut self, id: ReservationId, job: JobId, time: Ticks) -> Slot {
        if self.belief.as_ref().is_some_and(|belief| belief.is_queued(job)) {
            // While it waited for its data it counted as one of the queue.
            self.forget(job);
        }
        self.reserving().submit_to(id, job, time)
    }

    /// There will be reservations; only space-shared resources have them.
    pub(super) fn expect_reservations(&mut self) {
        self.reserved.get_or_insert_default();
    }

    fn reserving(&mut self) -> &mut dyn Reserving {
        self.allocation.reserving().expect("only space-shared resources have reservations")
    }

    /// A reservation gets its PEs: the jobs that gave way. Nothing starts before [`Self::fill`].
    pub(super) fn reserve(&mut self, id: ReservationId, pes: u32, until: Time) -> Vec<JobId> {
        let suspended = self.reserving().reserve(id, pes, until);
        if let Some(reserved) = &mut self.reserved {
            reserved.0.push((id, pes, until));
        }
        if let Some(belief) = &mut self.belief {
            suspended.iter().for_each(|&job| belief.suspend(job, self.now, self.speed));
            belief.reserve(pes, until);
        }
        suspended
    }

    /// A reservation is over, or will never be active. Nothing starts before [`Self::fill`].
    pub(super) fn release(&mut self, id: ReservationId) -> Released {
        let released = self.reserving().release(id);
        let active =
            self.reserved.iter_mut().flat_map(|reserved| reserved.0.extract_if(.., |r| r.0 == id));
        for (_, pes, until) in active {
            self.belief.iter_mut().for_each(|belief| belief.release(pes, until));
        }
        released
    }

    /// A job that lost its reservation waits behind so many others, believed to need so much.
    pub(super) fn queue_leftover(&mut self, job: JobId, behind: usize, believed: Ticks) {
        self.belief.iter_mut().for_each(|belief| belief.insert(behind, job, believed));
    }

    /// Idle PEs get jobs again.
    pub(super) fn fill(&mut self) {
        self.reserving().fill();
    }

    /// PE time that the jobs of an active reservation have used.
    pub(super) fn used(&mut self, id: ReservationId) -> u128 {
        self.reserving().used(id)
    }

    /// A job that is there waits until the resource is back.
    pub(super) fn strand(&mut self, job: JobId) {
        let outages = self.outages.as_mut().expect("only what can fail is down");
        outages.stranded.push(job);
    }

    /// It fails: the jobs that run or wait, in order. They are there until somebody takes them away.
    pub(super) fn go_down(&mut self) -> Vec<Stopped> {
        if let Some(outages) = &mut self.outages {
            outages.down = Some(self.now);
        }
        if let Some(belief) = &mut self.belief {
            *belief = Belief::default();
            let reserved = self.reserved.iter().flat_map(|reserved| &reserved.0);
            reserved.for_each(|&(_, pes, until)| belief.reserve(pes, until));
        }
        self.occupied_until = Time::ZERO;
        let present = self.allocation.present();
        let mut stopped: Vec<Option<Stopped>> = present.iter().map(|_| None).collect();
        // Those that wait first, so that none of them takes the place of another.
        for is_running in [false, true] {
            for (job, stopped) in present.iter().zip(&mut stopped).rev() {
                if job.is_running == is_running {
                    let &Present { job, slot, is_running } = job;
                    let left = self.allocation.cancel(slot);
                    *stopped = Some(Stopped { job, left, is_running });
                }
            }
        }
        stopped.into_iter().flatten().collect()
    }

    /// It is back: the jobs that waited for that.
    pub(super) fn go_up(&mut self) -> Vec<JobId> {
        let Some(outages) = &mut self.outages else { return Vec::new() };
        let since = outages.down.take();
        outages.down_time += since.map_or(0, |since| self.now - since);
        std::mem::take(&mut outages.stranded)
    }

    /// A stranded job leaves, or begins.
    pub(super) fn unstrand(&mut self, job: JobId) {
        self.outages.iter_mut().for_each(|outages| outages.stranded.retain(|&other| other != job));
    }

    /// A job that is there, but neither runs nor waits for a PE, leaves.
    pub(super) fn leave(&mut self, was_halted: bool) {
        self.tally.cancel(was_halted);
    }

    /// The same, and it is lost.
    pub(super) fn lose(&mut self) {
        self.tally.lose();
    }

    /// It gives so many percent of its speed from now on; false if it already does.
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

    /// Jobs that began to run since the last call.
    pub(super) fn take_started(&mut self, started: &mut Vec<Started>) {
        self.allocation.take_started(started);
        if let Some(belief) = &mut self.belief {
            for start in started.iter() {
                belief.start(start.job, self.now, self.speed);
            }
        }
    }

    /// A job that is done by now.
    pub(super) fn complete(&mut self) -> Option<JobId> {
        let job = self.allocation.complete()?;
        self.tally.complete();
        self.forget(job);
        Some(job)
    }

    pub(super) fn halt(&mut self, job: JobId, slot: Slot) -> bool {
        let is_halted = self.allocation.halt(slot);
        if is_halted {
            self.tally.halt();
            self.forget(job);
        }
        is_halted
    }

    pub(super) fn resume(&mut self, job: JobId, slot: Slot, believed: Ticks) -> bool {
        let is_resumed = self.allocation.resume(slot);
        if is_resumed {
            self.tally.resume();
            if self.reserved.is_some() && self.reserving().is_reserved(slot) {
                return true;
            }
            if let Some(belief) = &mut self.belief {
                belief.add(job, believed, self.now, self.spec.pes.count());
            }
        }
        is_resumed
    }

    /// Takes a job away; what it had left.
    pub(super) fn cancel(&mut self, job: JobId, slot: Slot) -> Work {
        // A halted job cannot be halted again.
        let was_halted = !self.allocation.halt(slot);
        self.tally.cancel(was_halted);
        self.forget(job);
        self.allocation.cancel(slot)
    }

    /// A halted job goes on after an outage, or during one; what it had left, if it has a place.
    pub(super) fn resume_stranded(&mut self, slot: Option<Slot>) -> Option<Work> {
        self.tally.resume();
        slot.map(|slot| self.allocation.cancel(slot))
    }

    /// A stranded job stands still.
    pub(super) fn halt_stranded(&mut self) {
        self.tally.halt();
    }

    /// Everything is over: what a job has left. Nothing else is right any more after this.
    pub(super) fn left_of(&mut self, slot: Slot) -> Work {
        self.allocation.cancel(slot)
    }

    /// Draws the local load anew; gives when to draw again.
    pub(super) fn draw_load(&mut self) -> Option<Time> {
        let (percent, next) = self.load.draw(self.now);
        self.percent = percent;
        self.set_speed();
        next
    }

    fn forget(&mut self, job: JobId) {
        if let Some(belief) = &mut self.belief {
            belief.remove(job, self.now);
        }
    }
}

/// True time of the job alone at full speed on the fastest PE; `None` if it cannot run there.
pub(super) fn time_at_full_speed(
    spec: &ResourceSpec,
    index: u32,
    job: &JobSpec,
    scale: Scale,
) -> Option<Ticks> {
    time(spec, index, ticks_per_instruction(spec, scale), job, 1.0)
}

fn ticks_per_instruction(spec: &ResourceSpec, scale: Scale) -> f64 {
    scale.ticks_per_unit() as f64 / spec.pes.fastest()
}

#[inline]
fn time(
    spec: &ResourceSpec,
    index: u32,
    ticks_per_instruction: f64,
    job: &JobSpec,
    factor: f64,
) -> Option<Ticks> {
    if job.qos > spec.qos || !spec.serves.can_serve(&job.demand) {
        return None;
    }
    match &job.demand {
        Demand::Instructions(size) | Demand::Operations(size) => {
            Some(nearest(size * factor * ticks_per_instruction))
        }
        Demand::Times(times) => {
            let time = times.get(index as usize).copied().flatten()?;
            Some(if factor == 1.0 { time } else { nearest(time as f64 * factor) })
        }
    }
}

/// The nearest whole number of ticks.
#[inline]
fn nearest(ticks: f64) -> Ticks {
    // By way of signed numbers: half the instructions, and nothing lasts for 2^63 ticks.
    (ticks + 0.5) as i64 as Ticks
}
