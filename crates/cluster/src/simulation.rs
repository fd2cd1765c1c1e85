//! The simulation: jobs arrive, schedulers decide, jobs end.
//!
//! Events are arrivals, ends of jobs, expected ends of jobs that run on, and times that a scheduler
//! asked for. Events of the same tick are processed in the order in which they were scheduled; then
//! each scheduler concerned makes one pass. A job without any run time that starts in a pass ends
//! in the same tick, after which its scheduler makes another pass.

use super::error::ClusterError;
use super::grid::NodeShare;
use super::happening::{ClusterEvents, Happening, JobRecord, Outcome};
use super::job::{ParallelJob, Source};
use super::pool::{Act, Active, Places, Pool, nodes};
use super::setup::{Overrun, SchedulerSpec, Setup};
use super::statistics::{ClusterSummary, Collector, Gauge, Summary};
use gridsat_engine::time::Time;
use gridsat_engine::{Engine, EventId, Observer, World};
use gridsat_model::Ticks;
use gridsat_workload::RigidJob;

/// An observer that wants no reports is asked after this many events whether to end.
const POLL: u64 = 256;

#[derive(Clone, Copy)]
enum Event {
    Arrival,
    /// The end of a job, or its expected end if that is earlier and the policy uses it.
    Due {
        pool: u32,
        slot: u32,
    },
    Wake {
        pool: u32,
    },
}

struct Simulation<'a> {
    pools: Vec<Pool>,
    /// Pending wake-up event of each pool.
    wakes: Vec<Option<(Time, EventId)>>,
    /// The pool of each cluster.
    owners: Vec<u32>,
    tallies: Vec<Collector>,
    /// Number of waiting jobs in all pools.
    queue: Gauge,
    source: Source,
    next: Option<ParallelJob>,
    overrun: Overrun,
    threshold: Ticks,
    makespan: Time,
    failure: Option<ClusterError>,
    observer: &'a mut dyn Observer<ClusterEvents>,
    /// Whether the observer wants reports; if not, it is only asked whether to end.
    is_watched: bool,
    is_over: bool,
    /// The pools that must decide after the events of this tick, each once.
    concerned: Vec<u32>,
    /// Reused to save allocations.
    acts: Vec<Act>,
    parts: Vec<NodeShare>,
}

/// Runs a simulation to its end.
pub fn simulate(
    setup: Setup,
    observer: &mut dyn Observer<ClusterEvents>,
) -> Result<Summary, ClusterError> {
    let owners = setup.owners()?;
    let (scale, clusters) = (setup.scale, setup.clusters.clone());
    let mut engine = Engine::new(setup.stop);
    let mut simulation = Simulation::new(setup, owners, observer);
    simulation.expect_next(None, &mut engine);
    let end = engine.run(&mut simulation);
    if let Some(failure) = simulation.failure {
        return Err(failure);
    }
    let (end_time, makespan) = (engine.now(), simulation.makespan);
    simulation.count_running(end_time);
    let each = clusters.into_iter().zip(simulation.tallies);
    let clusters: Vec<_> =
        each.map(|(spec, tally)| ClusterSummary::new(&spec, tally, end_time)).collect();
    let all = ClusterSummary::all(&clusters, &simulation.queue, end_time);
    Ok(Summary { end, end_time, makespan, all, clusters, events: engine.handled(), scale })
}

impl World<Event> for Simulation<'_> {
    fn handle(&mut self, event: Event, engine: &mut Engine<Event>) {
        match event {
            Event::Arrival => self.arrive(engine),
            Event::Due { pool, slot } => self.due(pool, slot, engine),
            Event::Wake { pool } => self.concern(pool, engine),
        }
        if engine.next_time() != Some(engine.now()) {
            self.decide(engine);
        }
        if self.is_watched || engine.handled().is_multiple_of(POLL) {
            self.is_over = self.observer.wants_end();
        }
    }

    fn is_interrupted(&self) -> bool {
        self.failure.is_some() || self.is_over
    }
}

impl<'a> Simulation<'a> {
    fn new(setup: Setup, owners: Vec<u32>, observer: &'a mut dyn Observer<ClusterEvents>) -> Self {
        let is_watched = observer.is_watching();
        let pool = |spec: &SchedulerSpec| {
            let ids = spec.clusters.clone();
            let places = Places::new(&setup.clusters, ids, spec.choice, setup.penalty);
            let groups = spec.clusters.iter().flat_map(|id| &setup.clusters[id.index()].groups);
            let mut pool =
                Pool::new(places, groups.map(|group| group.nodes).collect(), spec.policy);
            pool.is_watched = is_watched;
            pool
        };
        Self {
            pools: setup.schedulers.iter().map(pool).collect(),
            wakes: vec![None; setup.schedulers.len()],
            tallies: vec![Collector::default(); owners.len()],
            queue: Gauge::default(),
            owners,
            source: setup.source,
            next: None,
            overrun: setup.overrun,
            threshold: setup.threshold,
            makespan: Time::ZERO,
            failure: None,
            is_over: observer.wants_end(),
            observer,
            is_watched,
            concerned: Vec::new(),
            acts: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Reads the next job and schedules its arrival.
    fn expect_next(&mut self, last: Option<&RigidJob>, engine: &mut Engine<Event>) {
        match self.source.next().map(|job| self.check(job.map_err(ClusterError::Source)?, last)) {
            None => {}
            Some(Err(failure)) => self.failure = Some(failure),
            Some(Ok(job)) => {
                engine.schedule(Time(job.rigid.submit), Event::Arrival);
                self.next = Some(job);
            }
        }
    }

    fn check(
        &self,
        job: ParallelJob,
        last: Option<&RigidJob>,
    ) -> Result<ParallelJob, ClusterError> {
        let RigidJob { number, submit, nodes, .. } = job.rigid;
        if nodes == 0 {
            return Err(ClusterError::NoNodes { job: number });
        }
        if let Some(last) = last.filter(|last| last.submit > submit) {
            let (previous, last) = (last.number, last.submit);
            return Err(ClusterError::QueueOrder {
                job: number,
                submit: submit.0,
                previous,
                last: last.0,
            });
        }
        if job.home.index() >= self.owners.len() {
            let (cluster, clusters) = (job.home.0, self.owners.len());
            return Err(ClusterError::Home { job: number, cluster, clusters });
        }
        match job.component_sum().filter(|&sum| sum != u64::from(nodes)) {
            Some(sum) => Err(ClusterError::Components { job: number, nodes, sum }),
            None => Ok(job),
        }
    }

    fn arrive(&mut self, engine: &mut Engine<Event>) {
        let job = self.next.take().expect("arrivals come with a job");
        let (rigid, home, now) = (job.rigid, job.home, engine.now());
        self.expect_next(Some(&rigid), engine);
        engine.job_was_active();
        let owner = self.owners[home.index()];
        let pool = &mut self.pools[owner as usize];
        let tally = &mut self.tallies[home.index()];
        tally.jobs.submitted += 1;
        if !pool.can_ever_run(&job) {
            tally.jobs.refused += 1;
            return self.report(now, &Happening::Refused { job: &rigid, home });
        }
        pool.submit(job);
        tally.queue.rise(now, 1);
        self.queue.rise(now, 1);
        self.report(now, &Happening::Arrived { job: &rigid, home });
        self.concern(owner, engine);
    }

    fn report(&mut self, now: Time, what: &Happening<'_>) {
        if self.is_watched {
            self.observer.happened(now, what);
        }
    }

    /// Lets a scheduler decide after all events of this tick; it need not be woken then.
    fn concern(&mut self, owner: u32, engine: &mut Engine<Event>) {
        let wake = &mut self.wakes[owner as usize];
        if let Some((_, event)) = wake.take_if(|(time, _)| *time == engine.now()) {
            engine.cancel(event);
        }
        let pool = &mut self.pools[owner as usize];
        if !std::mem::replace(&mut pool.is_concerned, true) {
            self.concerned.push(owner);
        }
    }

    fn decide(&mut self, engine: &mut Engine<Event>) {
        let mut concerned = std::mem::take(&mut self.concerned);
        for owner in concerned.drain(..) {
            self.pools[owner as usize].is_concerned = false;
            self.pass(owner, engine);
        }
        self.concerned = concerned;
    }

    /// Lets a scheduler decide; again if it suspended jobs, which then wait like others.
    fn pass(&mut self, owner: u32, engine: &mut Engine<Event>) {
        let mut again = true;
        while again {
            let pool = &mut self.pools[owner as usize];
            pool.policy.pass(pool, engine.now());
            let mut acts = std::mem::replace(&mut pool.acts, std::mem::take(&mut self.acts));
            again = acts.iter().any(|act| matches!(act, Act::Suspend(_)));
            acts.drain(..).for_each(|act| self.make_known(owner, act, engine));
            self.acts = acts;
        }
        self.set_wake(owner, engine);
    }

    /// Moves the wake-up event to the next planned start.
    fn set_wake(&mut self, owner: u32, engine: &mut Engine<Event>) {
        let wanted = self.pools[owner as usize].plan.wake();
        let wake = &mut self.wakes[owner as usize];
        if wake.map(|(time, _)| time) == wanted {
            return;
        }
        if let Some((_, event)) = wake.take() {
            engine.cancel(event);
        }
        *wake = wanted.map(|time| (time, engine.schedule(time, Event::Wake { pool: owner })));
    }

    fn make_known(&mut self, owner: u32, act: Act, engine: &mut Engine<Event>) {
        let now = engine.now();
        let jobs = &self.pools[owner as usize].jobs;
        let number = |slot: u32| jobs[slot].spec.rigid.number;
        let what = match act {
            Act::Start(slot) => return self.start(owner, slot, engine),
            Act::Suspend(slot) => return self.suspend(owner, slot, engine),
            Act::Reserve(slot, start) => Happening::Reserved { job: number(slot), start },
            Act::Delay(slot, by, left) => Happening::Delayed { job: number(slot), by, left },
        };
        self.observer.happened(now, &what);
    }

    fn start(&mut self, owner: u32, slot: u32, engine: &mut Engine<Event>) {
        let now = engine.now();
        engine.job_was_active();
        let pool = &mut self.pools[owner as usize];
        let job = &mut pool.jobs[slot];
        job.first.get_or_insert(now);
        job.end = now + job.pace.span(granted(job, self.overrun), job.done);
        let due = pool.policy.due(job);
        job.event = Some(engine.schedule(due, Event::Due { pool: owner, slot }));
        let tally = &mut self.tallies[job.spec.home.index()];
        tally.queue.fall(now, 1);
        self.queue.fall(now, 1);
        tally.running += 1;
        if self.is_watched {
            let number = job.spec.rigid.number;
            self.list_parts(owner, slot);
            let what = Happening::Started { job: number, parts: &self.parts };
            self.observer.happened(now, &what);
        }
    }

    /// Stores the nodes of a job in `parts`.
    fn list_parts(&mut self, owner: u32, slot: u32) {
        let pool = &self.pools[owner as usize];
        self.parts.clear();
        self.parts.extend(pool.jobs[slot].shares.iter().map(|share| pool.places.part(share)));
    }

    fn suspend(&mut self, owner: u32, slot: u32, engine: &mut Engine<Event>) {
        let now = engine.now();
        let job = &mut self.pools[owner as usize].jobs[slot];
        if let Some(event) = job.event.take() {
            engine.cancel(event);
        }
        let (number, home) = (job.spec.rigid.number, job.spec.home);
        self.release(owner, slot, now);
        self.tallies[home.index()].queue.rise(now, 1);
        self.queue.rise(now, 1);
        self.report(now, &Happening::Suspended { job: number });
    }

    /// Counts a job as no longer running.
    fn release(&mut self, owner: u32, slot: u32, now: Time) {
        let home = self.pools[owner as usize].jobs[slot].spec.home;
        self.tallies[home.index()].running -= 1;
        self.count_busy(owner, slot, now);
    }

    /// Counts the time since its last start for which the nodes of a job were busy.
    fn count_busy(&mut self, owner: u32, slot: u32, now: Time) {
        let pool = &self.pools[owner as usize];
        let job = &pool.jobs[slot];
        let ticks = u128::from(now - job.since);
        for share in &job.shares {
            let cluster = pool.places.part(share).cluster;
            self.tallies[cluster.index()].busy += u128::from(share.nodes) * ticks;
        }
    }

    /// Counts the busy time of jobs that still run at the end.
    fn count_running(&mut self, end: Time) {
        for owner in 0..self.pools.len() {
            let running = self.pools[owner].releases.iter().map(|release| release.slot);
            for slot in running.collect::<Vec<_>>() {
                self.count_busy(owner as u32, slot, end);
            }
        }
    }

    /// Ends a job, or gives it a new expected end if it runs on.
    fn due(&mut self, owner: u32, slot: u32, engine: &mut Engine<Event>) {
        let pool = &mut self.pools[owner as usize];
        if pool.jobs[slot].end > engine.now() {
            pool.extend(slot, engine.now());
            let job = &mut pool.jobs[slot];
            let due = pool.policy.due(job);
            job.event = Some(engine.schedule(due, Event::Due { pool: owner, slot }));
        } else {
            self.end(owner, slot, engine);
        }
        self.concern(owner, engine);
    }

    fn end(&mut self, owner: u32, slot: u32, engine: &mut Engine<Event>) {
        let now = engine.now();
        self.release(owner, slot, now);
        self.pools[owner as usize].finish(slot, now);
        engine.job_finished();
        self.makespan = now;
        self.record(owner, slot, now);
        self.pools[owner as usize].leave(slot);
    }

    fn record(&mut self, owner: u32, slot: u32, now: Time) {
        if self.is_watched {
            self.list_parts(owner, slot);
        }
        let job = &self.pools[owner as usize].jobs[slot];
        let (rigid, home) = (job.spec.rigid, job.spec.home);
        let was_cut = granted(job, self.overrun) < rigid.run;
        let record = JobRecord {
            job: rigid,
            home,
            outcome: if was_cut { Outcome::Killed } else { Outcome::Finished },
            start: job.first.unwrap_or(now),
            end: now,
            held: job.held + (now - job.since),
            suspensions: job.suspensions,
            parts: self.parts.as_slice().into(),
        };
        let tally = &mut self.tallies[home.index()];
        tally.jobs.add(&record, nodes(&job.shares), self.threshold);
        if self.is_watched {
            let what = Happening::Ended { job: rigid.number, outcome: record.outcome };
            self.observer.happened(now, &what);
            self.observer.left(&record);
        }
    }
}

/// The amount of work that a job is allowed to do.
fn granted(job: &Active, overrun: Overrun) -> Ticks {
    let RigidJob { run, estimate, .. } = job.spec.rigid;
    match overrun {
        Overrun::Extend => run,
        Overrun::Kill => run.min(estimate),
    }
}
