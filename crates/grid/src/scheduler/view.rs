//! What a scheduler sees: its waiting jobs, and its targets in their current or reported state.

use super::super::allocation::AllocationPolicy;
use super::super::data::Movement;
use super::super::economy::{Account, Ledger, Money};
use super::super::estimate::{self, Estimator};
use super::super::grid::{ResourceId, SiteId};
use super::super::information::{Service, Told};
use super::super::job::Job;
use super::super::jobs::Jobs;
use super::super::resource::{Earliest, Front, Resource};
use super::sorted::State;
use super::{JobIndex, Scheduler, SchedulerId, Target, site_model};
use gridsat_engine::time::Time;
use gridsat_engine::{Id, Table};
use gridsat_heuristics::HostState;
use gridsat_model::{HostId, Scale, Ticks};
use gridsat_workload::{Demand, JobSpec};

/// Fixed properties and state of one resource, as far as the scheduler knows them.
#[derive(Clone, Copy, Debug)]
pub struct HostView<'a> {
    /// Name of the resource.
    pub name: &'a str,
    /// The site it belongs to.
    pub site: SiteId,
    /// Number of PEs.
    pub pes: u32,
    /// Rate of its fastest PE, in MIPS.
    pub mips: f64,
    /// How PEs are divided among jobs.
    pub policy: AllocationPolicy,
    /// The QoS level it offers.
    pub qos: u32,
    /// Price per PE-second.
    pub price: Money,
    /// Whether it is up.
    pub is_up: bool,
    /// Local load in percent.
    pub load: u8,
    /// Number of jobs there, running or queued.
    pub jobs: u32,
    /// Number of jobs that wait for a PE.
    pub queued: usize,
}

/// A read-only view of everything a scheduler may know.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub(in super::super) now: Time,
    pub(in super::super) scale: Scale,
    pub(in super::super) id: SchedulerId,
    pub(in super::super) scheduler: &'a Scheduler,
    pub(in super::super) jobs: &'a Jobs,
    pub(in super::super) resources: &'a Table<ResourceId, Resource>,
    pub(in super::super) fronts: &'a Table<ResourceId, Front>,
    /// `None` if the targets are not all resources in order, or if it would not help.
    pub(in super::super) earliest: Option<&'a Earliest>,
    pub(in super::super) schedulers: &'a Table<SchedulerId, Scheduler>,
    /// The information service; `None` if schedulers see the current state.
    pub(in super::super) service: Option<&'a Service>,
    pub(in super::super) ledger: &'a Ledger,
    pub(in super::super) data: Option<&'a Movement>,
}

impl<'a> View<'a> {
    /// The current time.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Length of a tick.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// Time limit in ticks: nothing more should be assigned when no host is free within it.
    pub fn until(&self) -> Option<Ticks> {
        self.scheduler.mode.until()
    }

    /// Number of waiting jobs.
    pub fn job_count(&self) -> usize {
        self.scheduler.waiting.len()
    }

    /// The waiting jobs, in the order in which the scheduler considers them.
    pub fn jobs(&self) -> impl ExactSizeIterator<Item = JobIndex> + Clone + use<> {
        (0..self.job_count()).map(JobIndex::at)
    }

    /// A waiting job.
    #[inline]
    pub fn job(&self, job: JobIndex) -> &'a Job {
        &self.jobs[self.scheduler.waiting[job.index()]]
    }

    /// Number of targets.
    pub fn host_count(&self) -> usize {
        self.targets().len()
    }

    /// Numbers of the targets, from 0, in the order of the scheduler's list.
    pub fn hosts(&self) -> impl ExactSizeIterator<Item = HostId> + Clone + use<> {
        (0..self.host_count()).map(HostId::at)
    }

    /// The resource behind a target; `None` for another scheduler.
    pub fn host(&self, host: HostId) -> Option<HostView<'a>> {
        let Target::Resource(id) = self.targets()[host] else { return None };
        let resource = &self.resources[id];
        let spec = resource.spec();
        let seen = self.told(id, self.id).map_or_else(|| resource.seen(), |told| told.seen);
        Some(HostView {
            name: &spec.name,
            site: spec.site,
            pes: seen.pes,
            mips: spec.pes.fastest(),
            policy: spec.policy,
            qos: spec.qos,
            is_up: seen.is_up,
            load: seen.load,
            jobs: seen.jobs,
            queued: seen.queue.0,
            price: spec.price,
        })
    }

    /// Estimated time of the job on the host, alone at full speed, including the transfer times of
    /// its data if they were requested now; `None` if it cannot run there. For another scheduler
    /// the time on the fastest of its resources.
    #[inline]
    pub fn time(&self, job: JobIndex, host: HostId) -> Option<Ticks> {
        self.time_of(self.job(job), host)
    }

    /// Price of the job on the host; `None` if it cannot run there, or for another scheduler.
    pub fn cost(&self, job: JobIndex, host: HostId) -> Option<Money> {
        let Target::Resource(id) = self.targets()[host] else { return None };
        self.resources[id].cost(&self.job(job).spec)
    }

    /// The account of the job's application.
    pub fn account(&self, job: JobIndex) -> Account {
        self.ledger.account(self.job(job).spec.contract)
    }

    /// The hosts that can run the job, with its times there.
    pub fn times(&self, job: JobIndex) -> impl Iterator<Item = (HostId, Ticks)> {
        let job = self.job(job);
        self.hosts().filter_map(move |host| Some((host, self.time_of(job, host)?)))
    }

    /// The same with the states of the hosts. On line this is most of the work of a simulation, so
    /// the data of each host are looked up once.
    #[inline]
    pub fn candidates(&self, job: JobIndex) -> impl Iterator<Item = (HostId, Ticks, HostState)> {
        let JobSpec { ref demand, qos, estimate, data, .. } = self.job(job).spec;
        let quick = match demand {
            Demand::Instructions(size) if data.is_none() => {
                self.scheduler.estimator.is_by_delay().then_some(size * estimate)
            }
            _ => None,
        };
        self.targets().pairs().filter_map(move |(id, &target)| {
            if let (Some(size), Target::Resource(resource)) = (quick, target) {
                let front = &self.fronts[resource];
                if let Some(delay) = front.delay(self.now) {
                    return Some((id, front.time(qos, size)?, HostState::Queue(delay)));
                }
            }
            self.candidate(job, id)
        })
    }

    /// The host that completes the job first, without a look at every host; the first of several.
    /// The outer option is `None` if that is not possible for this job and these hosts, or slower.
    #[inline]
    pub(super) fn earliest(&self, job: JobIndex) -> Option<Option<HostId>> {
        let JobSpec { ref demand, qos, estimate, data, .. } = self.job(job).spec;
        let several = self.earliest.filter(|earliest| !earliest.has_few());
        let (Some(earliest), Demand::Instructions(size), None, true) =
            (several, demand, data, self.scheduler.estimator.is_by_delay())
        else {
            return None;
        };
        let size = size * estimate;
        let completion = |id: ResourceId| {
            let front = &self.fronts[id];
            match front.delay(self.now) {
                Some(delay) => Some(delay.saturating_add(front.time(qos, size)?)),
                None => {
                    let (_, time, state) = self.candidate(job, HostId(id.0))?;
                    Some(state.completion(time))
                }
            }
        };
        let found = earliest.first(self.now, size, completion);
        Some(found.map(|id| HostId(id.0)))
    }

    /// Blocks of hosts with bounds, if there are many hosts that are queues. The numbers of hosts
    /// are those of resources then.
    #[inline]
    pub(super) fn blocks(&self) -> Option<&'a Earliest> {
        let is_possible = self.scheduler.estimator.is_by_delay();
        self.earliest.filter(|earliest| is_possible && earliest.has_many())
    }

    /// The host that completes the job first, by a look at every host; the first of several.
    pub(super) fn first_of_all(&self, job: JobIndex) -> Option<HostId> {
        let JobSpec { ref demand, qos, estimate, data, .. } = self.job(job).spec;
        let size = match demand {
            Demand::Instructions(size) if data.is_none() => Some(size * estimate),
            _ => None,
        };
        let is_by_delay = self.scheduler.estimator.is_by_delay();
        let mut best = (Ticks::MAX, None);
        for (host, &target) in self.targets().pairs() {
            let end = match (size, target) {
                (Some(size), Target::Resource(id)) => {
                    let front = &self.fronts[id];
                    let Some(time) = front.time(qos, size) else { continue };
                    match front.delay(self.now).filter(|_| is_by_delay) {
                        Some(delay) => delay.saturating_add(time),
                        None => self.end_at(job, host, time),
                    }
                }
                _ => {
                    let Some(time) = self.time(job, host) else { continue };
                    self.end_at(job, host, time)
                }
            };
            if end < best.0 {
                best = (end, Some(host));
            }
        }
        best.1
    }

    /// When the host completes a job of this time.
    #[inline]
    fn end_at(&self, job: JobIndex, host: HostId, time: Ticks) -> Ticks {
        let estimator = self.scheduler.estimator;
        let end = self
            .seen_resource(self.targets()[host])
            .and_then(|id| estimator.completion(&self.resources[id], time));
        end.unwrap_or_else(|| self.state_for(job, host).completion(time))
    }

    /// Whether no host is free within the time limit, as far as that can be said without making
    /// the states of hosts.
    pub(super) fn is_surely_late(&self) -> bool {
        if let (Some(earliest), Some(until)) = (self.earliest, self.until())
            && self.scheduler.estimator.is_by_delay()
        {
            return earliest.are_all_free_after(self.now + until);
        }
        let delay = |&target: &Target| {
            let id = self.seen_resource(target)?;
            let estimator = self.scheduler.estimator;
            self.quick_delay(id).or_else(|| estimator.delay(&self.resources[id], self.now))
        };
        let is_late = |until| self.targets().iter().all(|at| delay(at).is_some_and(|d| d > until));
        self.until().is_some_and(is_late)
    }

    /// The resource behind a target, if its current state is known.
    #[inline]
    fn seen_resource(&self, target: Target) -> Option<ResourceId> {
        match (target, self.service) {
            (Target::Resource(id), None) => Some(id),
            _ => None,
        }
    }

    /// The delay of a resource that is just a queue.
    #[inline]
    fn quick_delay(&self, id: ResourceId) -> Option<Ticks> {
        let front = self.scheduler.estimator.is_by_delay().then_some(&self.fronts[id]);
        front.and_then(|front| front.delay(self.now))
    }

    /// A separate function, so that the loop over the other hosts stays small.
    #[inline(never)]
    fn candidate(&self, job: JobIndex, host: HostId) -> Option<(HostId, Ticks, HostState)> {
        Some((host, self.time(job, host)?, self.state_for(job, host)))
    }

    /// The state of the host for a single job, which may need several PEs at once.
    #[inline(never)]
    fn state_for(&self, job: JobIndex, host: HostId) -> HostState {
        let pes = self.job(job).spec.demand.pes();
        match self.targets()[host] {
            Target::Resource(id) if pes > 1 && self.scheduler.estimator.is_by_delay() => {
                let now = self.resources[id].speed();
                let speed = self.told(id, self.id).map_or(now, |told| told.seen.speed);
                estimate::wide(self.delays(host), pes, speed)
            }
            _ => self.state(host),
        }
    }

    /// The state of the host, from which completion times follow.
    #[inline]
    pub fn state(&self, host: HostId) -> HostState {
        let target = self.targets()[host];
        if let Target::Resource(id) = target
            && let Some(delay) = self.quick_delay(id)
        {
            return HostState::Queue(delay);
        }
        self.other_state(target)
    }

    /// The same without a box for a time-shared resource, whose state is known.
    #[inline]
    pub(super) fn state_in_place(&self, host: HostId) -> State {
        let target = self.targets()[host];
        if let Target::Resource(id) = target
            && let Some(delay) = self.quick_delay(id)
        {
            return State::Any(HostState::Queue(delay));
        }
        let shared = self
            .seen_resource(target)
            .and_then(|id| self.scheduler.estimator.shared_host(&self.resources[id], self.now));
        shared.map_or_else(|| State::Any(self.other_state(target)), State::Shared)
    }

    fn other_state(&self, target: Target) -> HostState {
        match target {
            Target::Resource(id) => self.state_of(id, self.id, self.scheduler.estimator),
            Target::Scheduler(id) => site_model::state(self, id),
        }
    }

    /// The state of a resource known to the scheduler, according to its estimator.
    pub(super) fn state_of(
        &self,
        id: ResourceId,
        scheduler: SchedulerId,
        estimator: Estimator,
    ) -> HostState {
        match self.told(id, scheduler) {
            Some(told) => estimator.state_as_told(told, self.now),
            None => estimator.state(&self.resources[id], self.now),
        }
    }

    fn told(&self, id: ResourceId, scheduler: SchedulerId) -> Option<&'a Told> {
        self.service.map(|service| service.told(scheduler, id))
    }

    /// Whether the host could perhaps start a job now. Fast; [`Self::state`] gives the exact
    /// answer.
    pub fn may_be_free(&self, host: HostId) -> bool {
        match self.targets()[host] {
            // Equation 4.5 ignores running jobs, so it may consider others as free.
            Target::Resource(id) if !self.scheduler.estimator.is_by_shares() => {
                match self.told(id, self.id) {
                    Some(told) => told.may_be_free(self.now),
                    None => self.resources[id].may_be_free(self.now),
                }
            }
            Target::Resource(_) | Target::Scheduler(_) => true,
        }
    }

    /// Ticks until each PE of the host could start another job. All PEs of a time-shared host have
    /// the same delay; another scheduler counts as one PE.
    pub fn delays(&self, host: HostId) -> Vec<Ticks> {
        match self.targets()[host] {
            Target::Resource(id) => {
                let resource = &self.resources[id];
                let pes = resource.pe_count();
                let told = self.told(id, self.id);
                if !told.map_or(resource.is_up(), |told| told.seen.is_up) {
                    return vec![Ticks::MAX; pes as usize];
                }
                match told {
                    _ if !resource.is_space_shared() => {
                        vec![self.state(host).delay(); pes as usize]
                    }
                    Some(told) => told.delays(self.now),
                    None => estimate::delays(resource, self.now),
                }
            }
            Target::Scheduler(_) => vec![self.state(host).delay()],
        }
    }

    /// How long the host has been idle, in ticks; 0 if it is not.
    pub fn idle(&self, host: HostId) -> Ticks {
        match self.targets()[host] {
            Target::Resource(id) => match self.told(id, self.id) {
                Some(told) => told.idle(self.now),
                None => self.resources[id].idle(self.now),
            },
            Target::Scheduler(_) => Ticks(0),
        }
    }

    /// The site of the host; another scheduler counts as a separate site.
    pub fn site(&self, host: HostId) -> u32 {
        match self.targets()[host] {
            Target::Resource(id) => self.resources[id].spec().site.0,
            Target::Scheduler(id) => u32::MAX - id.0,
        }
    }

    #[inline]
    fn time_of(&self, job: &Job, host: HostId) -> Option<Ticks> {
        let target = self.targets()[host];
        if let (Target::Resource(id), &Demand::Instructions(size), None) =
            (target, &job.spec.demand, job.spec.data)
        {
            return self.fronts[id].time(job.spec.qos, size * job.spec.estimate);
        }
        self.other_time(&job.spec, target)
    }

    fn other_time(&self, job: &JobSpec, target: Target) -> Option<Ticks> {
        match target {
            Target::Resource(id) => self.time_at(job, id),
            Target::Scheduler(id) => {
                let reach = self.schedulers[id].reach.iter();
                reach.filter_map(|&id| self.time_at(job, id)).min()
            }
        }
    }

    /// Estimated time of a job of this many instructions without data. On the same host it never
    /// decreases with the instructions, because rounding of products and sums is monotonic.
    #[inline]
    pub(super) fn time_of_size(&self, qos: u32, instructions: f64, host: HostId) -> Option<Ticks> {
        match self.targets()[host] {
            Target::Resource(id) => self.fronts[id].time(qos, instructions),
            Target::Scheduler(id) => self.time_at_site(qos, instructions, id),
        }
    }

    /// A separate function, so that the other one stays small.
    #[inline(never)]
    fn time_at_site(&self, qos: u32, instructions: f64, id: SchedulerId) -> Option<Ticks> {
        let reach = self.schedulers[id].reach.iter();
        reach.filter_map(|&id| self.fronts[id].time(qos, instructions)).min()
    }

    /// The ticks per instruction of a host that is a resource.
    pub(super) fn pace(&self, host: HostId) -> Option<f64> {
        match self.targets()[host] {
            Target::Resource(id) => Some(self.fronts[id].pace()),
            Target::Scheduler(_) => None,
        }
    }

    /// Number of changes to the queue other than jobs that were appended or sent.
    pub(super) fn upsets(&self) -> u64 {
        self.scheduler.waiting.upsets()
    }

    /// How often the hosts were set anew.
    pub(super) fn known(&self) -> u64 {
        self.scheduler.known
    }

    /// Index of the waiting job with this number, if jobs wait in order of their numbers.
    pub(super) fn place(&self, number: u64) -> JobIndex {
        JobIndex::at(self.scheduler.waiting.place_of(number))
    }

    fn time_at(&self, job: &JobSpec, id: ResourceId) -> Option<Ticks> {
        let resource = &self.resources[id];
        let time = resource.believed_time(job)?.saturating_add(resource.believed_io(job));
        match (job.data, self.data) {
            (Some(needs), Some(data)) => Some(time.saturating_add(data.predict(needs, id)?)),
            _ => Some(time),
        }
    }

    fn targets(&self) -> &'a Table<HostId, Target> {
        &self.scheduler.targets
    }
}
