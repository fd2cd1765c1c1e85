//! Memory of jobs at machines.

use super::{Event, Simulation};
use crate::allocation::JobId;
use crate::failure::{Goes, OnFailure};
use crate::grid::ResourceId;
use crate::job::Place;
use gridsat_engine::Engine;
use gridsat_workload::Demand;

impl Simulation<'_> {
    /// A job without data was sent to a resource, where it needs more than PEs.
    pub(super) fn prepare(&mut self, id: JobId, at: ResourceId, engine: &mut Engine<Event>) {
        let job = &mut self.jobs[id];
        job.place = Place::Staging { resource: at, is_halted: false };
        let resource = &mut self.resources[at];
        resource.expect(id, job.believed);
        resource.enter_staging();
        self.staged(id, engine);
        self.settle(at, engine);
    }

    /// Whether a job gets its memory now; otherwise it gets it later.
    pub(super) fn gets_memory(&mut self, id: JobId, at: ResourceId) -> bool {
        let of = self.reservation_with(id, |spec| spec.memory.0 > 0);
        let (Some(memory), Demand::Composite(needs)) =
            (&mut self.memory, &self.jobs[id].spec.demand)
        else {
            return true;
        };
        needs.memory == 0 || memory.ask(id, self.resources[at].spec().machine, needs.memory, of)
    }

    /// Takes the memory of a job that has run or leaves its resource, or its request for memory.
    /// Others get it.
    pub(super) fn free_memory(&mut self, id: JobId, engine: &mut Engine<Event>) {
        let Some(memory) = &mut self.memory else { return };
        let Some(at) = self.jobs[id].place.resource() else { return };
        let machine = self.resources[at].spec().machine;
        memory.release(id, machine);
        self.admit_waiting(machine, engine);
    }

    /// Lets jobs go on that get memory now.
    pub(super) fn admit_waiting(&mut self, machine: u32, engine: &mut Engine<Event>) {
        while let Some(job) = self.memory.as_mut().and_then(|memory| memory.admit(machine)) {
            self.go_on(job, engine);
        }
    }

    /// Closes the memory of a machine that is failing, so that none waiting there gets what others
    /// leave; opens it afterwards.
    pub(super) fn close_memory(
        &mut self,
        at: ResourceId,
        is_closed: bool,
        engine: &mut Engine<Event>,
    ) {
        let Some(memory) = &mut self.memory else { return };
        let machine = self.resources[at].spec().machine;
        memory.close(is_closed.then_some(machine));
        if !is_closed {
            self.admit_waiting(machine, engine);
        }
    }

    /// Returns jobs that wait for memory at a resource that fails, if queued ones return.
    pub(super) fn stop_waiting_for_memory(
        &mut self,
        at: ResourceId,
        rule: OnFailure,
        engine: &mut Engine<Event>,
    ) {
        let Some(memory) = &self.memory else { return };
        if rule.goes(false) != Goes::Back {
            return;
        }
        for id in memory.waiting_at(self.resources[at].spec().machine) {
            if self.jobs[id].place == (Place::Staging { resource: at, is_halted: false }) {
                self.resources[at].leave_staging(id, false);
                self.send_back(id, at, engine);
            }
        }
    }
}
