//! Subject: policies on clusters with parallel jobs.

use serde_json::json;

use super::{Measure, Prepared, Subject, SubjectError, measure, metrics_of, wanted};
use crate::compare::OWN;
use crate::until::Until;
use gridsat_cluster::{Summary, simulate};
use gridsat_model::Stop;
use gridsat_scenario::Keys;
use gridsat_scenario::clusters::{ClusterChanges, ClusterScenario};

fn seconds(run: &Summary, ticks: f64) -> Option<f64> {
    Some(ticks / run.scale.ticks_per_unit().as_f64())
}

const MEASURES: &[Measure<Summary>] = &[
    measure("wait", "mean wait", "s", |run| seconds(run, run.all.jobs.wait.mean())),
    measure("max_wait", "longest wait", "s", |run| seconds(run, run.all.jobs.wait.most() as f64)),
    measure("flow", "mean time from submission to end", "s", |run| {
        seconds(run, run.all.jobs.flow.mean())
    }),
    measure("slowdown", "mean slowdown", "", |run| Some(run.all.jobs.slowdown.mean())),
    measure("bounded_slowdown", "mean bounded slowdown", "", |run| {
        Some(run.all.jobs.bounded_slowdown.mean())
    }),
    measure("queue_depth", "jobs that wait", "", |run| Some(run.all.queue_depth)),
    measure("utilisation", "utilisation", "%", |run| Some(100.0 * run.all.utilisation)),
    measure("throughput", "throughput", "jobs/h", |run| {
        Some(3600.0 * run.all.throughput * run.scale.ticks_per_unit().as_f64())
    }),
    measure("makespan", "makespan", "s", |run| seconds(run, run.makespan.0.as_f64())),
    measure("finished", "finished jobs", "", |run| Some(run.all.jobs.finished as f64)),
    measure("missed", "missed deadlines", "", |run| Some(run.all.jobs.terms.missed as f64)),
    measure("tardiness", "mean time after the deadline", "s", |run| {
        seconds(run, run.all.jobs.terms.tardiness.mean())
    }),
    measure("migrations", "migrations", "", |run| Some(run.all.jobs.terms.migrations as f64)),
    measure("migration", "time of all migrations", "s", |run| {
        seconds(run, run.all.jobs.terms.migration as f64)
    }),
];

pub(super) const SUBJECT: Subject = Subject {
    name: "clusters",
    defaults: || json!({}),
    metrics: || metrics_of(MEASURES),
    prepare: |settings, context| {
        let scenario = ClusterScenario::of(Keys::of(settings, "", context.folder));
        Ok(Box::new(ClusterRuns {
            scenario: scenario.map_err(SubjectError::Scenario)?,
            measures: wanted(MEASURES, context.metrics)?,
            stop: context.stop.clone(),
        }))
    },
};

struct ClusterRuns {
    scenario: ClusterScenario,
    measures: Vec<&'static Measure<Summary>>,
    stop: Stop,
}

impl Prepared for ClusterRuns {
    fn check(&self, algorithm: &str) -> Result<(), SubjectError> {
        let policy = (algorithm != OWN).then_some(algorithm);
        self.scenario.policy(policy).map(drop).map_err(SubjectError::Scenario)
    }

    fn run(&self, algorithm: &str, seed: u64) -> Result<Vec<Option<f64>>, SubjectError> {
        let policy = (algorithm != OWN).then(|| self.scenario.policy(Some(algorithm)));
        let policy = policy.transpose().map_err(SubjectError::Scenario)?;
        let changes = ClusterChanges { seed: Some(seed), policy };
        let (setup, _) = self.scenario.setup(&changes).map_err(SubjectError::Scenario)?;
        let summary = simulate(setup, &mut Until(&self.stop))?;
        Ok(self.measures.iter().map(|measure| (measure.of)(&summary)).collect())
    }
}
