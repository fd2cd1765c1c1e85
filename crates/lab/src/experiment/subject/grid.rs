//! Subject: scheduling policies in a scenario of a grid.

use serde_json::{Value, json};

use super::worlds::Worlds;
use super::{Context, Measure, Prepared, Subject, SubjectError, measure, metrics_of, wanted};
use crate::compare::{OWN, jobs_and_bound};
use crate::until::Until;
use gridsat_grid::{Setup, Summary, simulate};
use gridsat_model::Stop;
use gridsat_scenario::{Changes, Keys, Policies, Scenario};

/// A run, and the lower bound on its makespan in seconds, if a metric needs it.
struct Simulated {
    summary: Summary,
    bound: Option<f64>,
}

impl Simulated {
    fn seconds(&self, ticks: f64) -> f64 {
        ticks / self.summary.scale.ticks_per_unit().as_f64()
    }

    fn makespan(&self) -> f64 {
        self.seconds(self.summary.counts.makespan.0.as_f64())
    }

    /// `None` if jobs were not finished, because the ratio would mean nothing.
    fn ratio(&self) -> Option<f64> {
        let counts = &self.summary.counts;
        let bound = self.bound.filter(|&bound| bound > 0.0 && counts.finished == counts.submitted);
        bound.map(|bound| self.makespan() / bound)
    }
}

fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then_some(100.0 * part / whole)
}

const MEASURES: &[Measure<Simulated>] = &[
    measure("makespan", "makespan", "s", |run| Some(run.makespan())),
    measure("mean_jobs", "jobs at a resource", "", |run| Some(run.summary.mean_jobs())),
    measure("flow", "mean time from arrival to end", "s", |run| {
        Some(run.seconds(run.summary.counts.flow.mean()))
    }),
    measure("wait", "mean time from arrival to start", "s", |run| {
        Some(run.seconds(run.summary.counts.wait.mean()))
    }),
    measure("utilisation", "utilisation", "%", |run| Some(100.0 * run.summary.utilisation)),
    measure(BOUND, "lower bound of the makespan", "s", |run| run.bound),
    measure(RATIO, "makespan over its lower bound", "", Simulated::ratio),
    measure("finished", "finished jobs", "", |run| Some(run.summary.counts.finished as f64)),
    measure("lost_jobs", "lost jobs", "%", |run| {
        let counts = &run.summary.counts;
        share(counts.lost as f64, (counts.lost + counts.finished) as f64)
    }),
    measure("lost_work", "lost work", "%", |run| {
        let accounts = &run.summary.accounts;
        share(accounts.lost.0 as f64, accounts.given.0 as f64)
    }),
    measure("useful_work", "useful work", "%", |run| {
        let accounts = &run.summary.accounts;
        share(accounts.useful.0 as f64, accounts.given.0 as f64)
    }),
    measure("downtime", "downtime", "%", |run| Some(100.0 * run.summary.downtime)),
    measure("spent", "money spent", "", |run| Some(run.summary.counts.spent.0 as f64 / 1e6)),
    measure("missed", "missed deadlines", "", |run| Some(run.summary.counts.missed as f64)),
    measure("proven", "batches proven optimal", "%", |run| {
        Some(100.0 * run.summary.all_proofs()?.share()?)
    }),
    measure("largest_gap", "largest gap of a batch to its optimum", "%", |run| {
        Some(100.0 * run.summary.all_proofs()?.largest_gap)
    }),
    measure("decisions", "decisions", "", |run| Some(run.summary.decisions as f64)),
];

const BOUND: &str = "bound";
const RATIO: &str = "ratio";

pub(super) const SUBJECT: Subject = Subject {
    name: "grid",
    defaults: || json!({}),
    metrics: || metrics_of(MEASURES),
    prepare: |settings, context| Ok(Box::new(GridRuns::new(settings, context)?)),
};

/// Runs of a grid, which other modules may simulate differently.
pub(crate) struct GridRuns {
    scenario: Scenario,
    measures: Vec<&'static Measure<Simulated>>,
    needs_bound: bool,
    /// Lower bounds in seconds; the same for all algorithms of a world.
    bounds: Worlds<f64>,
    stop: Stop,
}

impl GridRuns {
    pub(crate) fn new(settings: &Value, context: &Context<'_>) -> Result<Self, SubjectError> {
        let keys = Keys::of(settings, "", context.folder);
        let scenario = Scenario::of(keys, &Policies::built_in());
        Ok(Self {
            scenario: scenario.map_err(SubjectError::Scenario)?,
            measures: wanted(MEASURES, context.metrics)?,
            needs_bound: context.metrics.iter().any(|name| name == BOUND || name == RATIO),
            bounds: Worlds::default(),
            stop: context.stop.clone(),
        })
    }

    pub(crate) fn setup(&self, algorithm: &str, seed: u64) -> Result<Setup, SubjectError> {
        let policy = (algorithm != OWN).then(|| self.scenario.policy(algorithm)).transpose();
        let setup = policy.and_then(|policy| {
            self.scenario.setup(&Changes {
                seed: Some(seed),
                policy,
                stop: self.stop.clone(),
                ..Changes::default()
            })
        });
        setup.map_err(SubjectError::Scenario)
    }

    /// The metrics of a simulation with this seed.
    pub(crate) fn values(
        &self,
        summary: Summary,
        seed: u64,
    ) -> Result<Vec<Option<f64>>, SubjectError> {
        let bound = || self.bounds.within(seed, || self.bound(seed), |&bound| Ok(bound));
        let bound = self.needs_bound.then(bound).transpose()?;
        let run = Simulated { summary, bound };
        Ok(self.measures.iter().map(|measure| (measure.of)(&run)).collect())
    }

    fn bound(&self, seed: u64) -> Result<f64, SubjectError> {
        let known = jobs_and_bound(self.setup(OWN, seed)?, &self.stop);
        known.map(|(_, bound)| bound).ok_or(SubjectError::Interrupted)
    }
}

impl Prepared for GridRuns {
    fn check(&self, algorithm: &str) -> Result<(), SubjectError> {
        let policy = (algorithm != OWN).then(|| self.scenario.policy(algorithm));
        policy.transpose().map(drop).map_err(SubjectError::Scenario)
    }

    fn run(&self, algorithm: &str, seed: u64) -> Result<Vec<Option<f64>>, SubjectError> {
        let summary = simulate(self.setup(algorithm, seed)?, &mut Until(&self.stop));
        self.values(summary?, seed)
    }
}
