//! Jobs come to schedulers.

use super::super::SimError;
use super::super::job::{Job, Place};
use super::super::observer::Happening;
use super::super::scheduler::{Mode, SchedulerId};
use super::{Event, Simulation};
use gridsat_engine::Engine;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;
use gridsat_workload::JobSpec;

impl Simulation<'_> {
    /// Looks up the next job of the group.
    pub(super) fn expect_next(&mut self, group: usize, engine: &mut Engine<Event>) {
        let arrivals = &mut self.arrivals[group];
        arrivals.next = arrivals.group.source.next();
        if let Some(next) = &arrivals.next {
            engine.schedule(Time(next.arrival), Event::Arrival(group as u32));
        }
    }

    /// All jobs of the group that arrive now.
    pub(super) fn arrive(&mut self, group: usize, engine: &mut Engine<Event>) {
        while let Some(spec) = self.arrivals[group].next.take() {
            if Time(spec.arrival) > engine.now() {
                engine.schedule(Time(spec.arrival), Event::Arrival(group as u32));
                self.arrivals[group].next = Some(spec);
                return;
            }
            let schedulers = &self.arrivals[group].group.schedulers;
            let scheduler = schedulers[spec.user as usize % schedulers.len()];
            self.admit(spec, scheduler, engine);
            self.arrivals[group].next = self.arrivals[group].group.source.next();
        }
        self.flush_counts(engine);
    }

    pub(super) fn admit(
        &mut self,
        spec: JobSpec,
        scheduler: SchedulerId,
        engine: &mut Engine<Event>,
    ) {
        let number = self.counts.submitted;
        self.counts.submitted += 1;
        engine.job_was_active();
        if !self.can_run(&spec, scheduler) {
            self.fail(SimError::NowhereToRun { job: number, qos: spec.qos }, engine);
            return;
        }
        let reserved = self.reserved_resource(&spec);
        if reserved.is_none() && spec.reservation.is_some() {
            return self.fail(SimError::NoReservation { job: number }, engine);
        }
        let place = Place::Waiting(scheduler);
        let job = Job {
            number,
            spec,
            place,
            sent: Time::ZERO,
            started: None,
            believed: Ticks(0),
            scheduler,
            saved: None,
        };
        let id = self.jobs.add(job);
        if let Some(named) = self.named.get_mut(&number) {
            *named = Some(id);
        }
        self.observer.happened(engine.now(), &Happening::Arrived { job: number, scheduler });
        match reserved {
            None => self.wait_at(id, scheduler, engine),
            Some(resource) => self.send(id, scheduler, resource, engine),
        }
    }

    pub(super) fn can_run(&self, spec: &JobSpec, scheduler: SchedulerId) -> bool {
        let reach = self.schedulers[scheduler.index()].ever_reached().iter();
        reach.copied().any(|id| {
            self.resources[id.index()].true_time(spec).is_some() && self.can_hold(spec, id)
        })
    }

    /// Jobs that no more arrivals will bring to the count are decided on now.
    pub(super) fn flush_counts(&mut self, engine: &mut Engine<Event>) {
        if self.arrivals.iter().any(|arrivals| arrivals.next.is_some()) {
            return;
        }
        for number in 0..self.schedulers.len() {
            let scheduler = &self.schedulers[number];
            if matches!(scheduler.mode, Mode::Count(_)) && !scheduler.waiting.is_empty() {
                self.decide_soon(SchedulerId(number as u32), engine);
            }
        }
    }
}
