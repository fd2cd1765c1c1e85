//! Commands to jobs from outside.

use super::{Command, Event, Simulation};
use crate::allocation::JobId;
use crate::happening::Happening;
use crate::job::{Job, Outcome, Place};
use gridsat_engine::Engine;

impl Simulation<'_> {
    pub(super) fn obey(&mut self, command: Command, engine: &mut Engine<Event>) {
        let Some(number) = command.job() else { return engine.end() };
        let Some(id) = self.jobs.find(number) else { return };
        self.unpack(id);
        match (command, self.jobs[id].place) {
            (Command::Cancel(_), place) => self.cancel(id, place, engine),
            (Command::Halt(_), place) => self.halt(id, place, engine),
            (Command::Resume(_), place) => self.resume(id, place, engine),
            (Command::End, _) => {}
        }
    }

    fn halt(&mut self, id: JobId, place: Place, engine: &mut Engine<Event>) {
        let is_halted = match place {
            Place::Held(_)
            | Place::GivenUp(_)
            | Place::Returning(_)
            | Place::Staging { is_halted: true, .. }
            | Place::Stranded { is_halted: true, .. } => false,
            Place::Staging { resource, .. } => {
                let at = self.resources.now(resource, engine.now());
                at.halt_staging(id);
                if !self.halt_phase(id, engine) {
                    self.free_memory(id, engine);
                }
                self.jobs[id].place = Place::Staging { resource, is_halted: true };
                true
            }
            Place::Waiting(scheduler) => {
                self.schedulers.all[scheduler].waiting.retain(|&job| job != id);
                self.jobs[id].place = Place::Held(scheduler);
                true
            }
            Place::Passing(scheduler) => {
                self.stop_on_the_way(self.jobs[id].number, engine);
                self.jobs[id].place = Place::Held(scheduler);
                true
            }
            Place::At(resource, slot) => {
                let at = self.resources.now(resource, engine.now());
                at.halt(id, slot)
            }
            Place::Stranded { resource, .. } => {
                let at = self.resources.now(resource, engine.now());
                at.occupancy.halt();
                self.jobs[id].place = Place::Stranded { resource, is_halted: true };
                true
            }
        };
        if is_halted {
            let job = self.jobs[id].number;
            self.observer.happened(engine.now(), &Happening::Halted { job });
            if let Place::At(resource, _) | Place::Staging { resource, .. } = place {
                self.settle(resource, engine);
            }
            self.wake(engine);
        }
    }

    fn resume(&mut self, id: JobId, place: Place, engine: &mut Engine<Event>) {
        let &Job { number, believed, .. } = &self.jobs[id];
        let resumed = Happening::Resumed { job: number };
        match place {
            Place::Waiting(_)
            | Place::Passing(_)
            | Place::GivenUp(_)
            | Place::Returning(_)
            | Place::Staging { is_halted: false, .. }
            | Place::Stranded { is_halted: false, .. } => {}
            Place::Staging { resource, .. } => {
                self.observer.happened(engine.now(), &resumed);
                self.resume_staging(id, resource, engine);
            }
            Place::Held(scheduler) => {
                self.observer.happened(engine.now(), &resumed);
                self.wait_at(id, scheduler, engine);
            }
            Place::Stranded { resource, .. } => {
                self.observer.happened(engine.now(), &resumed);
                self.resume_stranded(id, resource, None, engine);
            }
            // Only halted jobs keep a slot while the resource is down, so this one is halted.
            Place::At(resource, slot) if !self.resources[resource].is_up() => {
                self.observer.happened(engine.now(), &resumed);
                self.resume_stranded(id, resource, Some(slot), engine);
            }
            Place::At(resource, slot) => {
                let at = self.resources.now(resource, engine.now());
                if at.resume(id, slot, believed) {
                    self.observer.happened(engine.now(), &resumed);
                }
                self.settle(resource, engine);
            }
        }
    }

    /// Cancels a job; one that has run to its end can no longer be cancelled.
    fn cancel(&mut self, id: JobId, place: Place, engine: &mut Engine<Event>) {
        if matches!(place, Place::Returning(_)) {
            return;
        }
        if let Place::Waiting(scheduler) = place {
            self.schedulers.all[scheduler].waiting.retain(|&job| job != id);
        }
        if let Place::Passing(_) = place {
            self.stop_on_the_way(self.jobs[id].number, engine);
        }
        if let Place::GivenUp(_) = place {
            self.schedulers.given_up -= 1;
        }
        if let Place::At(resource, slot) = place {
            let at = self.resources.now(resource, engine.now());
            let left = at.cancel(id, slot);
            let taken = self.end_stint(id, resource, left);
            self.accounting.work.lost += taken.safe + taken.at_risk;
        }
        if let Place::Stranded { resource, is_halted } = place {
            let at = self.resources.now(resource, engine.now());
            at.unstrand(id);
            at.occupancy.cancel(is_halted);
        }
        if let Place::Staging { resource, is_halted } = place {
            let at = self.resources.now(resource, engine.now());
            at.leave_staging(id, is_halted);
        }
        self.drop_data(id, engine);
        self.accounting.work.lost += self.jobs[id].kept();
        let job = self.jobs[id].number;
        self.observer.happened(engine.now(), &Happening::Cancelled { job });
        engine.job_was_active();
        self.leave(id, Outcome::Cancelled, engine);
        if let Some(resource) = place.resource() {
            self.settle(resource, engine);
            self.wake(engine);
        }
    }
}
