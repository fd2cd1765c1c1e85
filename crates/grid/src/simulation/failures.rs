//! Failures of resources, and their effect on jobs.

use super::{Event, Simulation};
use crate::allocation::{JobId, Stopped};
use crate::failure::{AvailabilityProcess, Change, Goes, Keeps, OnFailure, Taken};
use crate::grid::{Grid, ResourceId, ResourceSpec};
use crate::happening::Happening;
use crate::job::{Outcome, Place};
use crate::occupancy::Occupancy;
use crate::work::Work;
use gridsat_engine::{Engine, EventId, Table};
use gridsat_model::Scale;
use gridsat_statistics::random;

/// The future changes of each resource that can fail, and the event of the next one.
pub(super) struct FailureEvents(Table<ResourceId, Option<(AvailabilityProcess, Option<EventId>)>>);

impl FailureEvents {
    pub fn new(grid: &Grid, seed: u64, scale: Scale) -> Self {
        let start = |spec: &ResourceSpec| {
            let random = random::stream(seed, "failures", u64::from(spec.machine));
            Some((spec.failures.as_ref()?.availability.start(random, scale), None))
        };
        Self(grid.resources.iter().map(start).collect())
    }

    /// Schedules the next change of a resource.
    pub fn expect_change(&mut self, id: ResourceId, engine: &mut Engine<Event>) {
        let Some((changes, event)) = &mut self.0[id] else { return };
        let next = changes.next();
        *event = next.map(|(time, change)| engine.schedule(time, Event::Availability(id, change)));
    }

    pub fn events(&mut self) -> impl Iterator<Item = &mut Option<EventId>> {
        self.0.iter_mut().flatten().map(|(_, event)| event)
    }
}

impl Simulation<'_> {
    pub(super) fn change(&mut self, id: ResourceId, change: Change, engine: &mut Engine<Event>) {
        self.failures.expect_change(id, engine);
        match (change, self.resources[id].is_up()) {
            (Change::Down, true) => self.take_down(id, engine),
            (Change::Up, false) => self.bring_up(id, engine),
            (Change::Capacity(percent), _) => self.set_capacity(id, percent, engine),
            (Change::Down, false) | (Change::Up, true) => return,
        }
        self.look_again(engine);
    }

    fn set_capacity(&mut self, id: ResourceId, percent: u8, engine: &mut Engine<Event>) {
        let resource = self.resources.now(id, engine.now());
        if resource.set_capacity(percent) {
            let happening = Happening::Capacity { resource: id, percent };
            self.observer.happened(engine.now(), &happening);
            self.settle(id, engine);
        }
    }

    fn take_down(&mut self, id: ResourceId, engine: &mut Engine<Event>) {
        self.finish_due(id, engine);
        let resource = &mut self.resources[id];
        let rule = resource.on_failure().expect("only what can fail fails");
        let stopped = resource.go_down();
        self.observer.happened(engine.now(), &Happening::Down { resource: id });
        self.settle(id, engine);
        self.close_memory(id, true, engine);
        for stopped in stopped {
            match self.phases.has(stopped.job) {
                true => self.stop_phase(stopped, rule, engine),
                false => self.stop(stopped, id, rule, engine),
            }
        }
        self.stop_waiting_for_memory(id, rule, engine);
        self.stop_staging(id, rule, engine);
        self.close_memory(id, false, engine);
        self.lose_results(id, engine);
        self.settle(id, engine);
    }

    fn bring_up(&mut self, id: ResourceId, engine: &mut Engine<Event>) {
        let resource = self.resources.now(id, engine.now());
        let stranded = resource.go_up();
        self.observer.happened(engine.now(), &Happening::Up { resource: id });
        for job in stranded {
            match self.jobs[job].place {
                Place::Stranded { is_halted: true, .. } => self.resources[id].strand(job),
                _ => self.begin_or_strand(job, id, self.whole_time(job, id)),
            }
        }
        self.restart_phases(id, engine);
        self.settle(id, engine);
    }

    /// Treats one job of a resource that failed.
    fn stop(
        &mut self,
        Stopped { job: id, left, is_running }: Stopped,
        at: ResourceId,
        rule: OnFailure,
        engine: &mut Engine<Event>,
    ) {
        self.unpack(id);
        let is_lost = !is_running && self.resources[at].also_lost().queued;
        let goes = if is_lost { Goes::Nowhere } else { rule.goes(is_running) };
        let job = self.jobs[id].number;
        match (is_running, goes) {
            (false, _) => self.save_all(id, at, left),
            (true, Goes::Nowhere) => {
                let taken = self.end_stint(id, at, left);
                self.accounting.work.lost += taken.safe + taken.at_risk;
            }
            (true, Goes::Stays | Goes::Back) => {
                let taken = self.end_stint(id, at, left);
                let happening = Happening::Interrupted { job, resource: at };
                self.observer.happened(engine.now(), &happening);
                self.keep(id, at, taken, rule);
            }
        }
        match goes {
            Goes::Nowhere => self.lose(id, at, Occupancy::lose, engine),
            Goes::Stays => {
                let job = &mut self.jobs[id];
                let believed = self.resources[at].believed_time(&job.spec);
                job.believed = believed.unwrap_or(job.believed);
                self.begin_or_strand(id, at, self.whole_time(id, at));
            }
            Goes::Back => {
                self.resources[at].occupancy.cancel(false);
                self.send_back(id, at, engine);
            }
        }
    }

    /// A job that has left its resource is lost, with the work it kept; `count` counts it there.
    pub(super) fn lose(
        &mut self,
        id: JobId,
        at: ResourceId,
        count: fn(&mut Occupancy),
        engine: &mut Engine<Event>,
    ) {
        self.accounting.work.lost += self.jobs[id].kept();
        self.drop_data(id, engine);
        count(&mut self.resources[at].occupancy);
        let happening = Happening::Lost { job: self.jobs[id].number, resource: at };
        self.observer.happened(engine.now(), &happening);
        engine.job_was_active();
        self.leave(id, Outcome::Lost, engine);
    }

    /// Returns a job that has left its resource to its scheduler.
    pub(super) fn send_back(&mut self, id: JobId, from: ResourceId, engine: &mut Engine<Event>) {
        self.drop_data(id, engine);
        let job = &mut self.jobs[id];
        self.accounting.release(&job.spec, &self.resources[from]);
        // Its next PE counts, not the one it had here.
        job.started = job.started.map(|(time, _)| (time, None));
        job.spec.reservation = None;
        let scheduler = job.scheduler;
        let happening = Happening::Returned { job: job.number, scheduler };
        self.observer.happened(engine.now(), &happening);
        self.wait_again(id, scheduler, engine);
    }

    /// Stores the work that an interrupted job keeps.
    pub(super) fn keep(&mut self, id: JobId, at: ResourceId, taken: Taken, rule: OnFailure) {
        let time = self.whole_time(id, at);
        let job = &mut self.jobs[id];
        if rule.keeps() == Keeps::Nothing {
            self.accounting.work.lost += job.kept() + taken.safe + taken.at_risk;
            let saved = job.saved.take();
            saved.iter().for_each(|saved| job.spec.estimate = saved.estimate);
            return;
        }
        // A migration that was not followed by any work has to be paid again.
        let is_idle = taken.safe + taken.at_risk == Work::NONE;
        let unpaid = job.saved.as_ref().map_or(Work::NONE, |saved| saved.setup);
        let setup = rule.cost().max(if is_idle { unpaid } else { Work::NONE });
        let (kept, lost) = match rule.keeps() {
            Keeps::Everything => (taken.safe + taken.at_risk, Work::NONE),
            Keeps::LastCheckpoint | Keeps::Nothing => (taken.safe, taken.at_risk),
        };
        self.accounting.work.lost += lost;
        job.save(time, kept, setup);
    }
}
