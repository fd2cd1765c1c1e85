//! The simulation: jobs arrive, schedulers decide, jobs end.
//!
//! Events are arrivals, ends of jobs, expected ends of jobs that run on, and times that a scheduler
//! asked for. Events of the same tick are processed in the order in which they were scheduled; then
//! each scheduler concerned makes one pass. A job without any run time that starts in a pass ends
//! in the same tick, after which its scheduler makes another pass.
//!
//! | file | content |
//! | --- | --- |
//! | `arrivals` | reads, checks and submits jobs |
//! | `decisions` | lets schedulers decide and carries out their decisions |
//! | `ends` | ends jobs and counts them |
//! | `failures` | nodes fail and are repaired |
//! | `reservations` | reservations begin, end and run their jobs |

mod arrivals;
mod decisions;
mod ends;
mod failures;
mod reservations;

use super::error::ClusterError;
use super::grid::NodeShare;
use super::happening::{ClusterEvents, Happening};
use super::job::{ParallelJob, Source};
use super::pool::{Active, Places, Pool};
use super::queue_policy::Turns;
use super::setup::{Overrun, SchedulerSpec, Setup};
use super::statistics::{ClusterSummary, Collector, Gauge, Summary};
use failures::Downtime;
use gridsat_engine::time::Time;
use gridsat_engine::{Engine, Observer, World};
use gridsat_model::Ticks;
use gridsat_workload::RigidJob;
use reservations::Reservations;

/// An observer that does not follow events is asked after this many events whether to end.
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
    /// The next change of a reservation.
    Reservation,
    /// The next outage.
    Fail,
    Repair {
        pool: u32,
        slot: u32,
    },
}

struct Simulation<'a> {
    pools: Vec<Pool>,
    /// The pool of each cluster.
    owners: Vec<u32>,
    tallies: Vec<Collector>,
    /// Number of waiting jobs in all pools, if there are several clusters.
    queue: Option<Gauge>,
    source: Source,
    next: Option<ParallelJob>,
    overrun: Overrun,
    threshold: Ticks,
    /// Failures of nodes, if there are any.
    downtime: Option<Box<Downtime>>,
    /// Advance reservations, if there are any.
    reservations: Option<Box<Reservations>>,
    /// Jobs that lose their nodes at the end of a reservation; reused.
    suspended: Vec<u32>,
    makespan: Time,
    failure: Option<ClusterError>,
    observer: &'a mut dyn Observer<ClusterEvents>,
    /// Whether the observer wants to know about jobs that leave; if not, it is only asked whether
    /// to end.
    is_watched: bool,
    /// Whether it wants to know about everything that happens.
    is_followed: bool,
    is_over: bool,
    /// The pools that must decide after the events of this tick, each once.
    concerned: Vec<u32>,
    /// Reused to save allocations.
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
    simulation.expect_next((0, Ticks(0)), &mut engine);
    simulation.expect_outage(&mut engine);
    simulation.expect_reservation(&mut engine);
    let end = engine.run(&mut simulation);
    if let Some(failure) = simulation.failure {
        return Err(failure);
    }
    let (end_time, makespan) = (engine.now(), simulation.makespan);
    simulation.count_running(end_time);
    simulation.count_reserved(end_time);
    let reservations = simulation.reservations.take();
    let reservations = reservations.map_or_else(Vec::new, |all| all.summaries(scale));
    let queue = simulation.queue.unwrap_or(simulation.tallies[0].queue);
    let each = clusters.into_iter().zip(simulation.tallies);
    let clusters: Vec<_> =
        each.map(|(spec, tally)| ClusterSummary::new(&spec, tally, end_time)).collect();
    let all = ClusterSummary::all(&clusters, &queue, end_time);
    let events = engine.handled();
    Ok(Summary { end, end_time, makespan, all, clusters, reservations, events, scale })
}

impl World<Event> for Simulation<'_> {
    fn handle(&mut self, event: Event, engine: &mut Engine<Event>) {
        match event {
            Event::Arrival => self.arrive(engine),
            Event::Due { pool, slot } => self.due(pool, slot, engine),
            Event::Wake { pool } => self.concern(pool, engine),
            Event::Reservation => self.attend(engine),
            Event::Fail => self.fail(engine),
            Event::Repair { pool, slot } => self.repair(pool, slot, engine),
        }
        if engine.next_time() != Some(engine.now()) {
            self.decide(engine);
        }
        if self.is_followed || engine.handled().is_multiple_of(POLL) {
            self.is_over |= self.observer.wants_end();
        }
    }

    fn is_interrupted(&self) -> bool {
        self.is_over
    }
}

impl<'a> Simulation<'a> {
    fn new(setup: Setup, owners: Vec<u32>, observer: &'a mut dyn Observer<ClusterEvents>) -> Self {
        let is_watched = observer.is_watching();
        let is_followed = is_watched && observer.follows_events();
        let pool = |spec: &SchedulerSpec| {
            let ids = spec.clusters.clone();
            let places = Places::new(&setup.clusters, ids, spec.choice, setup.penalty);
            let groups = spec.clusters.iter().flat_map(|id| &setup.clusters[id.index()].groups);
            let mut pool =
                Pool::new(places, groups.map(|group| group.nodes).collect(), spec.policy);
            pool.is_watched = is_followed;
            if !setup.reservations.is_empty() {
                pool.plan_reservations();
            }
            pool.turns = Turns::new(spec.queues, spec.clusters.len());
            pool
        };
        Self {
            pools: setup.schedulers.iter().map(pool).collect(),
            tallies: vec![Collector::default(); owners.len()],
            queue: (owners.len() > 1).then(Gauge::default),
            owners,
            source: setup.source,
            next: None,
            overrun: setup.overrun,
            threshold: setup.threshold,
            downtime: setup.failures.map(Downtime::new),
            reservations: Reservations::new(setup.reservations),
            suspended: Vec::new(),
            makespan: Time::ZERO,
            failure: None,
            is_over: observer.wants_end(),
            observer,
            is_watched,
            is_followed,
            concerned: Vec::new(),
            parts: Vec::new(),
        }
    }

    fn report(&mut self, now: Time, what: &Happening<'_>) {
        if self.is_followed {
            self.observer.happened(now, what);
        }
    }

    /// Stores the nodes of a job in `parts`.
    fn list_parts(&mut self, owner: u32, slot: u32) {
        let pool = &self.pools[owner as usize];
        self.parts.clear();
        self.parts.extend(pool.jobs[slot].shares.iter().map(|share| pool.places.part(share)));
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
