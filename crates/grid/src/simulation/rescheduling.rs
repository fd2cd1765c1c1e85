//! Jobs that were sent are reconsidered.

use super::{Event, Simulation};
use crate::allocation::{JobId, Present, Slot};
use crate::belief::stretched;
use crate::estimate::completion_among;
use crate::failure::OnFailure;
use crate::grid::ResourceId;
use crate::happening::Happening;
use crate::job::Place;
use crate::scheduler::{Migration, Reconsider, SchedulerId};
use crate::work::Work;
use gridsat_engine::Engine;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

impl Simulation<'_> {
    /// After a change, or after a job was sent: plans when the scheduler reconsiders its jobs.
    pub(super) fn plan_round(
        &mut self,
        id: SchedulerId,
        is_event: bool,
        engine: &mut Engine<Event>,
    ) {
        let Some(rounds) = &mut self.schedulers.all[id].rounds else { return };
        let time = match rounds.spec.when {
            Reconsider::PerEvent if is_event => engine.now(),
            Reconsider::Every(period) if !is_event => engine.now() + period,
            _ => return,
        };
        rounds.event.get_or_insert_with(|| engine.schedule(time, Event::Round(id)));
    }

    /// Reconsiders the jobs of a scheduler.
    pub(super) fn reconsider(&mut self, id: SchedulerId, engine: &mut Engine<Event>) {
        let Some(rounds) = &mut self.schedulers.all[id].rounds else { return };
        rounds.event = None;
        let migration = rounds.spec.migration;
        let reach = self.schedulers.all[id].reach.clone();
        let queued = reach.iter().flat_map(|&at| self.recall(id, at, engine)).collect();
        if let Some(migration) = migration {
            reach.iter().for_each(|&at| self.migrate_from(id, at, migration, engine));
        }
        self.wait_together(id, queued, engine);
        if !self.schedulers.all[id].waiting.is_empty() {
            self.decide_now(id, engine);
        }
        let is_any = reach.iter().any(|&at| self.resources[at].job_count() > 0);
        if is_any {
            self.plan_round(id, false, engine);
        }
    }

    /// The jobs of the scheduler at a resource that may be taken away.
    fn movable(
        &mut self,
        id: SchedulerId,
        at: ResourceId,
        is_running: bool,
        now: Time,
    ) -> Vec<(JobId, Slot)> {
        let present = self.resources.now(at, now).allocation().present().into_iter();
        let of_kind = present.filter(|present| present.is_running == is_running);
        let mut found = Vec::new();
        for Present { job, slot, .. } in of_kind {
            self.unpack(job);
            let it = &self.jobs[job];
            let is_bound = it.spec.data.is_some() || it.spec.reservation.is_some();
            if it.scheduler == id && !is_bound {
                found.push((job, slot));
            }
        }
        found
    }

    /// Takes the queued jobs of the scheduler away from a resource.
    fn recall(
        &mut self,
        id: SchedulerId,
        at: ResourceId,
        engine: &mut Engine<Event>,
    ) -> Vec<JobId> {
        // Jobs that are complete by now have ended, and others have got their PEs.
        self.finish_due(at, engine);
        let queued = self.movable(id, at, false, engine.now());
        // From last to first, so that each is the last of the queue when it leaves.
        for &(job, slot) in queued.iter().rev() {
            self.withdraw(job, at, slot);
        }
        self.settle(at, engine);
        queued.into_iter().map(|(job, _)| job).collect()
    }

    /// Takes a job that has not started, or that is on disk, away from its resource.
    pub(super) fn withdraw(&mut self, job: JobId, at: ResourceId, slot: Slot) {
        let left = self.resources[at].cancel(job, slot);
        self.save_all(job, at, left);
        self.take_back(job, at);
    }

    /// A job is no longer at its resource.
    fn take_back(&mut self, job: JobId, at: ResourceId) {
        let job = &mut self.jobs[job];
        self.accounting.release(&job.spec, &self.resources[at]);
        job.started = job.started.map(|(time, _)| (time, None));
        job.place = Place::Waiting(job.scheduler);
    }

    /// Jobs wait at their scheduler again, each at its old place.
    fn wait_together(&mut self, id: SchedulerId, jobs: Vec<JobId>, engine: &mut Engine<Event>) {
        let mut all = Vec::with_capacity(jobs.len());
        for job in jobs {
            let number = self.jobs[job].number;
            let happening = Happening::Returned { job: number, scheduler: id };
            self.observer.happened(engine.now(), &happening);
            all.push((number, job));
        }
        self.schedulers.all[id].waiting.merge(all);
    }

    /// Moves the running jobs of the scheduler away from a resource with much load, where that
    /// completes them earlier.
    fn migrate_from(
        &mut self,
        id: SchedulerId,
        at: ResourceId,
        migration: Migration,
        engine: &mut Engine<Event>,
    ) {
        let resource = &self.resources[at];
        if !resource.is_up() || resource.load() < migration.load {
            return;
        }
        for (job, slot) in self.movable(id, at, true, engine.now()) {
            let left = self.resources[at].allocation().fork().cancel(slot);
            if let Some(to) = self.better_place(id, job, at, left, migration.cost, engine.now()) {
                self.migrate(job, (at, slot), to, migration.cost, engine);
            }
        }
    }

    /// The resource that would complete the job first, if that is earlier than here.
    fn better_place(
        &self,
        id: SchedulerId,
        job: JobId,
        at: ResourceId,
        left: Work,
        cost: Work,
        now: Time,
    ) -> Option<ResourceId> {
        let scheduler = &self.schedulers.all[id];
        let spec = &self.jobs[job].spec;
        let share = left.0 as f64 / Work::of(self.stint(job, at).ticks()).0.max(1) as f64;
        let there = |&to: &ResourceId| {
            let whole = self.resources[to].believed_time(spec).filter(|_| to != at)?;
            let time = Ticks::truncated(whole.as_f64() * share).saturating_add(cost.whole_ticks());
            let state = scheduler.estimator.state(&self.resources[to], now);
            Some((state.completion(time), to))
        };
        let (end, to) = scheduler.reach.iter().filter_map(there).min()?;
        (end < self.rest_here(job, at, share)).then_some(to)
    }

    /// Estimated time until a running job is done if it stays, with this share of its work left.
    fn rest_here(&self, job: JobId, at: ResourceId, share: f64) -> Ticks {
        let resource = &self.resources[at];
        let whole = resource.believed_time(&self.jobs[job].spec).unwrap_or(Ticks::MAX);
        let time = Ticks::truncated(whole.as_f64() * share);
        if resource.is_space_shared() {
            return stretched(time, resource.speed());
        }
        // The job itself is among those that share the PEs.
        let others = resource.job_count().saturating_sub(1);
        completion_among(others, resource.pe_count(), resource.speed(), time).unwrap_or(Ticks::MAX)
    }

    fn migrate(
        &mut self,
        job: JobId,
        (from, slot): (ResourceId, Slot),
        to: ResourceId,
        cost: Work,
        engine: &mut Engine<Event>,
    ) {
        let left = self.resources[from].cancel(job, slot);
        let taken = self.end_stint(job, from, left);
        let happening = Happening::Interrupted { job: self.jobs[job].number, resource: from };
        self.observer.happened(engine.now(), &happening);
        self.keep(job, from, taken, OnFailure::Migrate { cost });
        self.take_back(job, from);
        self.settle(from, engine);
        self.send(job, self.jobs[job].scheduler, to, engine);
    }
}
