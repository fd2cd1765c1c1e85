//! The command `gridsat simulate`: grids here, clusters and checks in submodules.

mod check;
mod cluster_table;
mod clusters;
mod table;
mod watch;
mod window;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use gridsat_engine::End;
use gridsat_files::Draft;
use gridsat_grid::output::{Description, Events, Gantt, Jobs, Report, Users};
use gridsat_grid::{GridEvents, Observer, SimError, Summary, simulate};
use gridsat_outside::is_program;
use gridsat_scenario::clusters::ClusterScenario;
use gridsat_scenario::{AnyScenario, Changes, Scenario};

pub use self::clusters::failure as cluster_failure;
use self::watch::Watch;
use super::args::{CheckArg, Format, SimulateArgs};
use super::exit::{Exit, Failure};
use super::output::{on_one_line, write_result};
use super::{input, picture, signals};

pub fn run(args: &SimulateArgs) -> Result<Exit, Failure> {
    let path = match (&args.scenario, args.check) {
        (rows, Some(CheckArg::Mmm)) => return check::run(args, rows.as_deref()),
        (None, None) => return Err(Failure::BadInput(anyhow!("SCENARIO is missing"))),
        (Some(path), None) => path,
    };
    if input::is_trace(path) {
        check_options(args, Kind::Trace)?;
        let options = args.trace.options();
        let scenario = ClusterScenario::of_trace(path, options).map_err(Failure::input)?;
        return clusters::run(args, path, &scenario);
    }
    match input::scenario(path)? {
        AnyScenario::Grid(scenario) => {
            check_options(args, Kind::Grid)?;
            grid(args, &scenario)
        }
        AnyScenario::Clusters(scenario) => {
            check_options(args, Kind::Clusters)?;
            clusters::run(args, path, &scenario)
        }
    }
}

/// The kind of simulation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Grid,
    Clusters,
    Trace,
}

/// Rejects options that this kind of simulation does not use, which would otherwise be ignored
/// silently.
fn check_options(args: &SimulateArgs, kind: Kind) -> Result<(), Failure> {
    const SEARCHES: &str = "searches are policies of grids";
    const VIEW: &str = "--view PATH writes a page that plays the run back";
    const GANTT: &str = "--gantt PATH draws when and where jobs ran";
    const JOBS: &str = "--jobs PATH writes one row per job";
    const NODES: &str = "clusters of a scenario have nodes in [[cluster]]";
    const LENIENT: &str = "scenarios with a trace have lenient = true in [jobs]";
    const BATCHES: &str = "only batches of grids are mapped with proofs";
    let options: [(&str, bool, &[Kind], &str); 11] = [
        ("--evaluations", args.evaluations.is_some(), &[Kind::Grid], SEARCHES),
        ("--users", args.users.is_some(), &[Kind::Grid], JOBS),
        ("--gantt", args.gantt.is_some(), &[Kind::Grid], VIEW),
        ("--events", args.events.is_some(), &[Kind::Grid], JOBS),
        ("--certificates", args.certificates.is_some(), &[Kind::Grid], BATCHES),
        ("--swf", args.swf.is_some(), &[Kind::Clusters, Kind::Trace], JOBS),
        ("--view", args.view.is_some(), &[Kind::Clusters, Kind::Trace], GANTT),
        ("--from", args.from.is_some(), &[Kind::Clusters, Kind::Trace], GANTT),
        ("--to", args.to.is_some(), &[Kind::Clusters, Kind::Trace], GANTT),
        ("--nodes", args.trace.nodes.is_some(), &[Kind::Trace], NODES),
        ("--lenient", args.trace.lenient, &[Kind::Trace], LENIENT),
    ];
    let wrong = options.iter().find(|(_, is_given, kinds, _)| *is_given && !kinds.contains(&kind));
    let Some((option, .., instead)) = wrong else { return Ok(()) };
    let kind = match kind {
        Kind::Grid => "a grid",
        Kind::Clusters => "a scenario of clusters",
        Kind::Trace => "a trace",
    };
    Err(Failure::BadInput(anyhow!("{option} is not for {kind}; {instead}")))
}

fn grid(args: &SimulateArgs, scenario: &Scenario) -> Result<Exit, Failure> {
    let own = scenario.outputs();
    let places = [
        (&args.jobs, &own.jobs),
        (&args.users, &own.users),
        (&args.gantt, &own.gantt),
        (&args.events, &own.events),
    ];
    let places = self::places(args, places)?;
    own.gantt.as_deref().map_or(Ok(()), picture::check)?;
    let stop = signals::interrupt();
    let policy = args.policy.as_deref().map(|name| scenario.policy(name)).transpose();
    let policy = policy.map_err(Failure::input)?;
    let (seed, evaluations) = (args.seed, args.evaluations);
    let certificates = args.certificates.clone();
    let changes = Changes { seed, policy, evaluations, stop: stop.clone(), certificates };
    let mut setup = scenario.setup(&changes).map_err(Failure::input)?;
    setup.timing = !args.output.no_times;
    args.certificates.as_deref().map_or(Ok(()), empty_folder)?;
    let description = Description::of(scenario.name(), &setup);
    let mut watch = Watch::new(stop, setup.scale, &args.output);
    watch.begins(scenario.name(), description.seed, &description.policies());
    let mut files = GridFiles::open(places, &description)?;
    let summary = simulate(setup, &mut (&mut watch, files.observers())).map_err(failure)?;
    watch.ended(summary.end_name(), summary.events);
    let kept = files.finish(&summary);
    let report = Report { description: &description, summary: &summary };
    let output = &args.output.to;
    let printed =
        write_result(output.output.as_deref(), output.format.into(), |out| match output.format {
            Format::Table => table::write(out, &report),
            Format::Json => report.write_json(out),
            Format::Jsonl => on_one_line(out, |out| report.write_json(out)),
            Format::Csv => report.write_csv(out),
        });
    kept.and(printed)?;
    Ok(exit(&summary))
}

/// Makes the folder. What is left of another run would be taken for part of this one.
fn empty_folder(path: &Path) -> Result<(), Failure> {
    let read = fs::create_dir_all(path).and_then(|()| fs::read_dir(path));
    let first = read.with_context(|| path.display().to_string()).map_err(Failure::BadInput)?.next();
    match first {
        None => Ok(()),
        Some(_) => Err(Failure::BadInput(anyhow!(
            "--certificates {}: the folder is not empty: name another one",
            path.display()
        ))),
    }
}

/// Reaching a limit of the scenario is an answer; being stuck or interrupted is not.
fn exit(summary: &Summary) -> Exit {
    let is_stopped = summary.end == End::Interrupted || summary.stuck.is_some();
    if is_stopped { Exit::Stopped } else { Exit::Answered }
}

/// An impossible request in a scenario is invalid input.
fn failure(error: SimError) -> Failure {
    match error {
        SimError::Allocation { .. }
        | SimError::Circle(_)
        | SimError::Peer(_)
        | SimError::Current(_)
        | SimError::Exact(_)
        | SimError::Reservation { .. }
        | SimError::NoReservation { .. }
        | SimError::Source(_)
        | SimError::NowhereToRun { .. } => Failure::input(error),
        // Programs of others are for the user to correct.
        SimError::Mapper { error: ref why, .. } if is_program(&why.0) => Failure::input(error),
        SimError::Refused { .. } | SimError::Route(_) | SimError::Mapper { .. } => {
            Failure::internal(error)
        }
    }
}

/// The paths of output files: from the command line, or else from the scenario, all different.
fn places<'a, const N: usize>(
    args: &'a SimulateArgs,
    places: [(&'a Option<PathBuf>, &'a Option<PathBuf>); N],
) -> Result<[Option<&'a Path>; N], Failure> {
    let places = places.map(|(given, own)| given.as_deref().or(own.as_deref()));
    let result = args.output.to.output.as_deref();
    super::places::distinct(result.into_iter().chain(places.into_iter().flatten()))?;
    Ok(places)
}

/// Files that are written while the simulation runs. They are opened first, so that a missing
/// folder is reported at once rather than after hours.
struct GridFiles<'a> {
    jobs: Option<(&'a Path, Jobs<'a, Draft>)>,
    users: Option<(&'a Path, (Draft, Users<'a>))>,
    events: Option<(&'a Path, Events<'a, Draft>)>,
    gantt: Option<(&'a Path, (Draft, Gantt<'a>))>,
}

impl<'a> GridFiles<'a> {
    fn open(places: [Option<&'a Path>; 4], description: &'a Description) -> Result<Self, Failure> {
        let [jobs, users, gantt, events] = places;
        Ok(Self {
            jobs: open(jobs, |draft| Ok(Jobs::new(description, draft)))?,
            users: open(users, |draft| Ok((draft, Users::new(description))))?,
            events: open(events, |draft| Ok(Events::new(description, draft)))?,
            gantt: open(gantt, |draft| Ok((draft, Gantt::new(description))))?,
        })
    }

    /// All observers of the simulation.
    fn observers(&mut self) -> Vec<&mut dyn Observer<GridEvents>> {
        let jobs = self.jobs.as_mut().map(|(_, jobs)| jobs as _);
        let users = self.users.as_mut().map(|(_, (_, users))| users as _);
        let events = self.events.as_mut().map(|(_, events)| events as _);
        let gantt = self.gantt.as_mut().map(|(_, (_, gantt))| gantt as _);
        [jobs, users, events, gantt].into_iter().flatten().collect()
    }

    /// Closes all files; an error in one does not prevent the others from being written.
    fn finish(self, summary: &Summary) -> Result<(), Failure> {
        let jobs = self
            .jobs
            .map_or(Ok(()), |(path, jobs)| told(path, jobs.finish().and_then(Draft::finish)));
        let users = self.users.map_or(Ok(()), |(path, (mut draft, users))| {
            told(path, users.write(summary, &mut draft).and_then(|()| draft.finish()))
        });
        let events = self.events.map_or(Ok(()), |(path, events)| {
            told(path, events.finish(summary).and_then(Draft::finish))
        });
        let gantt = self.gantt.map_or(Ok(()), |(path, (mut draft, gantt))| {
            let drawn = picture::bytes(path, gantt.svg(summary));
            let written = drawn.and_then(|bytes| draft.write_all(&bytes));
            told(path, written.and_then(|()| draft.finish()))
        });
        jobs.and(users).and(events).and(gantt)
    }
}

/// Opens a file, if there is a path for it, with its writer.
fn open<W>(
    place: Option<&Path>,
    writer: impl FnOnce(Draft) -> io::Result<W>,
) -> Result<Option<(&Path, W)>, Failure> {
    let open = |path| {
        super::places::file(path)?;
        Ok((path, told(path, Draft::new(path).and_then(writer))?))
    };
    place.map(open).transpose()
}

/// Adds the file name to an error.
fn told<T>(path: &Path, result: io::Result<T>) -> Result<T, Failure> {
    result.with_context(|| path.display().to_string()).map_err(Failure::Internal)
}
