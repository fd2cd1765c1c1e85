//! Policies on clusters.

use std::io::{self, Write};
use std::path::Path;

use comfy_table::Table;
use gridsat_lab::compare::{
    self, ClusterOptions, ClusterPolicies, ClusterPolicyError, ClusterRow, OWN,
};
use gridsat_model::text::printable;
use gridsat_scenario::clusters::ClusterScenario;
use serde_json::{Value, json};

use super::super::args::CompareArgs;
use super::super::done::Done;
use super::super::exit::{Exit, Failure};
use super::super::input;
use super::super::output::print;
use super::super::simulate;
use super::{Measure, cells, columns, json_row, policies, write_csv};

pub fn run(args: &CompareArgs, path: &Path, scenario: &ClusterScenario) -> Result<Exit, Failure> {
    let options = ClusterOptions {
        policies: policies(args),
        seed: args.seed,
        replications: args.replications.unwrap_or(1),
        stop: input::interrupt()?,
    };
    let policies = compare::clusters(scenario, &options).map_err(|error| match error {
        ClusterPolicyError::Scenario(error) => Failure::input(error),
        ClusterPolicyError::Cluster(error) => simulate::cluster_failure(path, error),
    })?;
    let report = Report { scenario, replications: options.replications, policies: &policies };
    print(&args.output.to, |out| report.table(out), || report.json(), |out| report.csv(out))?;
    Ok(report.done().exit())
}

struct Report<'a> {
    scenario: &'a ClusterScenario,
    replications: u32,
    policies: &'a ClusterPolicies,
}

/// Times in seconds.
fn measures(row: &ClusterRow) -> [Measure; 6] {
    [
        ("mean_wait", "wait", row.wait, 1),
        ("max_wait", "max wait", row.max_wait, 0),
        ("mean_bounded_slowdown", "b. slowdown", row.bounded_slowdown, 2),
        ("mean_queue_depth", "queue", row.queue_depth, 2),
        ("utilisation", "utilisation", row.utilisation, 4),
        ("makespan", "makespan", row.makespan, 0),
    ]
    .map(|(name, title, mean, decimals)| Measure { name, title, mean: Some(mean), decimals })
}

impl Report<'_> {
    fn done(&self) -> Done {
        Done::new(self.policies.rows.len(), self.policies.rows.len() + self.policies.not_run.len())
    }

    /// The object printed by `--format json`; field names are a contract.
    fn json(&self) -> Value {
        let row = |row: &ClusterRow| {
            let fields = [("policy", json!(row.policy)), ("own", json!(row.is_own))];
            json_row(fields, &measures(row), ("undone", json!(row.undone)))
        };
        json!({
            "gridsat": gridsat_model::VERSION,
            "scenario": self.scenario.name(),
            "jobs": self.policies.jobs,
            "seed": self.policies.seed,
            "replications": self.replications,
            "interrupted": self.done().interrupted,
            "completed": self.done().completed,
            "planned": self.done().planned,
            "results": self.policies.rows.iter().map(row).collect::<Vec<_>>(),
        })
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
        cells(self.policies.rows.iter().map(row).collect(), "undone", 1..=7)
    }
}
