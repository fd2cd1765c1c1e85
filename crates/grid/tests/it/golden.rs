//! Event logs of small scenarios, checked once by hand and stored in `golden/`. They change only in
//! a commit that says why.

use gridsat_engine::time::Time;
use gridsat_grid::allocation::{AllocationPolicy, Pes};
use gridsat_grid::load::{Average, Calendar, CalendarParts, LocalLoad};
use gridsat_grid::output::{Description, Events, Gantt, Jobs};
use gridsat_grid::{ByHeuristic, Command, Mapper, Mode, OneByOne, ResourceSpec, Setup, simulate};
use gridsat_heuristics::{MinMin, OnLine};
use gridsat_model::Scale;
use gridsat_model::Ticks;
use gridsat_workload::{Demand, JobSpec, list};

/// Ticks per second.
const SECOND: u64 = 1000;

fn resource(name: &str, pes: u32, mips: f64, policy: AllocationPolicy) -> ResourceSpec {
    let pes = Pes::new(&[(pes, mips)]).expect("some PEs");
    ResourceSpec { policy, ..ResourceSpec::new(name, pes) }
}

/// Jobs of one user, in order: arrival in seconds and size in MI.
fn setup(resources: Vec<ResourceSpec>, jobs: &[(u64, f64)]) -> Setup {
    let job = |(number, &(at, size)): (usize, &(u64, f64))| JobSpec {
        name: (number == 0).then(|| String::from("first").into()),
        ..JobSpec::new(Ticks(at * SECOND), Demand::Instructions(size))
    };
    let jobs = list(jobs.iter().enumerate().map(job).collect()).expect("valid jobs");
    let mut setup = Setup::new(resources, OneByOne(OnLine::Mct), jobs);
    setup.schedulers[0].name = "main".to_owned();
    Setup { scale: Scale::new(3).expect("small"), seed: 1, ..setup }
}

/// The log and the table of jobs.
fn run(setup: Setup) -> (String, String) {
    let description = Description::of("golden", &setup);
    let mut events = Events::new(&description, Vec::new());
    let mut jobs = Jobs::new(&description, Vec::new());
    let mut gantt = Gantt::new(&description);
    let mut observers = (&mut events, (&mut jobs, &mut gantt));
    let summary = simulate(setup, &mut observers).expect("runs");
    assert!(gantt.svg(&summary).ends_with("</svg>\n"));
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let log = events.finish(&summary).expect("memory is enough");
    (text(log), text(jobs.finish().expect("memory is enough")))
}

#[track_caller]
fn assert_log(setup: Setup, expected: &str) {
    let (log, _) = run(setup);
    assert_eq!(log, expected, "\n{log}");
}

/// Three Gridlets of 10, 8.5 and 9.5 MI on two PEs of 1 MIPS (table 1 of the GridSim paper).
fn gridlets(policy: AllocationPolicy) -> Setup {
    setup(vec![resource("r0", 2, 1.0, policy)], &[(0, 10.0), (4, 8.5), (7, 9.5)])
}

/// G3 waits for the first free PE.
#[test]
fn space_shared() {
    assert_log(gridlets(AllocationPolicy::SpaceShared), include_str!("golden/space_shared.log"));
}

/// From 7 to 10 G2 and G3 share the second PE; then each has its own.
#[test]
fn time_shared_gridsim() {
    assert_log(gridlets(AllocationPolicy::GridSim), include_str!("golden/time_shared_gridsim.log"));
}

/// From 7 on each of the three has two thirds of a PE, until G1 is complete.
#[test]
fn time_shared() {
    assert_log(gridlets(AllocationPolicy::Equal), include_str!("golden/time_shared.log"));
}

/// From 7 on G1 and G3 share a PE. At 12.5 the other is free and G3 moves there.
#[test]
fn time_shared_gsim() {
    assert_log(gridlets(AllocationPolicy::GSim), include_str!("golden/time_shared_gsim.log"));
}

/// Every 10 s, only jobs that can start within 10 s are sent; the others wait at the scheduler.
#[test]
fn time_limit() {
    let resources = ["fast", "slow one"].map(|name| {
        let mips = if name == "fast" { 2.0 } else { 1.0 };
        resource(name, 1, mips, AllocationPolicy::SpaceShared)
    });
    let jobs = [(1, 30.0), (2, 16.0), (3, 24.0), (4, 40.0), (11, 6.0)];
    let mut setup = setup(resources.into(), &jobs);
    let mapper: Box<dyn Mapper> = Box::new(ByHeuristic(&MinMin));
    setup.schedulers[0].mapper = mapper;
    setup.schedulers[0].mode = Mode::TimeLimit(Ticks(10 * SECOND));
    assert_log(setup, include_str!("golden/time_limit.log"));
}

/// Half the speed from noon to midnight: 20 h of work take 12 + 12 + 2 h.
#[test]
fn local_load() {
    let parts =
        CalendarParts { weekdays: vec![0, 50], weekends: vec![0], ..CalendarParts::default() };
    let calendar = Average::Calendar(Calendar::new(parts).expect("valid"));
    let mut resource = resource("r0", 1, 1.0, AllocationPolicy::SpaceShared);
    resource.load = LocalLoad::new(calendar, None, None).expect("valid");
    assert_log(setup(vec![resource], &[(0, 72_000.0)]), include_str!("golden/local_load.log"));
}

fn interfered() -> Setup {
    let one = resource("r0", 1, 1.0, AllocationPolicy::SpaceShared);
    let mut setup = setup(vec![one], &[(0, 10.0), (0, 5.0), (1, 4.0), (2, 2.0)]);
    setup.commands = [
        (3, Command::Halt(0)),
        (4, Command::Cancel(3)),
        (5, Command::Resume(0)),
        (6, Command::Cancel(1)),
        (7, Command::Halt(9)),
    ]
    .map(|(at, command)| (Time(Ticks(at * SECOND)), command))
    .into();
    setup
}

/// Job 0 keeps its 3 s of progress and queues again.
#[test]
fn halt_resume_cancel() {
    assert_log(interfered(), include_str!("golden/halt_resume_cancel.log"));
}

#[test]
fn table_of_jobs() {
    let (_, jobs) = run(interfered());
    assert_eq!(jobs, include_str!("golden/table_of_jobs.csv"), "\n{jobs}");
}
