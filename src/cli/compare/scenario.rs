//! Policies in a scenario.

use std::io::{self, Write};

use comfy_table::Table;
use gridsat_lab::compare::{self, OWN, Policies, PolicyRow, ScenarioOptions};
use gridsat_model::text::printable;
use gridsat_scenario::Scenario;
use serde::Serialize;

use super::super::args::CompareArgs;
use super::super::exit::{Exit, Failure};
use super::super::output::print;
use super::super::table::with_head;
use super::{JsonMean, Measure, columns, shown, stop, write_csv};

pub fn run(args: &CompareArgs, scenario: &Scenario) -> Result<Exit, Failure> {
    let named = args.policy.iter().flat_map(|names| names.split(','));
    let options = ScenarioOptions {
        policies: named.map(|name| name.trim().to_owned()).collect(),
        seed: args.seed,
        replications: args.replications.unwrap_or(1),
        stop: stop(None)?,
    };
    let policies = compare::scenario(scenario, &options).map_err(Failure::input)?;
    let report = Report { scenario, args, options: &options, policies: &policies };
    print(&args.output, |out| report.table(out), || report.json(), |out| report.csv(out))?;
    Ok(Exit::Answered)
}

struct Report<'a> {
    scenario: &'a Scenario,
    args: &'a CompareArgs,
    options: &'a ScenarioOptions,
    policies: &'a Policies,
}

/// The object printed by `--format json`; field names are a contract.
#[derive(Serialize)]
struct Json {
    gridsat: &'static str,
    scenario: String,
    own: Vec<String>,
    jobs: usize,
    seed: u64,
    replications: u32,
    lower_bound: JsonMean,
    results: Vec<JsonRow>,
}

/// Times in seconds.
#[derive(Serialize)]
struct JsonRow {
    policy: String,
    makespan: JsonMean,
    ratio: Option<JsonMean>,
    mean_flow: JsonMean,
    utilisation: JsonMean,
    mean_jobs: JsonMean,
    #[serde(skip_serializing_if = "Option::is_none")]
    scheduling_seconds: Option<JsonMean>,
    notes: Vec<String>,
}

impl Report<'_> {
    fn measures(&self, row: &PolicyRow) -> [Measure; 6] {
        [
            ("makespan", Some(row.makespan), 2),
            ("ratio", row.ratio, 4),
            ("mean_flow", Some(row.flow), 2),
            ("utilisation", Some(row.utilisation), 3),
            ("mean_jobs", Some(row.mean_jobs), 3),
            ("scheduling_seconds", Some(row.scheduling).filter(|_| !self.args.no_times), 3),
        ]
    }

    fn json(&self) -> Json {
        let row = |row: &PolicyRow| JsonRow {
            policy: row.policy.clone(),
            makespan: row.makespan.into(),
            ratio: row.ratio.map(JsonMean::from),
            mean_flow: row.flow.into(),
            utilisation: row.utilisation.into(),
            mean_jobs: row.mean_jobs.into(),
            scheduling_seconds: (!self.args.no_times).then(|| row.scheduling.into()),
            notes: row.notes.clone(),
        };
        Json {
            gridsat: gridsat_model::VERSION,
            scenario: self.scenario.name().to_owned(),
            own: self.scenario.own_policies(),
            jobs: self.policies.jobs,
            seed: self.policies.seed,
            replications: self.options.replications,
            lower_bound: self.policies.bound.into(),
            results: self.policies.rows.iter().map(row).collect(),
        }
    }

    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let row = |row: &PolicyRow| {
            columns(&row.policy, &self.measures(row), ("notes", row.notes.join("; ")))
        };
        write_csv(out, self.policies.rows.iter().map(row))
    }

    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        let Policies { jobs, bound, seed, .. } = self.policies;
        let name = printable(self.scenario.name());
        writeln!(out, "{name}: {jobs} jobs, seed {seed} (gridsat {})", gridsat_model::VERSION)?;
        let bound = shown(*bound, 2);
        writeln!(
            out,
            "No schedule ends before {bound} s, even without local load, proven; ratios are to that."
        )?;
        if self.options.replications > 1 {
            writeln!(out, "Mean ± standard deviation of {} seeds.", self.options.replications)?;
        }
        writeln!(out, "\n{}", self.cells())
    }

    fn cells(&self) -> Table {
        let mut table = with_head(
            [
                "policy",
                "makespan",
                "ratio",
                "mean flow",
                "utilisation",
                "jobs at a host",
                "seconds",
                "",
            ],
            1..=6,
        );
        for row in &self.policies.rows {
            let measures =
                self.measures(row).into_iter().map(|(name, mean, decimals)| match mean {
                    Some(mean) => shown(mean, decimals),
                    None if name == "ratio" => "-".to_owned(),
                    None => String::new(),
                });
            let notes = printable(&row.notes.join("; "));
            table.add_row([self.title(row)].into_iter().chain(measures).chain([notes]));
        }
        table
    }

    fn title(&self, row: &PolicyRow) -> String {
        if row.policy != OWN {
            return row.policy.clone();
        }
        let mut names = self.scenario.own_policies();
        names.dedup();
        format!("{OWN} ({})", names.join(", "))
    }
}
