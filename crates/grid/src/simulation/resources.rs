//! Jobs at resources, and the local load there.

use std::ops::{Deref, DerefMut};

use super::{Event, Simulation};
use crate::SimError;
use crate::allocation::{JobId, Started};
use crate::grid::{Grid, ResourceId};
use crate::happening::Happening;
use crate::job::{JobRecord, Outcome};
use crate::jobs::PlainJob;
use crate::load::Start;
use crate::resource::{Earliest, Front, Resource};
use crate::scheduler::SchedulerId;
use gridsat_engine::time::Time;
use gridsat_engine::{Engine, EventId, Table};
use gridsat_model::{Scale, Ticks};
use gridsat_workload::Demand;

/// The resources, and the pending consequences of their changes.
pub(super) struct Resources {
    all: Table<ResourceId, Resource>,
    /// The part of each resource's state that decisions use.
    fronts: Table<ResourceId, Front>,
    /// The same for decisions that look for one resource among all.
    earliest: Earliest,
    /// Resources whose next completion may have changed in this event.
    changed: Vec<ResourceId>,
}

impl Deref for Resources {
    type Target = Table<ResourceId, Resource>;

    fn deref(&self) -> &Self::Target {
        &self.all
    }
}

impl DerefMut for Resources {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.all
    }
}

impl Resources {
    pub fn new(grid: Grid, start: Start, seed: u64, scale: Scale) -> Result<Self, SimError> {
        let resource = |(index, spec)| Resource::new(spec, index, start, seed, scale);
        let all = (0..).zip(grid.resources).map(resource);
        let all = all.collect::<Result<Table<_, _>, _>>()?;
        let fronts = all.iter().map(Resource::front).collect();
        Ok(Self { earliest: Earliest::new(&fronts), fronts, all, changed: Vec::new() })
    }

    /// A resource advanced to the current time, for changes.
    pub fn now(&mut self, id: ResourceId, now: Time) -> &mut Resource {
        let resource = &mut self.all[id];
        resource.advance(now);
        resource
    }

    pub fn fronts(&self) -> &Table<ResourceId, Front> {
        &self.fronts
    }

    pub fn earliest(&self) -> &Earliest {
        &self.earliest
    }

    pub fn load_events(&mut self) -> impl Iterator<Item = &mut Option<EventId>> {
        self.all.iter_mut().map(|resource| &mut resource.load_event)
    }

    /// Marks a resource as changed. Its next completion is scheduled at the end of the event,
    /// because more changes may follow.
    #[inline]
    fn touch(&mut self, id: ResourceId) {
        let resource = &mut self.all[id];
        if resource.has_changing_front() {
            let front = &mut self.fronts[id];
            resource.update(front);
            self.earliest.update(id, front);
        }
        if !resource.is_changed {
            resource.is_changed = true;
            self.changed.push(id);
        }
    }

    /// Schedules or moves the events of the next completions.
    pub fn plan(&mut self, engine: &mut Engine<Event>) {
        while let Some(id) = self.changed.pop() {
            let resource = &mut self.all[id];
            resource.is_changed = false;
            let next = resource.next_completion();
            resource.completion = match (resource.completion, next) {
                (Some((event, planned)), Some(time)) => {
                    if planned != time {
                        engine.reschedule(event, time);
                    }
                    Some((event, time))
                }
                (Some((event, _)), None) => {
                    engine.cancel(event);
                    None
                }
                (None, Some(time)) => Some((engine.schedule(time, Event::Completion(id)), time)),
                (None, None) => None,
            };
        }
    }
}

impl Simulation<'_> {
    pub(super) fn send(
        &mut self,
        id: JobId,
        by: SchedulerId,
        to: ResourceId,
        engine: &mut Engine<Event>,
    ) {
        let now = engine.now();
        if self.schedulers.are_rescheduling {
            self.plan_round(by, false, engine);
        }
        let can_hold = self.can_hold(&self.jobs[id].spec, to);
        let can_pack = self.jobs.can_pack(id);
        let resource = &mut self.resources[to];
        let job = &mut self.jobs[id];
        let time = resource.true_time(&job.spec);
        let is_exact = job.spec.estimate == 1.0;
        let times = (time, if is_exact { time } else { resource.believed_time(&job.spec) });
        let ((Some(time), Some(believed)), true) = (times, can_hold) else {
            let failure =
                SimError::Refused { job: job.number, resource: resource.spec().name.clone() };
            return self.fail(failure, engine);
        };
        self.accounting.commit(&job.spec, || resource.price_of(&job.spec, time));
        if let Demand::Composite(needs) = &job.spec.demand {
            resource.set_width(id, needs.pes);
        } else if resource.has_wide_jobs() {
            resource.set_width(id, 1);
        }
        resource.advance(now);
        if job.spec.reservation.is_none() {
            self.information.sent(by, to, believed, now);
        }
        let is_again = self.schedulers.are_rescheduling && job.sent > Time::ZERO;
        (job.sent, job.believed, job.scheduler) = (now, believed, by);
        if let Some(saved) = &mut job.saved {
            saved.move_to(time);
        }
        // Sending a job again that has already run, or that is reconsidered, does not count as
        // activity, so that repeated failures do not keep a simulation alive.
        if job.started.is_none() && !is_again {
            engine.job_was_active();
        }
        self.observer.happened(now, &Happening::Sent { job: job.number, resource: to });
        if let Some(needs) = job.spec.data {
            return self.stage(id, needs, to, engine);
        }
        if can_pack && resource.is_plain() && resource.is_up() && PlainJob::suits(job) {
            return self.begin_plain(id, to, time, engine);
        }
        if let Demand::Composite(_) = job.spec.demand {
            return self.prepare(id, to, engine);
        }
        self.begin_or_strand(id, to, time);
        // Counted only now, so that the job does not affect its own estimate.
        self.resources[to].occupancy.enter();
        self.settle(to, engine);
    }

    /// Adds a plain job to the resource that it was sent to. Its record is written once, with its
    /// slot and its start.
    #[inline]
    fn begin_plain(&mut self, id: JobId, to: ResourceId, time: Ticks, engine: &mut Engine<Event>) {
        let now = engine.now();
        let plain_id = self.jobs.next_plain();
        let resource = &mut self.resources[to];
        let slot = resource.begin(plain_id, time, time);
        resource.occupancy.enter();
        let pe = resource.take_start_of(plain_id);
        let number = self.jobs.replace(id, to, slot, pe.map(|pe| (now, pe)));
        match pe {
            Some(pe) => {
                let started = Happening::Started { job: number, resource: to, pe };
                self.observer.happened(now, &started);
            }
            None => self.note_started(to, engine),
        }
        self.resources.touch(to);
    }

    /// Reports the jobs that started.
    #[inline]
    fn note_started(&mut self, id: ResourceId, engine: &mut Engine<Event>) {
        let Self { resources, jobs, observer, .. } = self;
        resources.all[id].take_started(|Started { job, pe }| {
            let job = jobs.start(job, engine.now(), pe);
            observer.happened(engine.now(), &Happening::Started { job, resource: id, pe });
        });
    }

    /// After a change at a resource: reports the jobs that started.
    pub(super) fn settle(&mut self, id: ResourceId, engine: &mut Engine<Event>) {
        self.note_started(id, engine);
        self.resources.touch(id);
    }

    pub(super) fn complete(&mut self, id: ResourceId, engine: &mut Engine<Event>) {
        self.resources[id].completion = None;
        self.finish_due(id, engine);
        self.resources.touch(id);
        self.wake(engine);
    }

    /// Lets jobs that are complete by now leave.
    #[inline]
    pub(super) fn finish_due(&mut self, id: ResourceId, engine: &mut Engine<Event>) {
        self.resources[id].advance(engine.now());
        while let Some(job) = self.resources[id].complete() {
            if let Some(job) = self.jobs.remove_plain(job) {
                self.finish_plain(job, engine);
                let allocation = self.resources[id].allocation();
                if self.jobs.are_many() {
                    allocation.soon(&mut |job| self.jobs.fetch(job));
                }
                if !allocation.may_complete_more() {
                    break;
                }
            } else if self.phases.has(job) {
                self.end_phase(job, engine);
            } else {
                self.count_finished(job, id);
                self.free_memory(job, engine);
                if self.jobs[job].spec.data.is_some() {
                    self.make(job, id, engine);
                } else {
                    self.finish(job, id, engine.now(), engine);
                }
            }
            // Where jobs share PEs, none waits for one. A job of time 0 that got its PE is complete
            // now too, and leaves next.
            if self.resources[id].is_space_shared() {
                self.note_started(id, engine);
            }
        }
    }

    /// Finishes a job, including its data.
    #[inline]
    pub(super) fn finish(
        &mut self,
        job: JobId,
        at: ResourceId,
        ran_until: Time,
        engine: &mut Engine<Event>,
    ) {
        engine.job_finished();
        let happening = Happening::Finished { job: self.jobs[job].number, resource: at };
        self.observer.happened(engine.now(), &happening);
        self.leave_after(job, Outcome::Finished, ran_until, engine);
    }

    /// Finishes a plain job. It has done nothing but work.
    #[inline]
    fn finish_plain(&mut self, job: PlainJob, engine: &mut Engine<Event>) {
        let (now, resource) = (engine.now(), job.resource);
        engine.job_finished();
        self.observer.happened(now, &Happening::Finished { job: job.number, resource });
        let time = self.resources[resource].plain_time(job.amount);
        self.accounting.finish_plain(&job, time, now);
        if self.observer.follows_jobs() {
            self.observer.left(&JobRecord::of_plain(job, time, now));
        }
        self.rest_if_done(engine);
    }

    pub(super) fn leave(&mut self, id: JobId, outcome: Outcome, engine: &mut Engine<Event>) {
        self.leave_after(id, outcome, engine.now(), engine);
    }

    /// A job leaves whose run ended at that time, if it ran.
    fn leave_after(
        &mut self,
        id: JobId,
        outcome: Outcome,
        ran_until: Time,
        engine: &mut Engine<Event>,
    ) {
        let job = self.jobs.remove(id);
        let resource = job.place.resource().map(|at| &self.resources[at]);
        let record = self.accounting.close(job, resource, outcome, ran_until, engine.now());
        self.observer.left(&record);
        self.rest_if_done(engine);
    }

    pub(super) fn draw_load(&mut self, id: ResourceId, engine: &mut Engine<Event>) {
        let resource = &mut self.resources[id];
        let before = resource.load();
        resource.advance(engine.now());
        let next = resource.draw_load();
        let percent = resource.load();
        resource.load_event = next.map(|time| engine.schedule(time, Event::Load(id)));
        if percent != before {
            self.observer.happened(engine.now(), &Happening::Load { resource: id, percent });
            self.settle(id, engine);
            self.wake(engine);
        }
    }
}
