//! Jobs at resources.

use super::super::SimError;
use super::super::allocation::{JobId, Started};
use super::super::grid::ResourceId;
use super::super::job::Outcome;
use super::super::observer::Happening;
use super::super::scheduler::{Mode, SchedulerId};
use super::{Event, Simulation};
use gridsat_engine::Engine;
use gridsat_engine::time::Time;

impl Simulation<'_> {
    pub(super) fn send(
        &mut self,
        id: JobId,
        by: SchedulerId,
        to: ResourceId,
        engine: &mut Engine<Event>,
    ) {
        let now = engine.now();
        let can_hold = self.can_hold(&self.jobs.get(id).spec, to);
        let resource = &mut self.resources[to.index()];
        let job = self.jobs.get_mut(id);
        let times = (resource.true_time(&job.spec), resource.believed_time(&job.spec));
        let ((Some(time), Some(believed)), true) = (times, can_hold) else {
            let failure =
                SimError::Refused { job: job.number, resource: resource.spec().name.clone() };
            return self.fail(failure, engine);
        };
        if job.spec.contract.is_some() {
            let cost = resource.spec().price.times(time, self.scale);
            self.ledger.commit(job.spec.contract, cost);
        }
        resource.advance(now);
        if let (Some(service), None) = (&mut self.service, job.spec.reservation) {
            service.sent(by, to, believed, now);
        }
        (job.sent, job.believed, job.scheduler) = (now, believed, by);
        if let Some(saved) = &mut job.saved {
            saved.move_to(time);
        }
        // What is sent again and again does not keep a simulation alive.
        if job.started.is_none() {
            engine.job_was_active();
        }
        self.observer.happened(now, &Happening::Sent { job: job.number, resource: to });
        if let Some(needs) = job.spec.data {
            return self.stage(id, needs, to, engine);
        }
        self.begin_or_strand(id, to, time);
        self.resources[to.index()].enter();
        self.settle(to, engine);
    }

    /// Notes what began to run.
    fn note_started(&mut self, id: ResourceId, engine: &mut Engine<Event>) {
        let resource = &mut self.resources[id.index()];
        self.started.clear();
        resource.take_started(&mut self.started);
        for &Started { job, pe } in &self.started {
            let job = self.jobs.get_mut(job);
            let (_, first_pe) = job.started.get_or_insert((engine.now(), pe));
            *first_pe = first_pe.or(pe);
            let happening = Happening::Started { job: job.number, resource: id, pe };
            self.observer.happened(engine.now(), &happening);
        }
    }

    /// After a change at a resource: notes what began to run. The next completion is planned when the
    /// event is over, as there may be more changes.
    pub(super) fn settle(&mut self, id: ResourceId, engine: &mut Engine<Event>) {
        self.note_started(id, engine);
        let resource = &mut self.resources[id.index()];
        self.fronts[id.index()] = resource.front();
        if !resource.is_changed {
            resource.is_changed = true;
            self.changed.push(id);
        }
    }

    /// Sets the events of the next completions right.
    pub(super) fn plan(&mut self, engine: &mut Engine<Event>) {
        while let Some(id) = self.changed.pop() {
            let resource = &mut self.resources[id.index()];
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

    pub(super) fn complete(&mut self, id: ResourceId, engine: &mut Engine<Event>) {
        self.resources[id.index()].completion = None;
        self.finish_due(id, engine);
        self.settle(id, engine);
        self.wake(engine);
    }

    /// Jobs that are done by now leave.
    #[inline]
    pub(super) fn finish_due(&mut self, id: ResourceId, engine: &mut Engine<Event>) {
        self.resources[id.index()].advance(engine.now());
        while let Some(job) = self.resources[id.index()].complete() {
            self.count_finished(job, id);
            if self.jobs.get(job).spec.data.is_some() {
                self.make(job, id, engine);
            } else {
                self.finish(job, id, engine.now(), engine);
            }
            // One of time 0 that took its PE is done now too, and leaves next.
            self.note_started(id, engine);
        }
    }

    /// A job is done, with all that belongs to it.
    #[inline]
    pub(super) fn finish(
        &mut self,
        job: JobId,
        at: ResourceId,
        ran_until: Time,
        engine: &mut Engine<Event>,
    ) {
        engine.job_finished();
        let happening = Happening::Finished { job: self.jobs.get(job).number, resource: at };
        self.observer.happened(engine.now(), &happening);
        self.leave_after(job, Outcome::Finished, ran_until, engine);
    }

    /// Schedulers that wait for room look again.
    pub(super) fn wake(&mut self, engine: &mut Engine<Event>) {
        for number in 0..self.schedulers.len() {
            let scheduler = &self.schedulers[number];
            let waits_for_room = matches!(scheduler.mode, Mode::WhenFree | Mode::OnLine);
            if waits_for_room && !scheduler.waiting.is_empty() {
                self.decide_soon(SchedulerId(number as u32), engine);
            }
        }
    }

    pub(super) fn draw_load(&mut self, id: ResourceId, engine: &mut Engine<Event>) {
        let resource = &mut self.resources[id.index()];
        let before = resource.load();
        resource.advance(engine.now());
        let next = resource.draw_load();
        let percent = resource.load();
        let event = next.map(|time| engine.schedule(time, Event::Load(id)));
        self.load_events[id.index()] = event;
        if percent != before {
            self.observer.happened(engine.now(), &Happening::Load { resource: id, percent });
            self.settle(id, engine);
            self.wake(engine);
        }
    }
}
