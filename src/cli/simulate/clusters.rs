//! Simulates clusters with parallel jobs, from a scenario or a trace.

use std::io::{self, Write};
use std::path::Path;

use gridsat_cluster::statistics::{JobCsv, csv, object};
use gridsat_cluster::view::Recorder;
use gridsat_cluster::{ClusterError, ClusterEvents, Observer, Setup, Summary, simulate};
use gridsat_engine::End;
use gridsat_files::Draft;
use gridsat_model::text::printable;
use gridsat_scenario::clusters::{ClusterChanges, ClusterScenario, SwfLog};
use gridsat_workload::swf::TraceCounts;
use serde::Serialize;

use super::super::args::SimulateArgs;
use super::super::exit::{Exit, Failure};
use super::super::output::print;
use super::super::signals;
use super::super::table::line;
use super::cluster_table;
use super::watch::Watch;
use super::window;
use super::{open, told};

pub fn run(args: &SimulateArgs, path: &Path, scenario: &ClusterScenario) -> Result<Exit, Failure> {
    let policy = scenario.policy(args.policy.as_deref()).map_err(Failure::input)?;
    let changes = ClusterChanges { seed: args.seed, policy: Some(policy) };
    let (setup, tally) = scenario.setup(&changes).map_err(Failure::input)?;
    let own = scenario.outputs();
    let places = [(&args.jobs, &own.jobs), (&args.swf, &own.swf), (&args.view, &own.view)];
    let [jobs, swf, view] = super::places(args, places)?;
    let window = window::of(args, view, setup.scale)?;
    let mut watch = Watch::new(signals::interrupt(), setup.scale, &args.output);
    let mut files = ClusterFiles::open(jobs, swf, &setup)?;
    let seed = args.seed.unwrap_or(scenario.seed());
    let view = open(view, Ok)?;
    let recorder = || Recorder::new(scenario.name(), Some(seed), &setup).within(window);
    files.view = view.is_some().then(recorder);
    watch.begins(scenario.name(), seed, &policy.name());
    let summary = simulate(setup, &mut (&mut watch, files.observers()));
    let summary = summary.map_err(|error| failure(path, error))?;
    watch.ended(summary.end.name(), summary.events);
    let viewed = match (view, files.view.take()) {
        (Some((path, mut page)), Some(recorder)) => {
            window::check(window, &summary).and_then(|()| {
                told(path, recorder.write(&summary, &mut page).and_then(|()| page.finish()))
            })
        }
        _ => Ok(()),
    };
    let kept = viewed.and(files.finish());
    let policy = policy.name();
    let report = Report { scenario, seed, policy, summary: &summary, tally: tally.get() };
    let printed =
        print(&args.output.to, |out| report.table(out), || report.json(), |out| csv(&summary, out));
    kept.and(printed)?;
    Ok(if summary.end == End::Interrupted { Exit::Stopped } else { Exit::Answered })
}

/// Errors in jobs are reported with the file name; those in traces contain it already.
pub fn failure(path: &Path, error: ClusterError) -> Failure {
    let (file, what) = (path.display().to_string(), error.to_string());
    let error = anyhow::Error::new(error);
    Failure::BadInput(if what.starts_with(&file) { error } else { error.context(file) })
}

/// Files that are written while the simulation runs.
struct ClusterFiles<'a> {
    jobs: Option<(&'a Path, JobCsv<Draft>)>,
    swf: Option<(&'a Path, SwfLog<Draft>)>,
    /// Records the playback page, which is written at the end.
    view: Option<Recorder>,
}

impl<'a> ClusterFiles<'a> {
    fn open(jobs: Option<&'a Path>, swf: Option<&'a Path>, setup: &Setup) -> Result<Self, Failure> {
        let jobs = open(jobs, |draft| Ok(JobCsv::new(draft, setup.scale, setup.has_terms)))?;
        Ok(Self { jobs, swf: open(swf, |draft| SwfLog::new(draft, setup))?, view: None })
    }

    /// All observers of the simulation.
    fn observers(&mut self) -> Vec<&mut dyn Observer<ClusterEvents>> {
        let jobs = self.jobs.as_mut().map(|(_, jobs)| jobs as _);
        let swf = self.swf.as_mut().map(|(_, swf)| swf as _);
        let view = self.view.as_mut().map(|view| view as _);
        [jobs, swf, view].into_iter().flatten().collect()
    }

    /// Closes all files; an error in one does not prevent the others from being written.
    fn finish(self) -> Result<(), Failure> {
        let jobs = self
            .jobs
            .map_or(Ok(()), |(path, jobs)| told(path, jobs.finish().and_then(Draft::finish)));
        let swf =
            self.swf.map_or(Ok(()), |(path, swf)| told(path, swf.finish().and_then(Draft::finish)));
        jobs.and(swf)
    }
}

struct Report<'a> {
    scenario: &'a ClusterScenario,
    seed: u64,
    policy: String,
    summary: &'a Summary,
    tally: Option<TraceCounts>,
}

/// Format and version of the object.
const FORMAT: &str = "gridsat-cluster-simulation 1";

/// The object printed by `--format json`; scripts rely on its field names.
#[derive(Serialize)]
struct Json<'a, S: Serialize> {
    format: &'static str,
    gridsat: &'static str,
    scenario: &'a str,
    seed: u64,
    policy: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    trace: Option<JsonTrace>,
    #[serde(flatten)]
    summary: S,
}

#[derive(Serialize)]
struct JsonTrace {
    file: String,
    records: u64,
    jobs: u64,
    passed_over: u64,
    zero_run: u64,
    no_estimate: u64,
    underestimated: u64,
}

impl Report<'_> {
    fn json(&self) -> Json<'_, impl Serialize> {
        Json {
            format: FORMAT,
            gridsat: gridsat_model::VERSION,
            scenario: self.scenario.name(),
            seed: self.seed,
            policy: &self.policy,
            trace: self.trace(),
            summary: object(self.summary),
        }
    }

    fn trace(&self) -> Option<JsonTrace> {
        let (file, tally) = (self.scenario.trace_path()?, self.tally?);
        Some(JsonTrace {
            file: file.display().to_string(),
            records: tally.records,
            jobs: tally.jobs,
            passed_over: tally.skipped(),
            zero_run: tally.zero_run,
            no_estimate: tally.no_estimate,
            underestimated: tally.underestimated,
        })
    }

    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        let (name, version) = (printable(self.scenario.name()), gridsat_model::VERSION);
        writeln!(out, "{name}, seed {} (gridsat {version})", self.seed)?;
        line(out, "policy", &self.policy)?;
        if let Some(trace) = self.trace() {
            let JsonTrace { records, jobs, passed_over, underestimated, .. } = trace;
            let counts = format!(
                "{records} records, {passed_over} passed over, {jobs} jobs, {underestimated} \
                 longer than estimated"
            );
            line(out, "trace", &format!("{}: {counts}", printable(&trace.file)))?;
        }
        cluster_table::write(out, self.summary)
    }
}
