//! The grid in motion: jobs arrive, schedulers decide, resources work.

mod arrivals;
mod commands;
mod decisions;
mod end;
mod failures;
mod information;
mod reservations;
mod running;
mod staging;

use std::collections::HashMap;
use std::time::Duration;

use super::SimError;
use super::allocation::{JobId, Started};
use super::data::{Data, Movement};
use super::economy::{Ledger, Terms};
use super::estimate::Estimator;
use super::failure::{Change, Running};
use super::grid::{Grid, ResourceId, ResourceSpec};
use super::information::{Information, Service};
use super::job::Jobs;
use super::load::Start;
use super::network::NodeId;
use super::observer::Observer;
use super::reservation::{Desk, ReservationSpec};
use super::resource::{Front, Resource};
use super::scheduler::{Mappers, Scheduler, SchedulerId, SchedulerSpec};
use super::summary::{Accounts, Counts, Summary};
use gridsat_engine::time::Time;
use gridsat_engine::{Engine, EventId, StopRules, World};
use gridsat_model::Scale;
use gridsat_statistics::random;
use gridsat_workload::{JobSpec, Source};

/// Jobs that come, and the schedulers their users send them to, user by user in turn.
pub struct Group {
    /// The jobs.
    pub source: Source,
    /// The schedulers, at least one.
    pub schedulers: Vec<SchedulerId>,
}

/// Something done to one job, or to the simulation, at a given time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Stops the job for a while.
    Halt(u64),
    /// Lets it go on.
    Resume(u64),
    /// Takes it away.
    Cancel(u64),
    /// Ends the simulation.
    End,
}

/// All that a simulation is made of.
pub struct Setup {
    /// What there is.
    pub grid: Grid,
    /// Who decides.
    pub schedulers: Vec<SchedulerSpec>,
    /// Who submits what.
    pub groups: Vec<Group>,
    /// What schedulers know of resources.
    pub information: Information,
    /// Networks and files, if there are any.
    pub data: Option<Data>,
    /// What users demand for their applications; jobs name them by number.
    pub contracts: Vec<Terms>,
    /// PEs that somebody wants for himself; jobs name them by number.
    pub reservations: Vec<ReservationSpec>,
    /// What is done from outside, and when.
    pub commands: Vec<(Time, Command)>,
    /// When to stop.
    pub stop: StopRules,
    /// What a tick is.
    pub scale: Scale,
    /// The date of time 0.
    pub start: Start,
    /// Where randomness starts.
    pub seed: u64,
    /// Whether to measure how long schedulers think.
    pub timing: bool,
}

/// What can happen. One event each for the next arrival of a group, the next completion and the next
/// changes of load and availability at a resource, the next decision of a scheduler, the next time that
/// the information service hears of resources or tells of them, and the next of all reservations.
#[derive(Clone, Copy, Debug)]
enum Event {
    Arrival(u32),
    Completion(ResourceId),
    Load(ResourceId),
    Availability(ResourceId, Change),
    Decision(SchedulerId),
    Registration,
    Ping,
    Telling,
    Reservation,
    /// A transfer ends.
    Transfer(u32),
    Command(Command),
}

/// The next job of a group.
struct Arrivals {
    group: Group,
    next: Option<JobSpec>,
}

struct Simulation<'a> {
    resources: Vec<Resource>,
    /// Of each resource what decisions look at.
    fronts: Vec<Front>,
    schedulers: Vec<Scheduler>,
    mappers: Mappers,
    arrivals: Vec<Arrivals>,
    jobs: Jobs,
    /// Where the jobs are that commands are about; `None` before they come and after they left.
    named: HashMap<u64, Option<JobId>>,
    load_events: Vec<Option<EventId>>,
    failure_events: Vec<Option<EventId>>,
    /// The next registration or ping, and the next telling.
    information_events: [Option<EventId>; 2],
    /// Who tells schedulers of resources, if they do not see the present.
    service: Option<Box<Service>>,
    /// What is still to come of those resources that can fail.
    availabilities: Vec<Option<Running>>,
    /// Who makes reservations, if there are any.
    desk: Option<Box<Desk>>,
    accounts: Accounts,
    data: Option<Box<Movement>>,
    ledger: Ledger,
    /// Jobs that will never be sent.
    given_up: usize,
    scale: Scale,
    counts: Counts,
    decisions: u64,
    scheduling: Option<Duration>,
    failure: Option<SimError>,
    observer: &'a mut dyn Observer,
    /// Resources whose next completion may have changed in this event.
    changed: Vec<ResourceId>,
    /// Kept to save allocations.
    started: Vec<Started>,
}

/// Runs a simulation to its end.
pub fn simulate(setup: Setup, observer: &mut dyn Observer) -> Result<Summary, SimError> {
    let (stop, seed) = (setup.stop, setup.seed);
    let mut engine = Engine::new(stop);
    let mut simulation = Simulation::new(setup, &mut engine, observer)?;
    let end = engine.run(&mut simulation);
    match simulation.failure.take() {
        Some(failure) => Err(failure),
        None => Ok(simulation.summary(end, &engine, seed)),
    }
}

impl<'a> Simulation<'a> {
    fn new(
        setup: Setup,
        engine: &mut Engine<Event>,
        observer: &'a mut dyn Observer,
    ) -> Result<Self, SimError> {
        let Setup { grid, schedulers, groups, commands, scale, start, seed, timing, .. } = setup;
        let delayed = match setup.information {
            Information::Immediate => None,
            Information::Delayed(pings) => Some(pings),
        };
        let ledger = Ledger::new(setup.contracts);
        let desk = Desk::open(setup.reservations, &grid)?;
        let availability = |spec: &ResourceSpec| {
            let random = random::stream(seed, "failures", u64::from(spec.machine));
            Some(spec.failures.as_ref()?.availability.start(random, scale))
        };
        let availabilities = grid.resources.iter().map(availability).collect::<Vec<_>>();
        let machines = grid.resources.iter().map(|spec| NodeId(spec.machine)).collect();
        let resource = |(index, spec): (usize, ResourceSpec)| {
            let random = random::stream(seed, "local load", index as u64);
            let load = spec.load.start(random, scale, start);
            let resource = spec.name.clone();
            Resource::new(spec, index as u32, load, scale)
                .map_err(|error| SimError::Policy { resource, error })
        };
        let resources: Vec<Resource> =
            grid.resources.into_iter().enumerate().map(resource).collect::<Result<_, _>>()?;
        let (schedulers, mappers) = Scheduler::all(schedulers).map_err(SimError::Circle)?;
        let is_exact = |scheduler: &&Scheduler| scheduler.estimator == Estimator::Exact;
        if let (Some(_), Some(exact)) = (delayed, schedulers.iter().find(is_exact)) {
            return Err(SimError::Exact(exact.name.clone()));
        }
        let mut simulation = Self {
            load_events: vec![None; resources.len()],
            failure_events: vec![None; resources.len()],
            information_events: [None; 2],
            service: delayed
                .map(|pings| Box::new(Service::new(pings, &resources, schedulers.len()))),
            availabilities,
            desk,
            accounts: Accounts::default(),
            data: setup.data.map(|data| Box::new(Movement::new(data, machines))),
            ledger,
            given_up: 0,
            fronts: resources.iter().map(Resource::front).collect(),
            resources,
            schedulers,
            mappers,
            arrivals: groups.into_iter().map(|group| Arrivals { group, next: None }).collect(),
            jobs: Jobs::default(),
            named: commands
                .iter()
                .filter_map(|(_, command)| command.job())
                .map(|job| (job, None))
                .collect(),
            scale,
            counts: Counts::default(),
            decisions: 0,
            scheduling: timing.then_some(Duration::ZERO),
            failure: None,
            observer,
            changed: Vec::new(),
            started: Vec::new(),
        };
        simulation.begin(commands, engine);
        Ok(simulation)
    }

    /// The first events.
    fn begin(&mut self, commands: Vec<(Time, Command)>, engine: &mut Engine<Event>) {
        for resource in 0..self.resources.len() {
            self.draw_load(ResourceId(resource as u32), engine);
            self.expect_change(ResourceId(resource as u32), engine);
        }
        self.open_service(engine);
        self.open_desk(engine);
        for (time, command) in commands {
            engine.schedule(time, Event::Command(command));
        }
        for group in 0..self.arrivals.len() {
            self.expect_next(group, engine);
        }
        self.plan(engine);
    }
}

impl Command {
    /// The job it is about.
    fn job(self) -> Option<u64> {
        match self {
            Self::Halt(job) | Self::Resume(job) | Self::Cancel(job) => Some(job),
            Self::End => None,
        }
    }
}

impl World<Event> for Simulation<'_> {
    fn handle(&mut self, event: Event, engine: &mut Engine<Event>) {
        match event {
            Event::Arrival(group) => self.arrive(group as usize, engine),
            Event::Completion(resource) => self.complete(resource, engine),
            Event::Load(resource) => self.draw_load(resource, engine),
            Event::Availability(resource, change) => self.change(resource, change, engine),
            Event::Decision(scheduler) => self.activate(scheduler, engine),
            Event::Registration => self.register(engine),
            Event::Ping => self.ping(engine),
            Event::Telling => self.tell(engine),
            Event::Reservation => self.attend(engine),
            Event::Transfer(number) => self.transferred(number, engine),
            Event::Command(command) => self.obey(command, engine),
        }
        self.plan(engine);
    }

    fn is_interrupted(&self) -> bool {
        self.observer.wants_end()
    }
}
