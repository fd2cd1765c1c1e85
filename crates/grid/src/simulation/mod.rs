//! The simulation of a grid. Each part below keeps its state and handles its events; effects on
//! other parts go through their methods.
//!
//! ```text
//! arrivals ──► schedulers ──► resources ──► accounting
//!                  ▲             ▲   ▲
//!            information   staging   failures, reservations, commands
//! ```

mod accounting;
mod arrivals;
mod breakages;
mod commands;
mod failures;
mod information;
mod memory;
mod owners;
mod pacing;
mod passing;
mod phases;
mod rescheduling;
mod reservations;
mod resources;
mod schedulers;
mod setup;
mod staging;
mod stints;
mod thinking;

pub use setup::{Command, Group, Run, Setup, SourceFailure};

use crate::SimError;
use crate::data::{Movement, TransferId};
use crate::failure::Change;
use crate::grid::ResourceId;
use crate::happening::GridEvents;
use crate::jobs::Jobs;
use crate::memory::Memories;
use crate::network::NodeId;
use crate::reservation::Reservations;
use crate::scheduler::SchedulerId;
use crate::summary::Summary;
use accounting::Accounting;
use arrivals::Arrivals;
use breakages::Breakages;
use failures::FailureEvents;
use gridsat_engine::time::Time;
use gridsat_engine::{Engine, Observer, Reporter, World};
use information::InformationService;
use owners::OwnerLoads;
use phases::Phases;
use resources::Resources;
use schedulers::Schedulers;

/// The kinds of events. At most one is pending for the next arrival of each group, the next
/// completion and the next changes of load and availability of each resource, the next decision of
/// each scheduler, the next ping, registration or report of the information service, and the next
/// transition of all reservations.
#[derive(Clone, Copy, Debug)]
enum Event {
    Arrival(u32),
    Completion(ResourceId),
    Load(ResourceId),
    /// The load of something other than PEs changes.
    OwnerLoad(u32),
    Availability(ResourceId, Change),
    /// A disk or link fails or is back.
    Breakage(u32, Change),
    Decision(SchedulerId),
    /// A scheduler reconsiders the jobs that it has sent.
    Round(SchedulerId),
    /// A job arrives that one scheduler passed to another.
    Passed(u64),
    Registration,
    Ping,
    Telling,
    Reservation,
    /// A transfer ends.
    Transfer(TransferId),
    Command(Command),
}

struct Simulation<'a> {
    arrivals: Arrivals,
    jobs: Jobs,
    schedulers: Schedulers,
    resources: Resources,
    failures: FailureEvents,
    breakages: Breakages,
    information: InformationService,
    /// `None` without reservations.
    reservations: Option<Box<Reservations>>,
    /// `None` without data.
    data: Option<Box<Movement>>,
    /// `None` if no memory is limited.
    memory: Option<Box<Memories>>,
    owners: OwnerLoads,
    phases: Phases,
    accounting: Accounting,
    observer: Reporter<'a, GridEvents>,
    /// The error that ends the simulation, if any.
    failure: Option<SimError>,
}

/// Runs a simulation to its end.
pub fn simulate(
    setup: Setup,
    observer: &mut dyn Observer<GridEvents>,
) -> Result<Summary, SimError> {
    let (stop, seed) = (setup.stop, setup.seed);
    let mut engine = Engine::new(stop);
    let mut simulation = Simulation::new(setup, &mut engine, observer)?;
    let end = engine.run(&mut simulation);
    match simulation.failure.take().or_else(|| simulation.arrivals.failure()) {
        Some(failure) => Err(failure),
        None => Ok(simulation.summary(end, &engine, seed)),
    }
}

impl<'a> Simulation<'a> {
    fn new(
        setup: Setup,
        engine: &mut Engine<Event>,
        observer: &'a mut dyn Observer<GridEvents>,
    ) -> Result<Self, SimError> {
        let Setup { grid, commands, scale, seed, .. } = setup;
        let reservations = Reservations::of(setup.reservations, &grid, setup.data.as_ref())?;
        let failures = FailureEvents::new(&grid, seed, scale);
        let memory = Memories::new(&grid);
        let owners = OwnerLoads::new(&grid, setup.data.as_ref(), setup.start, seed, scale);
        let parts = setup.data.iter().flat_map(|data| &data.breakages).cloned();
        let breakages = Breakages::new(&parts.collect::<Vec<_>>(), seed, scale);
        let machines = grid.resources.iter().map(|spec| NodeId(spec.machine)).collect();
        let resources = Resources::new(grid, setup.start, seed, scale)?;
        let mut schedulers = Schedulers::new(setup.schedulers, setup.timing)?;
        schedulers.look_at(&resources);
        let information = InformationService::new(setup.information, &resources, &schedulers)?;
        let mut simulation = Self {
            arrivals: Arrivals::new(setup.groups),
            jobs: Jobs::new(commands.iter().filter_map(|(_, command)| command.job())),
            schedulers,
            resources,
            failures,
            breakages,
            information,
            reservations,
            data: setup.data.map(|data| Box::new(Movement::new(data, machines))),
            memory,
            owners,
            phases: Phases::default(),
            accounting: Accounting::new(setup.contracts, scale),
            observer: Reporter::new(observer),
            failure: None,
        };
        simulation.begin(commands, engine);
        Ok(simulation)
    }

    /// Schedules the first events.
    fn begin(&mut self, commands: Vec<(Time, Command)>, engine: &mut Engine<Event>) {
        for resource in self.resources.ids() {
            self.draw_load(resource, engine);
            self.failures.expect_change(resource, engine);
        }
        (0..self.owners.count()).for_each(|number| self.draw_owner_load(number, engine));
        self.breakages.begin(engine);
        self.open_service(engine);
        self.expect_reservations(engine);
        for (time, command) in commands {
            engine.schedule(time, Event::Command(command));
        }
        self.arrivals.begin(engine);
        self.resources.plan(engine);
    }

    /// Cancels changes of load and availability when there are no more jobs, so that no events are
    /// left.
    #[inline]
    fn rest_if_done(&mut self, engine: &mut Engine<Event>) {
        let is_done = self.jobs.len() == self.schedulers.given_up
            && self.arrivals.is_over()
            && self.reservations.as_ref().is_none_or(|all| all.next().is_none());
        if is_done {
            let events = self.resources.load_events().chain(self.failures.events());
            let events = events.chain(self.information.events()).chain(self.owners.events());
            let events = events.chain(self.breakages.events());
            let rounds = self.schedulers.all.iter_mut().flat_map(|one| &mut one.rounds);
            let events = events.chain(rounds.map(|rounds| &mut rounds.event));
            for event in events.filter_map(Option::take) {
                engine.cancel(event);
            }
        }
    }

    fn fail(&mut self, failure: SimError, engine: &mut Engine<Event>) {
        self.failure.get_or_insert(failure);
        engine.end();
    }
}

impl World<Event> for Simulation<'_> {
    fn handle(&mut self, event: Event, engine: &mut Engine<Event>) {
        match event {
            Event::Arrival(group) => self.arrive(group as usize, engine),
            Event::Completion(resource) => self.complete(resource, engine),
            Event::Load(resource) => self.draw_load(resource, engine),
            Event::OwnerLoad(number) => self.draw_owner_load(number, engine),
            Event::Availability(resource, change) => self.change(resource, change, engine),
            Event::Breakage(number, change) => self.change_part(number, change, engine),
            Event::Decision(scheduler) => self.activate(scheduler, engine),
            Event::Round(scheduler) => self.reconsider(scheduler, engine),
            Event::Passed(number) => self.passed(number, engine),
            Event::Registration => self.register(engine),
            Event::Ping => self.ping(engine),
            Event::Telling => self.tell(engine),
            Event::Reservation => self.attend(engine),
            Event::Transfer(id) => self.transferred(id, engine),
            Event::Command(command) => self.obey(command, engine),
        }
        self.resources.plan(engine);
    }

    fn is_interrupted(&self) -> bool {
        self.observer.wants_end()
    }
}
