//! Decisions at other times than every `wait` ticks.

use super::{Event, Simulation};
use crate::grid::ResourceId;
use crate::resource::Resource;
use crate::scheduler::SchedulerId;
use gridsat_engine::Engine;
use gridsat_engine::time::Time;
use gridsat_model::Ticks;

impl Simulation<'_> {
    /// Plans the decision on a job that has just arrived; `regular` is when it would be otherwise.
    pub(super) fn consider_paced(
        &mut self,
        id: SchedulerId,
        regular: Time,
        engine: &mut Engine<Event>,
    ) {
        let scheduler = &mut self.schedulers.all[id];
        scheduler.pacing.iter_mut().for_each(|pacing| pacing.arrive());
        if scheduler.activation.is_none() {
            let time = self.paced(id, engine.now()).unwrap_or(regular);
            self.schedulers.decide_at(id, time, engine);
        }
        self.put_forward(id, engine);
    }

    /// Notes a decision and plans the next one, for jobs that still wait.
    pub(super) fn decided_paced(
        &mut self,
        id: SchedulerId,
        wait: Ticks,
        engine: &mut Engine<Event>,
    ) {
        let now = engine.now();
        let scheduler = &mut self.schedulers.all[id];
        scheduler.pacing.iter_mut().for_each(|pacing| pacing.decided(now));
        if !scheduler.waiting.is_empty() {
            let time = self.paced(id, now).unwrap_or(now + wait);
            self.schedulers.decide_at(id, time, engine);
        }
    }

    /// When the scheduler decides next, if its wait adapts.
    fn paced(&self, id: SchedulerId, now: Time) -> Option<Time> {
        let scheduler = &self.schedulers.all[id];
        let delay = |&at: &ResourceId| {
            let resource = &self.resources[at];
            // Fully loaded resources and those that are down never run dry.
            Some(scheduler.estimator.state(resource, now).delay()).filter(|&d| d < Ticks::MAX)
        };
        let dry = || scheduler.reach.iter().filter_map(delay).min().unwrap_or(Ticks::MAX);
        scheduler.pacing.as_ref()?.next(now, dry)
    }

    /// Lets the scheduler decide now if it does so early and a PE is idle that could run one of its
    /// waiting jobs.
    pub(super) fn put_forward(&mut self, id: SchedulerId, engine: &mut Engine<Event>) {
        let scheduler = &self.schedulers.all[id];
        let is_early = scheduler.pacing.as_ref().is_some_and(|pacing| pacing.is_early());
        if !is_early || scheduler.waiting.is_empty() || !self.is_any_dry(id) {
            return;
        }
        match scheduler.activation {
            Some(event) => drop(engine.reschedule(event, engine.now())),
            None => self.schedulers.decide_at(id, engine.now(), engine),
        }
    }

    fn is_any_dry(&self, id: SchedulerId) -> bool {
        let scheduler = &self.schedulers.all[id];
        let is_dry =
            |resource: &Resource| resource.is_up() && resource.job_count() < resource.open_pes();
        let dry = scheduler.reach.iter().filter(|&&at| is_dry(&self.resources[at]));
        let dry: Vec<ResourceId> = dry.copied().collect();
        let can_run = |job| {
            let spec = &self.jobs[job].spec;
            dry.iter()
                .any(|&at| self.resources[at].true_time(spec).is_some() && self.can_hold(spec, at))
        };
        !dry.is_empty() && scheduler.waiting.iter().any(|&job| can_run(job))
    }
}
