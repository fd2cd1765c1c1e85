//! Compares policies in a grid scenario.

use std::io::{self, Write};

use comfy_table::Table;
use gridsat_lab::compare::{
    self, EconomyMeans, Known, Mean, OWN, Policies, PolicyRow, ProofMeans, ScenarioOptions, Turn,
};
use gridsat_model::text::printable;
use gridsat_scenario::Scenario;
use schemars::JsonSchema;
use serde::Serialize;

use super::super::args::CompareArgs;
use super::super::done::Done;
use super::super::exit::{Exit, Failure};
use super::super::json::Printed;
use super::super::progress::Log;
use super::super::signals;
use super::{
    JsonMean, Measure, RATIO, Show, cells, columns, finish, log_turn, policies, shown, write_csv,
};

pub fn run(args: &CompareArgs, scenario: &Scenario) -> Result<Exit, Failure> {
    let options = ScenarioOptions {
        policies: policies(args),
        seed: args.seed,
        replications: args.replications.unwrap_or(1),
        evaluations: args.evaluations,
        stop: signals::interrupt(),
    };
    let log = Log::new(args.output.verbose);
    log.note(&format!("read {}", printable(scenario.name())));
    let watch = &mut |turn: Turn<'_>| log_turn(&log, turn);
    let policies = compare::scenario(scenario, &options, watch).map_err(Failure::input)?;
    let report = Report { scenario, args, options: &options, policies: &policies };
    finish(args, report.done(), |out| report.table(out), || report.json(), |out| report.csv(out))
}

struct Report<'a> {
    scenario: &'a Scenario,
    args: &'a CompareArgs,
    options: &'a ScenarioOptions,
    policies: &'a Policies,
}

/// What `gridsat compare --format json` prints of a grid. Times are in seconds.
#[derive(Serialize, JsonSchema)]
pub struct Json {
    /// Version of gridsat.
    gridsat: &'static str,
    /// Name of the scenario.
    scenario: String,
    /// Policies of the scenario's schedulers.
    own: Vec<String>,
    /// Jobs with the first seed; null if interrupted before all were known.
    jobs: Option<usize>,
    /// The first seed.
    seed: u64,
    /// Number of consecutive seeds that were simulated.
    replications: u32,
    /// No schedule ends earlier, by exact computation without a certificate; null if interrupted
    /// before all jobs were known.
    lower_bound: Option<JsonMean>,
    #[serde(flatten)]
    done: Done,
    /// One per policy, in the order asked for.
    results: Vec<JsonRow>,
}

impl Printed for Json {
    const FORMAT: &'static str = "gridsat-grid-comparison 1";
}

#[derive(Serialize, JsonSchema)]
struct JsonRow {
    /// Name of the policy; `own` for the scenario's own.
    policy: String,
    /// When the last job was done.
    makespan: JsonMean,
    /// makespan / lower_bound; null if jobs are unfinished.
    ratio: Option<JsonMean>,
    /// Mean time from arrival to end of a job.
    mean_flow: JsonMean,
    /// Busy share of the PEs' time until the makespan, 0 to 1.
    utilisation: JsonMean,
    /// Mean number of jobs at a resource, from its first to its last.
    mean_jobs: JsonMean,
    /// Money paid for finished jobs; absent without prices, deadlines and budgets.
    #[serde(skip_serializing_if = "Option::is_none")]
    spent: Option<JsonMean>,
    /// Jobs sent and not finished by their deadline; absent likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    missed_deadline: Option<JsonMean>,
    /// Jobs never sent because of budget or deadline; absent likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_affordable: Option<JsonMean>,
    /// Share of batches with an accepted certificate of their optimum, 0 to 1; absent without
    /// `sat`.
    #[serde(skip_serializing_if = "Option::is_none")]
    proven_batches: Option<JsonMean>,
    /// Largest certified gap of a batch with any seed, 0 to 1; absent likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    largest_gap: Option<f64>,
    /// Wall-clock time of the decisions; absent with `--no-times`.
    #[serde(skip_serializing_if = "Option::is_none")]
    scheduling_seconds: Option<JsonMean>,
    /// Remarks of schedulers and errors, with the first seed.
    notes: Vec<String>,
}

impl Report<'_> {
    /// The measures of a row; times in seconds.
    fn measures(&self, row: &PolicyRow) -> Vec<Measure> {
        let measure = |(name, title, mean, show)| Measure { name, title, mean, show };
        let mut all = vec![
            ("makespan", "makespan (s)", Some(row.makespan), Show::Seconds),
            (RATIO, "ratio", row.ratio, Show::Number(4)),
            ("mean_flow", "mean flow (s)", Some(row.flow), Show::Seconds),
            ("utilisation", "utilisation", Some(row.utilisation), Show::Share),
            ("mean_jobs", "jobs at host", Some(row.mean_jobs), Show::Number(3)),
        ];
        if let Some(EconomyMeans { spent, missed, not_affordable }) = row.economy {
            // Whole numbers, unless they are means over replications.
            let jobs = Show::Number(usize::from(self.options.replications > 1));
            all.extend([
                ("spent", "spent", Some(spent), Show::Number(3)),
                ("missed_deadline", "missed deadline", Some(missed), jobs),
                ("not_affordable", "not affordable", Some(not_affordable), jobs),
            ]);
        }
        if self.policies.rows.iter().any(|row| row.proofs.is_some()) {
            let proven = row.proofs.map(|proofs| proofs.proven);
            let gap = |ProofMeans { largest_gap: mean, .. }| Mean { mean, deviation: None };
            all.extend([
                ("proven_batches", "batches proven", proven, Show::Share),
                ("largest_gap", "largest gap", row.proofs.map(gap), Show::Share),
            ]);
        }
        let thinking = Some(row.scheduling).filter(|_| !self.args.output.no_times);
        all.push(("scheduling_seconds", "scheduling (s)", thinking, Show::Seconds));
        all.into_iter().map(measure).collect()
    }

    fn done(&self) -> Done {
        Done::new(self.policies.rows.len(), self.policies.rows.len() + self.policies.not_run.len())
    }

    fn json(&self) -> Json {
        let row = |row: &PolicyRow| JsonRow {
            policy: row.policy.clone(),
            makespan: row.makespan.into(),
            ratio: row.ratio.map(JsonMean::from),
            mean_flow: row.flow.into(),
            utilisation: row.utilisation.into(),
            mean_jobs: row.mean_jobs.into(),
            spent: row.economy.map(|economy| economy.spent.into()),
            missed_deadline: row.economy.map(|economy| economy.missed.into()),
            not_affordable: row.economy.map(|economy| economy.not_affordable.into()),
            proven_batches: row.proofs.map(|proofs| proofs.proven.into()),
            largest_gap: row.proofs.map(|proofs| proofs.largest_gap),
            scheduling_seconds: (!self.args.output.no_times).then(|| row.scheduling.into()),
            notes: row.notes.clone(),
        };
        Json {
            gridsat: gridsat_model::VERSION,
            scenario: self.scenario.name().to_owned(),
            own: self.scenario.own_policies(),
            jobs: self.policies.known.map(|known| known.jobs),
            seed: self.policies.seed,
            replications: self.options.replications,
            lower_bound: self.policies.known.map(|known| known.bound.into()),
            done: self.done(),
            results: self.policies.rows.iter().map(row).collect(),
        }
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
        let bound = shown(*bound, Show::Seconds);
        writeln!(
            out,
            "Lower bound {bound} s on the makespan, even without local load; ratios are to that \
             bound."
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
        cells(self.policies.rows.iter().map(row).collect(), "notes", false)
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
