//! Arrival of jobs at schedulers.

use super::{Event, Group, Simulation};
use crate::SimError;
use crate::happening::Happening;
use crate::scheduler::SchedulerId;
use gridsat_engine::Engine;
use gridsat_engine::time::Time;
use gridsat_workload::JobSpec;

/// After how many jobs at one time an observer is asked whether to end.
const POLL: u64 = 1_000;

/// The groups, each with its next job.
pub(super) struct Arrivals(Vec<(Group, Option<JobSpec>)>);

impl Arrivals {
    pub fn new(groups: Vec<Group>) -> Self {
        Self(groups.into_iter().map(|group| (group, None)).collect())
    }

    /// Schedules the first arrival of each group.
    pub fn begin(&mut self, engine: &mut Engine<Event>) {
        for number in 0..self.0.len() {
            self.0[number].1 = self.ask(number);
            self.expect(number, engine);
        }
    }

    fn expect(&self, number: usize, engine: &mut Engine<Event>) {
        if let Some(next) = &self.0[number].1 {
            engine.expect(Time(next.arrival), Event::Arrival(number as u32));
        }
    }

    /// The next job of the group if it has arrived by now, and its scheduler. Otherwise schedules
    /// its arrival and returns `None`.
    fn take(
        &mut self,
        number: usize,
        engine: &mut Engine<Event>,
    ) -> Option<(JobSpec, SchedulerId)> {
        let (group, next) = &mut self.0[number];
        let due = next.take_if(|next| Time(next.arrival) <= engine.now());
        let Some(spec) = due else {
            self.expect(number, engine);
            return None;
        };
        let scheduler = group.schedulers[spec.user as usize % group.schedulers.len()];
        Some((spec, scheduler))
    }

    fn ask(&mut self, number: usize) -> Option<JobSpec> {
        self.0[number].0.source.next()
    }

    /// The error that ended a source, if any.
    pub fn failure(&self) -> Option<SimError> {
        let ended = self.0.iter().filter(|(_, next)| next.is_none());
        let failure = ended.filter_map(|(group, _)| group.failure.get()).next();
        failure.map(|failure| SimError::Source(failure.clone()))
    }

    fn next(&self) -> impl Iterator<Item = &JobSpec> {
        self.0.iter().filter_map(|(_, next)| next.as_ref())
    }

    /// Whether no more jobs arrive.
    pub fn is_over(&self) -> bool {
        self.next().next().is_none()
    }

    /// Whether jobs have arrived by now that are not admitted yet.
    pub fn is_any_due(&self, now: Time) -> bool {
        self.next().any(|next| Time(next.arrival) <= now)
    }
}

impl Simulation<'_> {
    /// Processes all jobs of the group that arrive now. They may be billions, so an observer can
    /// end the simulation among them.
    pub(super) fn arrive(&mut self, group: usize, engine: &mut Engine<Event>) {
        let mut admitted = 0_u64;
        while let Some((spec, scheduler)) = self.arrivals.take(group, engine) {
            // Asked for before, because moving a value that was just written takes time.
            let next = self.arrivals.ask(group);
            self.admit(spec, scheduler, engine);
            self.arrivals.0[group].1 = next;
            admitted += 1;
            if admitted.is_multiple_of(POLL) && self.observer.wants_end() {
                return self.arrivals.expect(group, engine);
            }
        }
        if self.arrivals.is_over()
            && let Some(failure) = self.arrivals.failure()
        {
            return self.fail(failure, engine);
        }
        self.flush_counts(engine);
    }

    fn admit(&mut self, spec: JobSpec, scheduler: SchedulerId, engine: &mut Engine<Event>) {
        let number = self.accounting.submit();
        engine.job_was_active();
        if !self.can_run(&spec, scheduler) {
            self.fail(SimError::NowhereToRun { job: number, qos: spec.qos }, engine);
            return;
        }
        let reserved = self.reserved_resource(&spec);
        if reserved.is_none() && spec.reservation.is_some() {
            return self.fail(SimError::NoReservation { job: number }, engine);
        }
        let id = self.jobs.add(number, spec, scheduler);
        self.observer.happened(engine.now(), &Happening::Arrived { job: number, scheduler });
        match reserved {
            None => self.wait_at(id, scheduler, engine),
            Some(resource) => self.send(id, scheduler, resource, engine),
        }
    }
}
