//! Jobs that schedulers pass to each other.

use std::collections::HashMap;

use super::{Event, Simulation};
use crate::allocation::{JobId, Slot};
use crate::grid::ResourceId;
use crate::happening::Happening;
use crate::job::Place;
use crate::scheduler::{Burden, Passing, SchedulerId};
use gridsat_engine::{Engine, EventId};
use gridsat_workload::{Demand, JobSpec};

/// Jobs on their way between schedulers, by number.
pub(super) type OnTheWay = HashMap<u64, (JobId, EventId)>;

/// Where a job is that a scheduler can take from a peer.
#[derive(Clone, Copy)]
enum Found {
    Waiting(JobId),
    Queued(JobId, ResourceId, Slot),
}

impl Simulation<'_> {
    fn burden(&self, id: SchedulerId) -> Burden {
        let scheduler = &self.schedulers.all[id];
        let up = scheduler.reach.iter().map(|&at| &self.resources[at]);
        let up = up.filter(|resource| resource.is_up());
        let at_resources: u64 = up.clone().map(|resource| u64::from(resource.job_count())).sum();
        let waiting = scheduler.waiting.len() as u64 + u64::from(scheduler.coming);
        Burden {
            jobs: waiting + at_resources,
            pes: up.map(|resource| u64::from(resource.pe_count())).sum(),
        }
    }

    /// Whether a job can run on a resource of this scheduler.
    fn can_run_at(&self, spec: &JobSpec, id: SchedulerId) -> bool {
        let mut reach = self.schedulers.all[id].ever_reached().iter();
        reach.any(|&at| self.resources[at].true_time(spec).is_some() && self.can_hold(spec, at))
    }

    /// Whether a job can run here, or at a scheduler to which it would be passed.
    #[inline]
    pub(super) fn can_run(&self, spec: &JobSpec, id: SchedulerId) -> bool {
        let is_plain = matches!(spec.demand, Demand::Instructions(_)) && spec.data.is_none();
        if is_plain && spec.qos < self.schedulers.all[id].levels {
            return true;
        }
        let passing = self.schedulers.all[id].passing.as_ref().filter(|passing| passing.sends);
        let mut peers = passing.iter().flat_map(|passing| &passing.peers);
        self.can_run_at(spec, id) || peers.any(|&peer| self.can_run_at(spec, peer))
    }

    /// The peer to which a job is passed that has just arrived, if it is.
    pub(super) fn peer_for(&self, job: JobId, id: SchedulerId) -> Option<SchedulerId> {
        let passing = self.schedulers.all[id].passing.as_ref().filter(|passing| passing.sends)?;
        let spec = &self.jobs[job].spec;
        let own = match self.can_run_at(spec, id) {
            true => self.burden(id).and_one().load(),
            false => f64::INFINITY,
        };
        if own <= passing.above {
            return None;
        }
        let peers = passing.peers.iter().filter(|&&peer| self.can_run_at(spec, peer));
        let loads = peers.map(|&peer| (self.burden(peer).and_one().load(), peer));
        let least = loads.min_by(|a, b| a.0.total_cmp(&b.0))?;
        (least.0 < own).then_some(least.1)
    }

    /// A scheduler takes jobs from its peers if it has few itself.
    pub(super) fn take_from_peers(&mut self, id: SchedulerId, engine: &mut Engine<Event>) {
        while let Some((from, found)) = self.find_job(id) {
            let job = match found {
                Found::Waiting(job) => {
                    self.schedulers.all[from].waiting.retain(|&other| other != job);
                    job
                }
                Found::Queued(job, at, slot) => {
                    self.resources.now(at, engine.now());
                    self.withdraw(job, at, slot);
                    self.settle(at, engine);
                    job
                }
            };
            self.pass(job, from, id, engine);
        }
    }

    /// The next job that a scheduler takes, and the peer that has it.
    fn find_job(&mut self, id: SchedulerId) -> Option<(SchedulerId, Found)> {
        let passing =
            self.schedulers.all[id].passing.as_ref().filter(|passing| passing.receives)?;
        let (own, above) = (self.burden(id), passing.above);
        if own.load() >= passing.below || own.pes == 0 {
            return None;
        }
        let loads = passing.peers.iter().map(|&peer| (self.burden(peer).load(), peer));
        let mut loads: Vec<(f64, SchedulerId)> =
            loads.filter(|&(load, _)| load > above && load > own.and_one().load()).collect();
        // Stable: of equal loads the peer that is named first comes first.
        loads.sort_by(|a, b| b.0.total_cmp(&a.0));
        loads.into_iter().find_map(|(_, peer)| Some((peer, self.job_of(peer, id)?)))
    }

    /// The last job of a peer that has not started and can run here: one that waits, or one that is
    /// queued at a resource.
    fn job_of(&mut self, peer: SchedulerId, id: SchedulerId) -> Option<Found> {
        let waiting: Vec<JobId> = self.schedulers.all[peer].waiting.iter().copied().collect();
        let suits = |job: &JobId| self.can_run_at(&self.jobs[*job].spec, id);
        if let Some(job) = waiting.into_iter().rev().find(suits) {
            return Some(Found::Waiting(job));
        }
        let reach = self.schedulers.all[peer].reach.clone();
        for at in reach.into_iter().rev() {
            let present = self.resources[at].allocation().present();
            for present in present.into_iter().rev().filter(|present| !present.is_running) {
                let (job, slot) = (present.job, present.slot);
                self.unpack(job);
                let it = &self.jobs[job];
                let is_free =
                    it.started.is_none() && it.spec.data.is_none() && it.spec.reservation.is_none();
                if it.scheduler == peer && is_free && self.can_run_at(&it.spec, id) {
                    return Some(Found::Queued(job, at, slot));
                }
            }
        }
        None
    }

    /// Passes a job from one scheduler to another.
    pub(super) fn pass(
        &mut self,
        job: JobId,
        from: SchedulerId,
        to: SchedulerId,
        engine: &mut Engine<Event>,
    ) {
        let passing = [from, to].map(|id| self.schedulers.all[id].passing.as_deref());
        let time = passing.into_iter().flatten().map(|passing: &Passing| passing.time).max();
        let number = self.jobs[job].number;
        self.observer.happened(engine.now(), &Happening::Passed { job: number, from, to });
        engine.job_was_active();
        match time {
            Some(time) if time.0 > 0 => {
                self.jobs[job].place = Place::Passing(to);
                self.schedulers.all[to].coming += 1;
                let event = engine.schedule(engine.now() + time, Event::Passed(number));
                self.schedulers.on_the_way.insert(number, (job, event));
            }
            _ => self.stay_at(job, to, engine),
        }
    }

    /// A job that was passed arrives.
    pub(super) fn passed(&mut self, number: u64, engine: &mut Engine<Event>) {
        if let Some((job, to)) = self.stop_on_the_way(number, engine) {
            engine.job_was_active();
            self.stay_at(job, to, engine);
        }
    }

    /// A job is no longer on its way; returns where it was going.
    pub(super) fn stop_on_the_way(
        &mut self,
        number: u64,
        engine: &mut Engine<Event>,
    ) -> Option<(JobId, SchedulerId)> {
        let (job, event) = self.schedulers.on_the_way.remove(&number)?;
        engine.cancel(event);
        let Place::Passing(to) = self.jobs[job].place else { return None };
        self.schedulers.all[to].coming -= 1;
        Some((job, to))
    }
}
