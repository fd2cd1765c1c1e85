//! Policies in a scenario.

use std::io::{self, Write};

use comfy_table::Table;
use gridsat_lab::compare::{self, Known, OWN, Policies, PolicyRow, ScenarioOptions};
use gridsat_model::text::printable;
use gridsat_scenario::Scenario;
use serde_json::{Value, json};

use super::super::args::CompareArgs;
use super::super::done::Done;
use super::super::exit::{Exit, Failure};
use super::super::input;
use super::super::output::print;
use super::{Measure, RATIO, cells, columns, json_mean, json_row, policies, shown, write_csv};

pub fn run(args: &CompareArgs, scenario: &Scenario) -> Result<Exit, Failure> {
    let options = ScenarioOptions {
        policies: policies(args),
        seed: args.seed,
        replications: args.replications.unwrap_or(1),
        stop: input::interrupt()?,
    };
    let policies = compare::scenario(scenario, &options).map_err(Failure::input)?;
    let report = Report { scenario, args, options: &options, policies: &policies };
    print(&args.output.to, |out| report.table(out), || report.json(), |out| report.csv(out))?;
    Ok(report.done().exit())
}

struct Report<'a> {
    scenario: &'a Scenario,
    args: &'a CompareArgs,
    options: &'a ScenarioOptions,
    policies: &'a Policies,
}

impl Report<'_> {
    /// Times in seconds.
    fn measures(&self, row: &PolicyRow) -> [Measure; 6] {
        let seconds = Some(row.scheduling).filter(|_| !self.args.output.no_times);
        [
            ("makespan", "makespan", Some(row.makespan), 2),
            (RATIO, "ratio", row.ratio, 4),
            ("mean_flow", "mean flow", Some(row.flow), 2),
            ("utilisation", "utilisation", Some(row.utilisation), 3),
            ("mean_jobs", "jobs at a host", Some(row.mean_jobs), 3),
            ("scheduling_seconds", "seconds", seconds, 3),
        ]
        .map(|(name, title, mean, decimals)| Measure { name, title, mean, decimals })
    }

    fn done(&self) -> Done {
        Done::new(self.policies.rows.len(), self.policies.rows.len() + self.policies.not_run.len())
    }

    /// The object printed by `--format json`; field names are a contract.
    fn json(&self) -> Value {
        let row = |row: &PolicyRow| {
            let policy = [("policy", json!(row.policy))];
            json_row(policy, &self.measures(row), ("notes", json!(row.notes)))
        };
        json!({
            "gridsat": gridsat_model::VERSION,
            "scenario": self.scenario.name(),
            "own": self.scenario.own_policies(),
            "jobs": self.policies.known.map(|known| known.jobs),
            "seed": self.policies.seed,
            "replications": self.options.replications,
            "lower_bound": self.policies.known.map(|known| json_mean(known.bound)),
            "interrupted": self.done().interrupted,
            "completed": self.done().completed,
            "planned": self.done().planned,
            "results": self.policies.rows.iter().map(row).collect::<Vec<_>>(),
        })
    }

    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let row = |row: &PolicyRow| {
            columns(&row.policy, &self.measures(row), ("notes", row.notes.join("; ")))
        };
        write_csv(out, self.policies.rows.iter().map(row).collect(), &self.policies.not_run)
    }

    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        let Policies { known, seed, .. } = self.policies;
        let name = printable(self.scenario.name());
        let Some(Known { jobs, bound }) = known else {
            writeln!(out, "{name}: seed {seed} (gridsat {})", gridsat_model::VERSION)?;
            return self.done().write(out, "policies");
        };
        writeln!(out, "{name}: {jobs} jobs, seed {seed} (gridsat {})", gridsat_model::VERSION)?;
        let bound = shown(*bound, 2);
        writeln!(
            out,
            "No schedule ends before {bound} s, even without local load, proven; ratios are to that."
        )?;
        self.done().write(out, "policies")?;
        if self.options.replications > 1 {
            writeln!(out, "Mean ± standard deviation of {} seeds.", self.options.replications)?;
        }
        writeln!(out, "\n{}", self.cells())
    }

    fn cells(&self) -> Table {
        let row = |row: &PolicyRow| {
            (self.title(row), self.measures(row), printable(&row.notes.join("; ")))
        };
        cells(self.policies.rows.iter().map(row).collect(), "", 1..=6)
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
