//! Policies on clusters.

use std::io::{self, Write};
use std::path::Path;

use comfy_table::Table;
use gridsat_lab::compare::{
    self, ClusterOptions, ClusterPolicies, ClusterPolicyError, ClusterRow, OWN,
};
use gridsat_model::text::printable;
use gridsat_scenario::clusters::ClusterScenario;
use serde::Serialize;

use super::super::args::CompareArgs;
use super::super::exit::{Exit, Failure};
use super::super::output::print;
use super::super::simulate;
use super::super::table::with_head;
use super::{JsonMean, Measure, columns, shown, write_csv};

pub fn run(args: &CompareArgs, path: &Path, scenario: &ClusterScenario) -> Result<Exit, Failure> {
    let named = args.policy.iter().flat_map(|names| names.split(','));
    let options = ClusterOptions {
        policies: named.map(|name| name.trim().to_owned()).collect(),
        seed: args.seed,
        replications: args.replications.unwrap_or(1),
    };
    let policies = compare::clusters(scenario, &options).map_err(|error| match error {
        ClusterPolicyError::Scenario(error) => Failure::input(error),
        ClusterPolicyError::Cluster(error) => simulate::cluster_failure(path, error),
    })?;
    let report = Report { scenario, replications: options.replications, policies: &policies };
    print(&args.output, |out| report.table(out), || report.json(), |out| report.csv(out))?;
    Ok(Exit::Answered)
}

struct Report<'a> {
    scenario: &'a ClusterScenario,
    replications: u32,
    policies: &'a ClusterPolicies,
}

/// The object printed by `--format json`; field names are a contract.
#[derive(Serialize)]
struct Json<'a> {
    gridsat: &'static str,
    scenario: &'a str,
    jobs: u64,
    seed: u64,
    replications: u32,
    results: Vec<JsonRow<'a>>,
}

/// Times in seconds.
#[derive(Serialize)]
struct JsonRow<'a> {
    policy: &'a str,
    own: bool,
    mean_wait: JsonMean,
    max_wait: JsonMean,
    mean_bounded_slowdown: JsonMean,
    mean_queue_depth: JsonMean,
    utilisation: JsonMean,
    makespan: JsonMean,
    undone: u64,
}

fn measures(row: &ClusterRow) -> [Measure; 6] {
    [
        ("mean_wait", Some(row.wait), 1),
        ("max_wait", Some(row.max_wait), 0),
        ("mean_bounded_slowdown", Some(row.bounded_slowdown), 2),
        ("mean_queue_depth", Some(row.queue_depth), 2),
        ("utilisation", Some(row.utilisation), 4),
        ("makespan", Some(row.makespan), 0),
    ]
}

impl Report<'_> {
    fn json(&self) -> Json<'_> {
        Json {
            gridsat: gridsat_model::VERSION,
            scenario: self.scenario.name(),
            jobs: self.policies.jobs,
            seed: self.policies.seed,
            replications: self.replications,
            results: self.policies.rows.iter().map(json_row).collect(),
        }
    }

    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let row = |row: &ClusterRow| {
            columns(&row.policy, &measures(row), ("undone", row.undone.to_string()))
        };
        write_csv(out, self.policies.rows.iter().map(row))
    }

    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        let ClusterPolicies { jobs, seed, .. } = self.policies;
        let name = printable(self.scenario.name());
        writeln!(out, "{name}: {jobs} jobs, seed {seed} (gridsat {})", gridsat_model::VERSION)?;
        if self.replications > 1 {
            writeln!(out, "Mean ± standard deviation of {} seeds.", self.replications)?;
        }
        writeln!(out, "\n{}", self.cells())
    }

    fn cells(&self) -> Table {
        let head =
            ["policy", "wait", "max wait", "b. slowdown", "queue", "utilisation", "makespan"];
        let mut table = with_head(head.into_iter().chain(["undone"]), 1..=7);
        for row in &self.policies.rows {
            let title =
                if row.is_own { format!("{OWN} ({})", row.policy) } else { row.policy.clone() };
            let measures = measures(row).into_iter();
            let measures = measures.filter_map(|(_, mean, decimals)| Some(shown(mean?, decimals)));
            let undone = row.undone.to_string();
            table.add_row([title].into_iter().chain(measures).chain([undone]));
        }
        table
    }
}

fn json_row(row: &ClusterRow) -> JsonRow<'_> {
    JsonRow {
        policy: &row.policy,
        own: row.is_own,
        mean_wait: row.wait.into(),
        max_wait: row.max_wait.into(),
        mean_bounded_slowdown: row.bounded_slowdown.into(),
        mean_queue_depth: row.queue_depth.into(),
        utilisation: row.utilisation.into(),
        makespan: row.makespan.into(),
        undone: row.undone,
    }
}
