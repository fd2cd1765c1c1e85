//! `simulate`: scenarios of grids and clusters, and traces.

use std::borrow::Cow;
use std::path::PathBuf;

use gridsat_cluster::ClusterEvents;
use gridsat_cluster::statistics::JobCsv;
use gridsat_cluster::view::Recorder;
use gridsat_engine::Observer;
use gridsat_grid::GridEvents;
use gridsat_grid::output::{Description, Events, Gantt, Jobs, Report};
use gridsat_lab::compare::OWN;
use gridsat_model::Stop;
use gridsat_scenario::clusters::{ClusterChanges, ClusterScenario, TraceOptions};
use gridsat_scenario::{AnyScenario, Changes, Policies, Scenario, ScenarioError, Syntax, Text};
use pyo3::prelude::*;

use crate::policy::{self, Own, Raised};
use crate::queue_rule::{self, Current};
use crate::{background, error};

/// Where a scenario is: a text in memory, a file, or a trace.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Source {
    path: PathBuf,
    text: Option<String>,
    is_json: bool,
    is_trace: bool,
    nodes: Option<u32>,
    lenient: bool,
}

impl Source {
    pub fn read(&self, py: Python<'_>, policies: &Policies) -> PyResult<AnyScenario> {
        if self.is_trace {
            let options = TraceOptions { nodes: self.nodes, lenient: self.lenient };
            let scenario = py.detach(|| ClusterScenario::of_trace(&self.path, options));
            let scenario = scenario.map_err(|error| error::input(py, error))?;
            return Ok(AnyScenario::Clusters(Box::new(scenario)));
        }
        let text = match &self.text {
            Some(text) => Text {
                text: text.clone(),
                syntax: if self.is_json { Syntax::Json } else { Syntax::Toml },
                shown: Cow::Borrowed("scenario"),
                folder: &self.path,
            },
            None => Text::load(&self.path).map_err(|error| error::scenario(py, &error))?,
        };
        AnyScenario::of(text.keys(), policies).map_err(|error| error::scenario(py, &error))
    }
}

/// What to keep of a run besides its summary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Keep {
    jobs: bool,
    events: bool,
    picture: bool,
}

/// Results of a run: kind, policy and seed, the summary as JSON, tables as CSV, a picture or page.
#[pyclass(frozen, get_all, module = "gridsat._native")]
pub struct Simulated {
    kind: &'static str,
    name: String,
    policy: String,
    seed: u64,
    end: String,
    makespan: f64,
    summary: String,
    jobs: Option<Vec<u8>>,
    events: Option<Vec<u8>>,
    picture: Option<String>,
}

/// Why there is no result.
enum Failed {
    Scenario(ScenarioError),
    Run(String),
}

impl From<ScenarioError> for Failed {
    fn from(error: ScenarioError) -> Self {
        Self::Scenario(error)
    }
}

impl Failed {
    fn run(error: impl ToString) -> Self {
        Self::Run(error.to_string())
    }
}

/// Simulates; `policy` is a name, and `own` are the policies that are written in Python.
#[pyfunction]
pub fn simulate(
    py: Python<'_>,
    source: Source,
    policy: Option<&str>,
    own: Vec<Own>,
    seed: Option<u64>,
    keep: Keep,
) -> PyResult<(Simulated, Option<PyErr>)> {
    let (raised, stop) = (Raised::default(), Stop::never());
    let policies = policy::with(&own, &raised)?;
    let scenario = source.read(py, &policies)?;
    let work = || match scenario {
        AnyScenario::Grid(scenario) => grid(&scenario, policy, seed, &keep, &stop),
        AnyScenario::Clusters(scenario) => {
            let rule = own.into_iter().find(|own| Some(own.name.as_str()) == policy);
            clusters(&scenario, (policy, rule), seed, &keep, (&stop, &raised))
        }
    };
    let ended = background::quietly(py, &stop, work)?;
    if let Some(error) = raised.take() {
        return Err(error);
    }
    match ended.result {
        Ok(simulated) => Ok((simulated, ended.exception)),
        Err(_) if ended.exception.is_some() => Err(ended.exception.expect("it is there")),
        Err(Failed::Scenario(error)) => Err(error::scenario(py, &error)),
        Err(Failed::Run(message)) => Err(error::input(py, message)),
    }
}

/// Ends a simulation.
struct Until<'a>(&'a Stop);

macro_rules! until {
    ($($events:ty),*) => {$(
        impl Observer<$events> for Until<'_> {
            fn wants_end(&self) -> bool {
                self.0.is_requested()
            }

            fn follows_events(&self) -> bool {
                false
            }

            fn follows_jobs(&self) -> bool {
                false
            }
        }
    )*};
}
until!(GridEvents, ClusterEvents);

fn grid(
    scenario: &Scenario,
    policy: Option<&str>,
    seed: Option<u64>,
    keep: &Keep,
    stop: &Stop,
) -> Result<Simulated, Failed> {
    let policy =
        policy.filter(|name| *name != OWN).map(|name| scenario.policy(name)).transpose()?;
    let name = policy.as_ref().map(|policy| policy.name.to_owned());
    let mut setup =
        scenario.setup(&Changes { seed, policy, stop: stop.clone(), ..Changes::default() })?;
    setup.timing = false;
    let scale = setup.scale;
    let description = Description::of(scenario.name(), &setup);
    let mut jobs = keep.jobs.then(|| Jobs::new(&description, Vec::new()));
    let mut events = keep.events.then(|| Events::new(&description, Vec::new()));
    let mut gantt = keep.picture.then(|| Gantt::new(&description));
    let kept = ((&mut jobs, &mut events), &mut gantt);
    let mut observers = (Until(stop), kept);
    let summary = gridsat_grid::simulate(setup, &mut observers).map_err(Failed::run)?;
    let report = Report { description: &description, summary: &summary };
    let mut text = Vec::new();
    report.write_json(&mut text).map_err(Failed::run)?;
    Ok(Simulated {
        kind: "grid",
        name: scenario.name().to_owned(),
        policy: name.unwrap_or_else(|| description.policies()),
        seed: description.seed,
        end: summary.end_name().to_owned(),
        makespan: scale.display(summary.counts.makespan.0).as_f64(),
        summary: String::from_utf8(text).map_err(Failed::run)?,
        jobs: jobs.map(Jobs::finish).transpose().map_err(Failed::run)?,
        events: events.map(|events| events.finish(&summary)).transpose().map_err(Failed::run)?,
        picture: gantt.map(|gantt| gantt.svg(&summary)),
    })
}

fn clusters(
    scenario: &ClusterScenario,
    (name, own): (Option<&str>, Option<Own>),
    seed: Option<u64>,
    keep: &Keep,
    (stop, raised): (&Stop, &Raised),
) -> Result<Simulated, Failed> {
    if keep.events {
        return Err(Failed::run("a simulation of clusters has no list of events; see jobs"));
    }
    let policy = match &own {
        Some(own) => queue_rule::policy(&own.name),
        None => scenario.policy(name.filter(|name| *name != OWN))?,
    };
    let (setup, _) = scenario.setup(&ClusterChanges { seed, policy: Some(policy) })?;
    let (scale, seed) = (setup.scale, seed.unwrap_or(scenario.seed()));
    let mut jobs = keep.jobs.then(|| JobCsv::new(Vec::new(), scale, setup.has_terms));
    let mut view = keep.picture.then(|| Recorder::new(scenario.name(), Some(seed), &setup));
    let mut observers = (Until(stop), (&mut jobs, &mut view));
    let policy = policy.name();
    let work = || gridsat_cluster::simulate(setup, &mut observers);
    let summary = match own {
        Some(own) => {
            let (functions, raised, stop) = (vec![own], raised.clone(), stop.clone());
            queue_rule::during(Current { functions, scale, raised, stop }, work)
        }
        None => work(),
    };
    let summary = summary.map_err(Failed::run)?;
    let mut text = Vec::new();
    gridsat_cluster::statistics::json(&summary, &mut text).map_err(Failed::run)?;
    let page = |view: Recorder| {
        let mut page = Vec::new();
        view.write(&summary, &mut page).map_err(Failed::run)?;
        String::from_utf8(page).map_err(Failed::run)
    };
    Ok(Simulated {
        kind: "clusters",
        name: scenario.name().to_owned(),
        policy,
        seed,
        end: summary.end.name().to_owned(),
        makespan: scale.display(summary.makespan.0).as_f64(),
        summary: String::from_utf8(text).map_err(Failed::run)?,
        jobs: jobs.map(JobCsv::finish).transpose().map_err(Failed::run)?,
        events: None,
        picture: view.map(page).transpose()?,
    })
}

/// The text of a built-in scenario.
#[pyfunction]
pub fn template(name: &str) -> Option<&'static str> {
    gridsat_scenario::template(name).map(|template| template.text)
}

/// Names and titles of all built-in scenarios.
#[pyfunction]
pub fn templates() -> Vec<(&'static str, &'static str)> {
    gridsat_scenario::templates().map(|one| (one.name, one.title)).collect()
}
