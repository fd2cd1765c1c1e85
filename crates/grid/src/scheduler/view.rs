//! What a scheduler sees: its waiting jobs, and its targets as they are now or as it was told they
//! are.

use super::super::allocation::AllocationPolicy;
use super::super::data::Movement;
use super::super::economy::{Account, Ledger, Money};
use super::super::estimate::Estimator;
use super::super::grid::{ResourceId, SiteId};
use super::super::information::{Service, Told};
use super::super::job::{Job, Jobs};
use super::super::resource::{Front, Resource};
use super::{JobIndex, Scheduler, SchedulerId, Target, site_model};
use gridsat_engine::time::Time;
use gridsat_engine::{Id, Table};
use gridsat_heuristics::HostState;
use gridsat_model::{HostId, Scale, Ticks};
use gridsat_workload::{Demand, JobSpec};

/// Static properties and state of one resource, as far as the scheduler knows it.
#[derive(Clone, Copy, Debug)]
pub struct HostView<'a> {
    /// Its name.
    pub name: &'a str,
    /// Where it is.
    pub site: SiteId,
    /// How many PEs it has.
    pub pes: u32,
    /// MIPS of its fastest PE.
    pub mips: f64,
    /// How PEs are divided.
    pub policy: AllocationPolicy,
    /// The QoS level it offers.
    pub qos: u32,
    /// What a PE-second costs.
    pub price: Money,
    /// Whether it is there.
    pub is_up: bool,
    /// Local load in percent.
    pub load: u8,
    /// Jobs there, running or queued.
    pub jobs: u32,
    /// Jobs that wait for a PE.
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
    pub(in super::super) schedulers: &'a Table<SchedulerId, Scheduler>,
    /// Who tells of resources, if it is not the present that counts.
    pub(in super::super) service: Option<&'a Service>,
    pub(in super::super) ledger: &'a Ledger,
    pub(in super::super) data: Option<&'a Movement>,
}

impl<'a> View<'a> {
    /// The present.
    pub fn now(&self) -> Time {
        self.now
    }

    /// What a tick is.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// Nothing more should be assigned when no host is free within this many ticks.
    pub fn until(&self) -> Option<Ticks> {
        self.scheduler.mode.until()
    }

    /// Number of waiting jobs.
    pub fn job_count(&self) -> usize {
        self.scheduler.waiting.len()
    }

    /// The waiting jobs, in the order in which the scheduler looks at them.
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

    /// The targets.
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

    /// Believed time of the job on the host, alone at full speed, with what its data takes if they
    /// were asked for now; `None` if it cannot run there. For another scheduler the time on the
    /// fastest of its resources.
    #[inline]
    pub fn time(&self, job: JobIndex, host: HostId) -> Option<Ticks> {
        self.time_of(self.job(job), host)
    }

    /// What the host quotes for the job; `None` if it cannot run there, or for another scheduler.
    pub fn cost(&self, job: JobIndex, host: HostId) -> Option<Money> {
        let Target::Resource(id) = self.targets()[host] else { return None };
        self.resources[id].cost(&self.job(job).spec)
    }

    /// The money of the job's application.
    pub fn account(&self, job: JobIndex) -> Account {
        self.ledger.account(self.job(job).spec.contract)
    }

    /// The hosts that can run the job, with its times there.
    pub fn times(&self, job: JobIndex) -> impl Iterator<Item = (HostId, Ticks)> {
        let job = self.job(job);
        self.hosts().filter_map(move |host| Some((host, self.time_of(job, host)?)))
    }

    /// The same with the hosts' states. On line this is most of the work there is, so what is
    /// needed of each host is looked up once.
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

    /// Kept out of the way, so that the loop over the others is one.
    #[inline(never)]
    fn candidate(&self, job: JobIndex, host: HostId) -> Option<(HostId, Ticks, HostState)> {
        Some((host, self.time(job, host)?, self.state(host)))
    }

    /// How completion times on the host follow from times, given what is there now.
    #[inline]
    pub fn state(&self, host: HostId) -> HostState {
        let target = self.targets()[host];
        if let (Target::Resource(id), true) = (target, self.scheduler.estimator.is_by_delay())
            && let Some(delay) = self.fronts[id].delay(self.now)
        {
            return HostState::Queue(delay);
        }
        self.other_state(target)
    }

    fn other_state(&self, target: Target) -> HostState {
        match target {
            Target::Resource(id) => self.state_of(id, self.id, self.scheduler.estimator),
            Target::Scheduler(id) => site_model::state(self, id),
        }
    }

    /// A resource as a scheduler knows it, by its estimator.
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

    /// Whether the host could perhaps start a job now. Quick; [`Self::state`] knows for sure.
    pub fn may_be_free(&self, host: HostId) -> bool {
        match self.targets()[host] {
            // Equation 4.5 knows nothing of running jobs, so others may be free to it.
            Target::Resource(id) if self.scheduler.estimator != Estimator::Shares => {
                match self.told(id, self.id) {
                    Some(told) => told.may_be_free(self.now),
                    None => self.resources[id].may_be_free(self.now),
                }
            }
            Target::Resource(_) | Target::Scheduler(_) => true,
        }
    }

    /// Ticks until each PE of the host could start another job. A time-shared host, and another
    /// scheduler, are one delay for all.
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
                    None => resource.belief().delays(self.now, pes, resource.speed()),
                }
            }
            Target::Scheduler(_) => vec![self.state(host).delay()],
        }
    }

    /// How long the host has been idle, if it is.
    pub fn idle(&self, host: HostId) -> Ticks {
        match self.targets()[host] {
            Target::Resource(id) => match self.told(id, self.id) {
                Some(told) => told.idle(self.now),
                None => self.resources[id].idle(self.now),
            },
            Target::Scheduler(_) => Ticks(0),
        }
    }

    /// The site of the host; for another scheduler a site of its own.
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

    /// Believed time of a job of this many instructions and no data. On the same host it never gets
    /// shorter with the instructions, as products and sums round to the nearest in order.
    #[inline]
    pub(super) fn time_of_size(&self, qos: u32, instructions: f64, host: HostId) -> Option<Ticks> {
        let time = |id: ResourceId| self.fronts[id].time(qos, instructions);
        match self.targets()[host] {
            Target::Resource(id) => time(id),
            Target::Scheduler(id) => {
                let reach = self.schedulers[id].reach.iter();
                reach.filter_map(|&id| time(id)).min()
            }
        }
    }

    /// How often something happened to the queue other than that jobs came last or were sent.
    pub(super) fn upsets(&self) -> u64 {
        self.scheduler.waiting.upsets()
    }

    /// Where the waiting job of this number is, if jobs wait in order of their numbers.
    pub(super) fn place(&self, number: u64) -> JobIndex {
        JobIndex::at(self.scheduler.waiting.partition_point(|&job| self.jobs[job].number < number))
    }

    fn time_at(&self, job: &JobSpec, id: ResourceId) -> Option<Ticks> {
        let time = self.resources[id].believed_time(job)?;
        match (job.data, self.data) {
            (Some(needs), Some(data)) => Some(time.saturating_add(data.predict(needs, id)?)),
            _ => Some(time),
        }
    }

    fn targets(&self) -> &'a Table<HostId, Target> {
        &self.scheduler.targets
    }
}
