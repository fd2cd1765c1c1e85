//! Decisions of schedulers.

use super::passing::OnTheWay;
use super::resources::Resources;
use super::thinking::Thinking;
use super::{Event, Simulation};
use crate::SimError;
use crate::allocation::JobId;
use crate::happening::Happening;
use crate::job::Place;
use crate::scheduler::{
    Assignment, Mapper, Mode, Proofs, Scheduler, SchedulerId, SchedulerSpec, Target, View,
};
use gridsat_engine::time::Time;
use gridsat_engine::{Engine, Table};
use gridsat_model::{HostId, Ticks};

/// The schedulers, each with its mapper.
pub(super) struct Schedulers {
    pub all: Table<SchedulerId, Scheduler>,
    mappers: Table<SchedulerId, Box<dyn Mapper>>,
    /// Number of jobs that were given up.
    pub given_up: usize,
    pub decisions: u64,
    /// Jobs on their way from one scheduler to another.
    pub on_the_way: OnTheWay,
    /// Whether any scheduler does more than deciding in its mode, reconsiders its jobs, or passes
    /// jobs on. Most do not, and then nothing of it costs time.
    pub are_reacting: bool,
    pub are_rescheduling: bool,
    are_passing: bool,
    /// Reused to save allocations.
    made: Vec<Assignment>,
    sent: Vec<JobId>,
    /// Computing time of the schedulers, if it is measured.
    pub thinking: Option<Thinking>,
}

impl Schedulers {
    pub fn new(specs: Vec<SchedulerSpec>, timing: bool) -> Result<Self, SimError> {
        let (all, mappers) = Scheduler::all(specs)?;
        let thinking = timing.then(Thinking::default);
        let any = |does: fn(&Scheduler) -> bool| all.iter().any(does);
        let is_paced = any(|one| one.pacing.is_some());
        let are_rescheduling = any(|one| one.rounds.is_some());
        let are_passing = any(|one| one.passing.is_some());
        Ok(Self {
            on_the_way: OnTheWay::new(),
            are_reacting: is_paced || are_rescheduling || are_passing,
            are_rescheduling,
            are_passing,
            all,
            mappers,
            given_up: 0,
            decisions: 0,
            made: Vec::new(),
            sent: Vec::new(),
            thinking,
        })
    }

    /// Notes which plain jobs each scheduler can send somewhere.
    pub fn look_at(&mut self, resources: &Resources) {
        for scheduler in self.all.iter_mut() {
            let levels = scheduler.reach.iter().map(|&at| resources.fronts()[at].levels());
            scheduler.levels = levels.max().unwrap_or(0);
        }
    }

    /// Remarks of mappers, with the names of their schedulers.
    pub fn notes(&self) -> Vec<(String, String)> {
        let both = self.all.iter().zip(self.mappers.iter());
        both.filter_map(|(of, mapper)| Some((of.name.clone(), mapper.note()?))).collect()
    }

    /// What mappers have proven, with the names of their schedulers.
    pub fn proofs(&self) -> Vec<(String, Proofs)> {
        let both = self.all.iter().zip(self.mappers.iter());
        both.filter_map(|(of, mapper)| Some((of.name.clone(), mapper.proofs()?))).collect()
    }

    /// Schedules a decision at the current time, after all events that are due now.
    fn decide_soon(&mut self, id: SchedulerId, engine: &mut Engine<Event>) {
        self.decide_at(id, engine.now(), engine);
    }

    pub(super) fn decide_at(&mut self, id: SchedulerId, time: Time, engine: &mut Engine<Event>) {
        let activation = &mut self.all[id].activation;
        activation.get_or_insert_with(|| engine.schedule(time, Event::Decision(id)));
    }

    /// Schedules decisions of those schedulers with waiting jobs for which the condition holds.
    fn decide_where(&mut self, is_time: impl Fn(Mode, usize) -> bool, engine: &mut Engine<Event>) {
        for id in self.all.ids() {
            let Scheduler { mode, waiting, .. } = &self.all[id];
            if !waiting.is_empty() && is_time(*mode, waiting.len()) {
                self.decide_soon(id, engine);
            }
        }
    }

    /// Sets the resources that are known from now on.
    pub fn know(&mut self, is_known: impl Fn(crate::ResourceId) -> bool) {
        self.all.iter_mut().for_each(|scheduler| scheduler.know(&is_known));
    }
}

impl Simulation<'_> {
    #[inline]
    pub(super) fn wait_at(&mut self, job: JobId, id: SchedulerId, engine: &mut Engine<Event>) {
        if self.schedulers.are_passing
            && let Some(peer) = self.peer_for(job, id)
        {
            return self.pass(job, id, peer, engine);
        }
        self.stay_at(job, id, engine);
    }

    /// A job waits at this scheduler and is not passed on by it.
    #[inline]
    pub(super) fn stay_at(&mut self, job: JobId, id: SchedulerId, engine: &mut Engine<Event>) {
        self.jobs[job].place = Place::Waiting(id);
        self.schedulers.all[id].waiting.push(job, self.jobs[job].number);
        self.consider(id, engine);
    }

    /// A job that returns gets its old place, by its number: first come, first served counts its
    /// first arrival.
    pub(super) fn wait_again(&mut self, job: JobId, id: SchedulerId, engine: &mut Engine<Event>) {
        let number = self.jobs[job].number;
        self.jobs[job].place = Place::Waiting(id);
        let waiting = &mut self.schedulers.all[id].waiting;
        waiting.insert(waiting.place_of(number), job, number);
        self.consider(id, engine);
    }

    /// Reacts to a new waiting job, according to the mode.
    #[inline]
    fn consider(&mut self, id: SchedulerId, engine: &mut Engine<Event>) {
        let scheduler = &self.schedulers.all[id];
        match scheduler.mode {
            Mode::OnLine => self.decide(id, engine),
            Mode::WhenFree => self.schedulers.decide_soon(id, engine),
            Mode::Count(count) if scheduler.waiting.len() >= count => self.decide(id, engine),
            Mode::Count(_) => {}
            Mode::Batch(wait) | Mode::TimeLimit(wait) => {
                let next = Time(Ticks(engine.now().0.0.div_ceil(wait.0).saturating_mul(wait.0)));
                if scheduler.pacing.is_some() {
                    return self.consider_paced(id, next, engine);
                }
                self.schedulers.decide_at(id, next, engine);
            }
        }
    }

    /// Processes the event of a decision. Jobs that arrive at the same time come first.
    pub(super) fn activate(&mut self, id: SchedulerId, engine: &mut Engine<Event>) {
        self.schedulers.all[id].activation = None;
        if self.arrivals.is_any_due(engine.now()) {
            return self.schedulers.decide_soon(id, engine);
        }
        self.decide_now(id, engine);
    }

    /// Decides, and plans the next decision if jobs are left and the mode has a period.
    pub(super) fn decide_now(&mut self, id: SchedulerId, engine: &mut Engine<Event>) {
        self.decide(id, engine);
        let scheduler = &self.schedulers.all[id];
        let Some(wait) = scheduler.mode.period() else { return };
        if scheduler.pacing.is_some() {
            return self.decided_paced(id, wait, engine);
        }
        if !scheduler.waiting.is_empty() {
            self.schedulers.decide_at(id, engine.now() + wait, engine);
        }
    }

    fn decide(&mut self, id: SchedulerId, engine: &mut Engine<Event>) {
        if self.schedulers.all[id].targets.is_empty() {
            // No resource has registered yet.
            return;
        }
        let service = self.information.service();
        let view = View {
            now: engine.now(),
            scale: self.accounting.scale,
            id,
            scheduler: &self.schedulers.all[id],
            jobs: &self.jobs,
            resources: &self.resources,
            fronts: service.map_or(self.resources.fronts(), |service| service.fronts()),
            earliest: match service {
                None if self.schedulers.all[id].sees_all(self.resources.len()) => {
                    Some(self.resources.earliest()).filter(|earliest| earliest.is_useful())
                }
                _ => None,
            },
            schedulers: &self.schedulers.all,
            service,
            ledger: &self.accounting.ledger,
            data: self.data.as_deref(),
        };
        let jobs = self.schedulers.all[id].waiting.len();
        let measured = self.schedulers.thinking.as_mut().and_then(|all| all.begin(jobs));
        let mapper = &mut self.schedulers.mappers[id];
        let mut made = std::mem::take(&mut self.schedulers.made);
        made.clear();
        let decided = mapper.decide_into(&view, &mut made);
        if let Some(thinking) = &mut self.schedulers.thinking {
            thinking.end(measured);
        }
        self.schedulers.decisions += 1;
        match decided {
            Ok(()) => {
                let given_up = mapper.given_up();
                if given_up.is_empty() {
                    self.carry_out(id, &made, engine);
                } else {
                    let waiting = &self.schedulers.all[id].waiting;
                    let jobs = given_up.into_iter().map(|job| waiting[job.index()]);
                    let jobs: Vec<JobId> = jobs.collect();
                    self.carry_out(id, &made, engine);
                    self.give_up(id, &jobs, engine);
                }
                self.schedulers.made = made;
            }
            Err(error) => {
                let scheduler = self.schedulers.all[id].name.clone();
                self.fail(SimError::Mapper { scheduler, error }, engine);
            }
        }
    }

    /// Removes jobs that will never be sent from the waiting ones.
    fn give_up(&mut self, id: SchedulerId, jobs: &[JobId], engine: &mut Engine<Event>) {
        for &job in jobs {
            let job = &mut self.jobs[job];
            job.place = Place::GivenUp(id);
            let happening = Happening::GivenUp { job: job.number, scheduler: id };
            self.observer.happened(engine.now(), &happening);
        }
        self.schedulers.given_up += jobs.len();
        let all = &self.jobs;
        let waits = |&job: &JobId| matches!(all[job].place, Place::Waiting(_));
        self.schedulers.all[id].waiting.retain(waits);
        self.rest_if_done(engine);
    }

    #[inline]
    fn carry_out(
        &mut self,
        id: SchedulerId,
        assignments: &[Assignment],
        engine: &mut Engine<Event>,
    ) {
        let waiting = &mut self.schedulers.all[id].waiting;
        let happening =
            Happening::Decided { scheduler: id, waiting: waiting.len(), sent: assignments.len() };
        self.observer.happened(engine.now(), &happening);
        if let &[Assignment { host, .. }] = assignments
            && let Some(job) = waiting.take_only()
        {
            return self.send_on(job, id, host, engine);
        }
        let mut jobs = std::mem::take(&mut self.schedulers.sent);
        waiting.send(assignments, &mut jobs);
        for (&job, assignment) in jobs.iter().zip(assignments) {
            self.send_on(job, id, assignment.host, engine);
        }
        jobs.clear();
        self.schedulers.sent = jobs;
    }

    /// Sends a job to a target.
    #[inline]
    fn send_on(&mut self, job: JobId, id: SchedulerId, to: HostId, engine: &mut Engine<Event>) {
        match self.schedulers.all[id].targets[to] {
            Target::Resource(resource) => self.send(job, id, resource, engine),
            Target::Scheduler(next) => self.wait_at(job, next, engine),
        }
    }

    /// Lets on-line and when-free schedulers with waiting jobs decide again, because a resource may
    /// have become free.
    #[inline]
    pub(super) fn wake(&mut self, engine: &mut Engine<Event>) {
        let waits_for_room = |mode, _| matches!(mode, Mode::WhenFree | Mode::OnLine);
        self.schedulers.decide_where(waits_for_room, engine);
        if self.schedulers.are_reacting {
            self.react(engine);
        }
    }

    /// Lets schedulers that do more than deciding in their mode react to a change.
    fn react(&mut self, engine: &mut Engine<Event>) {
        for id in self.schedulers.all.ids() {
            self.take_from_peers(id, engine);
        }
        for id in self.schedulers.all.ids() {
            self.put_forward(id, engine);
            self.plan_round(id, true, engine);
        }
    }

    /// Lets schedulers decide whose number of jobs will never be reached, because no more arrive.
    pub(super) fn flush_counts(&mut self, engine: &mut Engine<Event>) {
        if self.arrivals.is_over() {
            let counts = |mode, _| matches!(mode, Mode::Count(_));
            self.schedulers.decide_where(counts, engine);
        }
    }

    /// Lets schedulers with waiting jobs decide again, because resources have changed.
    pub(super) fn look_again(&mut self, engine: &mut Engine<Event>) {
        self.wake(engine);
        self.flush_counts(engine);
        let is_full = |mode, waiting| matches!(mode, Mode::Count(count) if waiting >= count);
        self.schedulers.decide_where(is_full, engine);
    }
}
