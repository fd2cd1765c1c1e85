//! Schedulers decide.

use gridsat_model::Ticks;
use std::time::Instant;

use super::super::SimError;
use super::super::allocation::JobId;
use super::super::information::Service;
use super::super::job::Place;
use super::super::observer::Happening;
use super::super::scheduler::{Assignment, Mode, SchedulerId, Target, View};
use super::{Event, Simulation};
use gridsat_engine::Engine;
use gridsat_engine::time::Time;

impl Simulation<'_> {
    pub(super) fn wait_at(&mut self, job: JobId, id: SchedulerId, engine: &mut Engine<Event>) {
        self.jobs.get_mut(job).place = Place::Waiting(id);
        self.schedulers[id.index()].waiting.push(job);
        self.consider(id, engine);
    }

    /// A job that was here before gets its place back, by its number: who serves first come first served
    /// serves it before those that came later.
    pub(super) fn wait_again(&mut self, job: JobId, id: SchedulerId, engine: &mut Engine<Event>) {
        let number = self.jobs.get(job).number;
        self.jobs.get_mut(job).place = Place::Waiting(id);
        let waiting = &mut self.schedulers[id.index()].waiting;
        let place = waiting.partition_point(|&other| self.jobs.get(other).number < number);
        waiting.insert(place, job);
        self.consider(id, engine);
    }

    /// There is one more job to decide on.
    fn consider(&mut self, id: SchedulerId, engine: &mut Engine<Event>) {
        let scheduler = &self.schedulers[id.index()];
        match scheduler.mode {
            Mode::OnLine => self.decide(id, engine),
            Mode::WhenFree => self.decide_soon(id, engine),
            Mode::Count(count) if scheduler.waiting.len() >= count => self.decide(id, engine),
            Mode::Count(_) => {}
            Mode::Batch(wait) | Mode::TimeLimit(wait) => {
                let next = Time(Ticks(engine.now().0.0.div_ceil(wait.0).saturating_mul(wait.0)));
                self.decide_at(id, next, engine);
            }
        }
    }

    /// A decision at this very time, after all that is due.
    pub(super) fn decide_soon(&mut self, id: SchedulerId, engine: &mut Engine<Event>) {
        self.decide_at(id, engine.now(), engine);
    }

    pub(super) fn decide_at(&mut self, id: SchedulerId, time: Time, engine: &mut Engine<Event>) {
        let scheduler = &mut self.schedulers[id.index()];
        if scheduler.activation.is_none() {
            scheduler.activation = Some(engine.schedule(time, Event::Decision(id)));
        }
    }

    /// The event of a decision. Jobs that arrive at the same time come first.
    pub(super) fn activate(&mut self, id: SchedulerId, engine: &mut Engine<Event>) {
        self.schedulers[id.index()].activation = None;
        let arrivals = self.arrivals.iter().filter_map(|arrivals| arrivals.next.as_ref());
        if arrivals.map(|next| Time(next.arrival)).any(|time| time <= engine.now()) {
            return self.decide_soon(id, engine);
        }
        self.decide(id, engine);
        let scheduler = &self.schedulers[id.index()];
        if let (Some(wait), false) = (scheduler.mode.period(), scheduler.waiting.is_empty()) {
            self.decide_at(id, engine.now() + wait, engine);
        }
    }

    pub(super) fn decide(&mut self, id: SchedulerId, engine: &mut Engine<Event>) {
        if self.schedulers[id.index()].targets.is_empty() {
            // Nothing has registered yet.
            return;
        }
        let service = self.service.as_deref();
        let view = View {
            now: engine.now(),
            scale: self.scale,
            id,
            scheduler: &self.schedulers[id.index()],
            jobs: &self.jobs,
            resources: &self.resources,
            fronts: service.map_or(&self.fronts, Service::fronts),
            schedulers: &self.schedulers,
            service,
            ledger: &self.ledger,
            data: self.data.as_deref(),
        };
        let start = self.scheduling.map(|_| Instant::now());
        let decided = self.mappers[id.index()].decide(&view);
        if let (Some(total), Some(start)) = (&mut self.scheduling, start) {
            *total += start.elapsed();
        }
        self.decisions += 1;
        match decided {
            Ok(assignments) => {
                let waiting = &self.schedulers[id.index()].waiting;
                let given_up = self.mappers[id.index()].given_up().into_iter();
                let given_up: Vec<JobId> = given_up.map(|job| waiting[job]).collect();
                self.carry_out(id, &assignments, engine);
                if !given_up.is_empty() {
                    self.give_up(id, &given_up, engine);
                }
            }
            Err(error) => {
                let scheduler = self.schedulers[id.index()].name.clone();
                self.fail(SimError::Mapper { scheduler, error }, engine);
            }
        }
    }

    /// Jobs that will never be sent no longer wait.
    fn give_up(&mut self, id: SchedulerId, jobs: &[JobId], engine: &mut Engine<Event>) {
        for &job in jobs {
            let job = self.jobs.get_mut(job);
            job.place = Place::GivenUp(id);
            let happening = Happening::GivenUp { job: job.number, scheduler: id };
            self.observer.happened(engine.now(), &happening);
        }
        self.given_up += jobs.len();
        let all = &self.jobs;
        let waits = |&job: &JobId| matches!(all.get(job).place, Place::Waiting(_));
        self.schedulers[id.index()].waiting.retain(waits);
        self.rest_if_done(engine);
    }

    pub(super) fn carry_out(
        &mut self,
        id: SchedulerId,
        assignments: &[Assignment],
        engine: &mut Engine<Event>,
    ) {
        let waiting = &mut self.schedulers[id.index()].waiting;
        let happening =
            Happening::Decided { scheduler: id, waiting: waiting.len(), sent: assignments.len() };
        self.observer.happened(engine.now(), &happening);
        let jobs = waiting.send(assignments);
        for (&job, assignment) in jobs.iter().zip(assignments) {
            match self.schedulers[id.index()].targets[assignment.host] {
                Target::Resource(resource) => self.send(job, id, resource, engine),
                Target::Scheduler(next) => self.wait_at(job, next, engine),
            }
        }
        self.schedulers[id.index()].waiting.reuse(jobs);
    }
}
