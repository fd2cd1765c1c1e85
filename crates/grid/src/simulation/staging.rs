//! Transfers of input data and results.

use super::{Event, Simulation};
use crate::SimError;
use crate::allocation::JobId;
use crate::data::{Reserved, TransferId};
use crate::failure::{Goes, OnFailure};
use crate::grid::ResourceId;
use crate::happening::Happening;
use crate::job::Place;
use crate::occupancy::Occupancy;
use gridsat_engine::Engine;
use gridsat_engine::time::Time;
use gridsat_workload::DataId;
use gridsat_workload::JobSpec;

impl Simulation<'_> {
    /// Whether the resource has enough storage for the data of the job.
    #[inline]
    pub(super) fn can_hold(&self, spec: &JobSpec, at: ResourceId) -> bool {
        match (spec.data, &self.data) {
            (Some(needs), Some(data)) => data.predict(needs, at).is_some(),
            _ => true,
        }
    }

    /// A job was sent to a resource, where it waits for its data.
    pub(super) fn stage(
        &mut self,
        id: JobId,
        needs: DataId,
        at: ResourceId,
        engine: &mut Engine<Event>,
    ) {
        let job = &mut self.jobs[id];
        job.place = Place::Staging { resource: at, is_halted: false };
        let resource = &mut self.resources[at];
        resource.expect(id, job.believed);
        resource.enter_staging();
        let has_storage = |id| self.reservation(id).storage.0 > 0;
        let reserved = self.open_reservation(id);
        let reserved = reserved.map(|id| Reserved { id, has_storage: has_storage(id) });
        if let Some(data) = &mut self.data {
            data.enter(id, needs, at, reserved, engine.now());
        }
        self.follow(engine);
        self.settle(at, engine);
    }

    /// Carries out the consequences of changes to data.
    pub(super) fn follow(&mut self, engine: &mut Engine<Event>) {
        while let Some(data) = &mut self.data {
            if let Some((id, flow, ends)) = data.transfers.take_begun() {
                self.observer.happened(engine.now(), &Happening::Moving(flow));
                // A transfer that never ends needs no event.
                if ends < Time::NEVER {
                    data.transfers.set_event(id, engine.schedule(ends, Event::Transfer(id)));
                }
            } else if let Some(fault) = data.transfers.take_fault() {
                return self.fail(SimError::Route(fault), engine);
            } else if let Some(job) = data.take_ready() {
                self.staged(job, engine);
            } else if let Some((job, ran_until)) = data.take_done() {
                let at = self.jobs[job].place.resource().expect("it has run somewhere");
                self.finish(job, at, ran_until, engine);
            } else {
                return;
            }
        }
    }

    pub(super) fn transferred(&mut self, id: TransferId, engine: &mut Engine<Event>) {
        let Some(data) = &mut self.data else { return };
        let flow = data.arrive(id, engine.now());
        self.observer.happened(engine.now(), &Happening::Moved(flow));
        engine.job_was_active();
        self.follow(engine);
    }

    /// All data of a job have arrived; it starts, or waits for memory. A halted job stays halted.
    pub(super) fn staged(&mut self, id: JobId, engine: &mut Engine<Event>) {
        if let Place::Staging { resource: at, is_halted: false } = self.jobs[id].place
            && self.gets_memory(id, at)
        {
            self.go_on(id, engine);
        }
    }

    /// A job has its data and its memory: it does its I/O operations, if it has any, and runs.
    pub(super) fn go_on(&mut self, id: JobId, engine: &mut Engine<Event>) {
        let at = self.jobs[id].place.resource().expect("it was sent there");
        if !self.begin_phase(id, at, engine) {
            self.run(id, engine);
        }
    }

    /// A job has all it needs besides PEs.
    pub(super) fn run(&mut self, id: JobId, engine: &mut Engine<Event>) {
        let at = self.jobs[id].place.resource().expect("it was sent there");
        self.resources[at].advance(engine.now());
        self.resources[at].occupancy.staged();
        self.begin_staged(id, at, engine);
    }

    fn begin_staged(&mut self, id: JobId, at: ResourceId, engine: &mut Engine<Event>) {
        if let (Some(data), Some(_)) = (&mut self.data, self.jobs[id].spec.data) {
            data.count_staging(engine.now() - self.jobs[id].sent);
        }
        self.begin_or_strand(id, at, self.whole_time(id, at));
        self.settle(at, engine);
    }

    /// Resumes a halted job that waits for its data; it starts if they have arrived.
    pub(super) fn resume_staging(&mut self, id: JobId, at: ResourceId, engine: &mut Engine<Event>) {
        let resource = self.resources.now(at, engine.now());
        let job = &mut self.jobs[id];
        job.place = Place::Staging { resource: at, is_halted: false };
        resource.resume_staging(id, job.believed);
        if self.data.as_ref().is_some_and(|data| data.is_waiting(id)) {
            return self.settle(at, engine);
        }
        if !self.resume_phase(id, engine) {
            self.staged(id, engine);
        }
        self.settle(at, engine);
    }

    /// A job has run: its files become available, and its results are transferred home.
    pub(super) fn make(&mut self, id: JobId, at: ResourceId, engine: &mut Engine<Event>) {
        let is_returning = self.data.as_mut().is_some_and(|data| data.make(id, engine.now()));
        if is_returning {
            let job = &mut self.jobs[id];
            job.place = Place::Returning(at);
            let happening = Happening::Ran { job: job.number, resource: at };
            self.observer.happened(engine.now(), &happening);
        } else {
            self.finish(id, at, engine.now(), engine);
        }
        self.follow(engine);
    }

    /// Removes the data and the memory of a job that leaves its resource before its end.
    pub(super) fn drop_data(&mut self, id: JobId, engine: &mut Engine<Event>) {
        self.drop_phase(id, engine);
        self.free_memory(id, engine);
        if self.jobs[id].spec.data.is_none() {
            return;
        }
        let Some(data) = &mut self.data else { return };
        if let Some(event) = data.release(id, engine.now()) {
            engine.cancel(event);
        }
        self.follow(engine);
    }

    /// Treats jobs that wait for data at a resource that fails like queued ones.
    pub(super) fn stop_staging(
        &mut self,
        at: ResourceId,
        rule: OnFailure,
        engine: &mut Engine<Event>,
    ) {
        let Some(data) = &self.data else { return };
        let is_lost = self.resources[at].also_lost().transit;
        if rule.goes(false) != Goes::Back && !is_lost {
            return;
        }
        // From last to first, so that none is admitted because one before it left.
        for id in data.waiting_at(at).into_iter().rev() {
            if self.jobs[id].place == (Place::Staging { resource: at, is_halted: false }) {
                self.resources[at].leave_staging(id, false);
                if is_lost {
                    self.lose(id, at, Occupancy::count_lost, engine);
                } else {
                    self.send_back(id, at, engine);
                }
            }
        }
    }

    /// Jobs whose results are on their way home from a resource that fails are lost, if those in
    /// transit are. Files that they wrote stay where they are.
    pub(super) fn lose_results(&mut self, at: ResourceId, engine: &mut Engine<Event>) {
        let Some(data) = self.data.as_mut().filter(|_| self.resources[at].also_lost().transit)
        else {
            return;
        };
        let mut lost = data.leaving(at);
        lost.retain(|&id| self.jobs[id].place == Place::Returning(at));
        lost.sort_unstable_by_key(|&id| self.jobs[id].number);
        for id in lost {
            if let Some(data) = &mut self.data {
                for event in data.abort_results(id, engine.now()) {
                    engine.cancel(event);
                }
            }
            self.follow(engine);
            self.uncount_finished(id, at);
            self.lose(id, at, Occupancy::lose_completed, engine);
        }
    }
}
