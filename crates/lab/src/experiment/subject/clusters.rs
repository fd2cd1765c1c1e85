//! Policies on clusters with parallel jobs.

use serde_json::{Value, json};

use super::{Context, Measure, Metric, Prepared, Subject, SubjectError, Until, metrics_of, wanted};
use crate::compare::OWN;
use gridsat_cluster::{QueuePolicy, Summary, simulate};
use gridsat_model::Stop;
use gridsat_scenario::Keys;
use gridsat_scenario::clusters::{ClusterChanges, ClusterScenario};

pub(super) struct Clusters;

fn seconds(run: &Summary, ticks: f64) -> Option<f64> {
    Some(ticks / run.scale.ticks_per_unit().as_f64())
}

const MEASURES: &[Measure<Summary>] = &[
    Measure {
        name: "wait",
        title: "mean wait",
        unit: "s",
        of: |run| seconds(run, run.all.jobs.wait.mean()),
    },
    Measure {
        name: "max_wait",
        title: "longest wait",
        unit: "s",
        of: |run| seconds(run, run.all.jobs.wait.most() as f64),
    },
    Measure {
        name: "flow",
        title: "mean time from submission to end",
        unit: "s",
        of: |run| seconds(run, run.all.jobs.flow.mean()),
    },
    Measure {
        name: "slowdown",
        title: "mean slowdown",
        unit: "",
        of: |run| Some(run.all.jobs.slowdown.mean()),
    },
    Measure {
        name: "bounded_slowdown",
        title: "mean bounded slowdown",
        unit: "",
        of: |run| Some(run.all.jobs.bounded_slowdown.mean()),
    },
    Measure {
        name: "queue_depth",
        title: "jobs that wait",
        unit: "",
        of: |run| Some(run.all.queue_depth),
    },
    Measure {
        name: "utilisation",
        title: "utilisation",
        unit: "%",
        of: |run| Some(100.0 * run.all.utilisation),
    },
    Measure {
        name: "throughput",
        title: "throughput",
        unit: "jobs/h",
        of: |run| Some(3600.0 * run.all.throughput * run.scale.ticks_per_unit().as_f64()),
    },
    Measure {
        name: "makespan",
        title: "makespan",
        unit: "s",
        of: |run| seconds(run, run.makespan.0.as_f64()),
    },
    Measure {
        name: "finished",
        title: "finished jobs",
        unit: "",
        of: |run| Some(run.all.jobs.finished as f64),
    },
];

impl Subject for Clusters {
    fn name(&self) -> &'static str {
        "clusters"
    }

    fn about(&self) -> &'static str {
        "policies on clusters with parallel jobs"
    }

    fn defaults(&self) -> Value {
        json!({})
    }

    fn algorithms(&self) -> Vec<String> {
        let names = QueuePolicy::all().into_iter().map(|policy| policy.name());
        names.chain([OWN.to_owned()]).collect()
    }

    fn metrics(&self) -> Vec<Metric> {
        metrics_of(MEASURES)
    }

    fn prepare(
        &self,
        settings: &Value,
        context: &Context<'_>,
    ) -> Result<Box<dyn Prepared>, SubjectError> {
        let scenario = ClusterScenario::of(Keys::of(settings, "", context.folder));
        Ok(Box::new(Ready {
            scenario: scenario.map_err(SubjectError::Scenario)?,
            measures: wanted(MEASURES, context.metrics)?,
            stop: context.stop.clone(),
        }))
    }
}

struct Ready {
    scenario: ClusterScenario,
    measures: Vec<&'static Measure<Summary>>,
    stop: Stop,
}

impl Prepared for Ready {
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
