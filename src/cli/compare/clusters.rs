//! Compares policies on clusters.

use std::io::{self, Write};
use std::path::Path;

use comfy_table::Table;
use gridsat_lab::compare::{
    self, ClusterOptions, ClusterPolicies, ClusterPolicyError, ClusterRow, OWN, Turn,
};
use gridsat_model::text::printable;
use gridsat_scenario::clusters::ClusterScenario;
use schemars::JsonSchema;
use serde::Serialize;

use super::super::args::CompareArgs;
use super::super::done::Done;
use super::super::exit::{Exit, Failure};
use super::super::json::Printed;
use super::super::progress::Log;
use super::super::signals;
use super::super::simulate;
use super::{JsonMean, Measure, Show, cells, columns, finish, log_turn, policies, write_csv};

pub fn run(args: &CompareArgs, path: &Path, scenario: &ClusterScenario) -> Result<Exit, Failure> {
    let options = ClusterOptions {
        defined: Vec::new(),
        policies: policies(args),
        seed: args.seed,
        replications: args.replications.unwrap_or(1),
        stop: signals::interrupt(),
    };
    let log = Log::new(args.output.verbose);
    log.note(&format!("read {}", printable(scenario.name())));
    let watch = &mut |turn: Turn<'_>| log_turn(&log, turn);
    let policies = compare::clusters(scenario, &options, watch).map_err(|error| match error {
        ClusterPolicyError::Scenario(error) => Failure::input(error),
        ClusterPolicyError::Cluster(error) => simulate::cluster_failure(path, error),
    })?;
    let report = Report { scenario, replications: options.replications, policies: &policies };
    finish(args, report.done(), |out| report.table(out), || report.json(), |out| report.csv(out))
}

struct Report<'a> {
    scenario: &'a ClusterScenario,
    replications: u32,
    policies: &'a ClusterPolicies,
}

/// What `gridsat compare --format json` prints of clusters or a trace. Times are in seconds.
#[derive(Serialize, JsonSchema)]
pub struct Json {
    /// Version of gridsat.
    gridsat: &'static str,
    /// Name of the scenario or trace.
    scenario: String,
    /// Jobs with the first seed.
    jobs: u64,
    /// The first seed.
    seed: u64,
    /// Number of consecutive seeds that were simulated.
    replications: u32,
    #[serde(flatten)]
    done: Done,
    /// One per policy, in the order asked for.
    results: Vec<JsonRow>,
}

impl Printed for Json {
    const FORMAT: &'static str = "gridsat-cluster-comparison 1";
}

#[derive(Serialize, JsonSchema)]
struct JsonRow {
    /// Name of the policy.
    policy: String,
    /// Whether it is the scenario's own.
    own: bool,
    /// Mean over jobs of the time from submission to first start.
    mean_wait: JsonMean,
    /// Longest wait of a job.
    max_wait: JsonMean,
    /// Mean bounded slowdown: time in system / max(run time, threshold), at least 1.
    mean_bounded_slowdown: JsonMean,
    /// Mean over time of the number of waiting jobs.
    mean_queue_depth: JsonMean,
    /// Busy share of the nodes' time, 0 to 1.
    utilisation: JsonMean,
    /// When the last job ended.
    makespan: JsonMean,
    /// Unfinished jobs with the first seed: rejected, killed, not done in time.
    undone: u64,
}

/// The measures of a row; times in seconds.
fn measures(row: &ClusterRow) -> Vec<Measure> {
    let measure = |(name, title, mean, show)| Measure { name, title, mean: Some(mean), show };
    let all = [
        ("mean_wait", "mean wait (s)", row.wait, Show::Seconds),
        ("max_wait", "max wait (s)", row.max_wait, Show::Seconds),
        ("mean_bounded_slowdown", "bounded slowdown", row.bounded_slowdown, Show::Number(3)),
        ("mean_queue_depth", "mean queue", row.queue_depth, Show::Number(3)),
        ("utilisation", "utilisation", row.utilisation, Show::Share),
        ("makespan", "makespan (s)", row.makespan, Show::Seconds),
    ];
    all.into_iter().map(measure).collect()
}

impl Report<'_> {
    fn done(&self) -> Done {
        Done::new(self.policies.rows.len(), self.policies.rows.len() + self.policies.not_run.len())
    }

    fn json(&self) -> Json {
        let row = |row: &ClusterRow| JsonRow {
            policy: row.policy.clone(),
            own: row.is_own,
            mean_wait: row.wait.into(),
            max_wait: row.max_wait.into(),
            mean_bounded_slowdown: row.bounded_slowdown.into(),
            mean_queue_depth: row.queue_depth.into(),
            utilisation: row.utilisation.into(),
            makespan: row.makespan.into(),
            undone: row.undone,
        };
        Json {
            gridsat: gridsat_model::VERSION,
            scenario: self.scenario.name().to_owned(),
            jobs: self.policies.jobs,
            seed: self.policies.seed,
            replications: self.replications,
            done: self.done(),
            results: self.policies.rows.iter().map(row).collect(),
        }
    }

    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let row = |row: &ClusterRow| {
            columns(&row.policy, &measures(row), ("undone", row.undone.to_string()))
        };
        write_csv(out, self.policies.rows.iter().map(row).collect(), &self.policies.not_run)
    }

    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        let ClusterPolicies { jobs, seed, .. } = self.policies;
        let name = printable(self.scenario.name());
        writeln!(out, "{name}: {jobs} jobs, seed {seed} (gridsat {})", gridsat_model::VERSION)?;
        self.done().write(out, "policies")?;
        if self.replications > 1 {
            writeln!(out, "Mean ± standard deviation of {} seeds.", self.replications)?;
        }
        writeln!(out, "\n{}", self.cells())
    }

    fn cells(&self) -> Table {
        let row = |row: &ClusterRow| {
            let own = row.is_own.then(|| format!("{OWN} ({})", row.policy));
            (own.unwrap_or_else(|| row.policy.clone()), measures(row), row.undone.to_string())
        };
        cells(self.policies.rows.iter().map(row).collect(), "jobs not done", true)
    }
}
