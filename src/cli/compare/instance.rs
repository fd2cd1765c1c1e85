//! Compares algorithms on an instance.

use std::io::{self, Write};
use std::time::Duration;

use comfy_table::Table;
use gridsat_draw::number::rounded;
use gridsat_exact::solve::SolveError;
use gridsat_heuristics::Heuristics;
use gridsat_lab::bench::Algorithm;
use gridsat_lab::compare::{
    self, CHANGES, ERROR, InstanceComparison, InstanceError, InstanceOptions, Watched,
};
use gridsat_lab::compare::{Compared, LOAD, SPREAD, Spread};
use gridsat_model::text::printable;
use gridsat_model::{Instance, gap};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::args::CompareArgs;
use super::super::done::Done;
use super::super::exit::{Exit, Failure};
use super::super::input;
use super::super::json::{Number, Printed, Subject};
use super::super::programs;
use super::super::progress::{Log, Progress};
use super::super::signals;
use super::super::table::with_head;
use super::{finish, log_turn, write_csv};

const TIME_LIMIT: Duration = Duration::from_secs(10);
const REPLICATIONS: u32 = 10;
const SEED: u64 = 1;

pub fn run(args: &CompareArgs, bytes: Option<&[u8]>) -> Result<Exit, Failure> {
    let names = args.algorithm.as_deref().unwrap_or("all");
    let options = InstanceOptions {
        algorithms: Algorithm::choose(names, &Heuristics::built_in()).map_err(Failure::input)?,
        evaluations: args.evaluations,
        gap: args.gap.unwrap_or(0.0),
        seed: args.seed.unwrap_or(SEED),
        replications: args.replications.unwrap_or(REPLICATIONS),
    };
    let instance = input::instance_in(&args.input, bytes)?;
    let stop = signals::interrupt().within(args.time_limit.unwrap_or(TIME_LIMIT));
    let verbose = args.output.verbose;
    let mut progress = Progress::new(instance.scale(), args.output.to.quiet, verbose);
    let log = Log::new(verbose);
    if verbose > 0 {
        progress.log_instance(&instance);
    }
    let watch = &mut |watched: Watched<'_, '_>| match watched {
        Watched::Search(event) => progress.show(event),
        Watched::Algorithm(turn) => log_turn(&log, turn),
    };
    let comparison =
        compare::instance(&instance, &options, &stop, watch).map_err(|error| match error {
            InstanceError::Solve(SolveError::Strategy(error)) => Failure::of_search(error),
            error => Failure::internal(error),
        })?;
    programs::check()?;
    let report = Report { instance: &instance, args, options: &options, comparison: &comparison };
    finish(args, report.done(), |out| report.table(out), || report.json(), |out| report.csv(out))
}

struct Report<'a> {
    instance: &'a Instance,
    args: &'a CompareArgs,
    options: &'a InstanceOptions,
    comparison: &'a InstanceComparison,
}

/// What `gridsat compare --format json` prints of an instance. Times are in the unit of the
/// instance.
#[derive(Serialize, JsonSchema)]
pub struct Json {
    #[serde(flatten)]
    subject: Subject,
    /// Proven: no mapping has a smaller makespan.
    lower_bound: Number,
    /// Whether the lower bound is the optimum.
    optimal: bool,
    /// Seed of searches, and first seed of the replays with random conditions.
    seed: u64,
    /// Number of replications with random conditions.
    replications: u32,
    #[serde(flatten)]
    done: Done,
    /// The best mapping found first, then one row per algorithm.
    results: Vec<JsonRow>,
}

impl Printed for Json {
    const FORMAT: &'static str = "gridsat-comparison 1";
}

/// Times in the unit of the file; ratios of replays are to the makespan of the same row.
#[derive(Serialize, JsonSchema)]
struct JsonRow {
    /// Id of the algorithm, or `optimum` for the mapping of `solve`.
    algorithm: &'static str,
    /// Largest load: when the last host is done.
    makespan: Number,
    /// makespan / lower_bound.
    ratio: f64,
    /// Makespan in the simulator on dedicated hosts: exactly the same.
    replayed: Number,
    /// Mean completion time of a task there.
    mean_flow: f64,
    /// Makespan in the simulator on time-shared hosts.
    shared_makespan: f64,
    /// Mean completion time of a task there.
    shared_mean_flow: f64,
    /// Mean makespan under random local load.
    loaded_makespan: f64,
    /// Mean of that makespan / the row's own makespan.
    loaded_ratio: f64,
    /// The largest of those ratios.
    loaded_worst_ratio: f64,
    /// Mean makespan when tasks take more or less than estimated.
    misjudged_makespan: f64,
    /// Mean of that makespan / the row's own makespan.
    misjudged_ratio: f64,
    /// The largest of those ratios.
    misjudged_worst_ratio: f64,
    /// Wall-clock time to find the mapping; absent with `--no-times`.
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

impl Report<'_> {
    fn done(&self) -> Done {
        let InstanceComparison { rows, not_run, .. } = self.comparison;
        Done::new(rows.len(), rows.len() + not_run.len())
    }

    fn rows(&self) -> Vec<JsonRow> {
        self.comparison.rows.iter().map(|row| self.row(row)).collect()
    }

    fn row(&self, row: &Compared) -> JsonRow {
        let makespan = || Number::new(self.instance.scale(), row.mapping.makespan());
        let replays = &row.replays;
        JsonRow {
            algorithm: row.name,
            makespan: makespan(),
            ratio: rounded(self.comparison.ratio(row), 6),
            // A row exists only if its mapping was replayed.
            replayed: makespan(),
            mean_flow: self.units(replays.dedicated.mean_flow),
            shared_makespan: self.units(replays.shared.makespan),
            shared_mean_flow: self.units(replays.shared.mean_flow),
            loaded_makespan: self.units(replays.loaded.mean),
            loaded_ratio: rounded(replays.loaded.mean_ratio, 6),
            loaded_worst_ratio: rounded(replays.loaded.max_ratio, 6),
            misjudged_makespan: self.units(replays.misjudged.mean),
            misjudged_ratio: rounded(replays.misjudged.mean_ratio, 6),
            misjudged_worst_ratio: rounded(replays.misjudged.max_ratio, 6),
            seconds: (!self.args.output.no_times).then(|| rounded(row.time.as_secs_f64(), 6)),
        }
    }

    /// Ticks in the unit of the file, with three more decimals than the file has.
    fn units(&self, ticks: f64) -> f64 {
        let scale = self.instance.scale();
        rounded(ticks / scale.ticks_per_unit().as_f64(), scale.places() + 3)
    }

    fn json(&self) -> Json {
        Json {
            subject: self.instance.into(),
            lower_bound: Number::new(self.instance.scale(), self.comparison.lower_bound),
            optimal: self.comparison.is_closed(),
            seed: self.options.seed,
            replications: self.options.replications,
            done: self.done(),
            results: self.rows(),
        }
    }

    /// The fields of the JSON object, in their order; then what was left out.
    fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        let rows: Vec<_> = self.rows().iter().map(columns).collect();
        write_csv(out, rows, &self.comparison.not_run)
    }

    fn headline(&self) -> String {
        let best = self.comparison.rows[0].mapping.makespan();
        let show = |ticks| self.instance.scale().display(ticks);
        let lower = self.comparison.lower_bound;
        if self.comparison.is_closed() {
            return format!("Optimal makespan {}, proven; ratios are to the optimum.", show(best));
        }
        let gap = 100.0 * gap(lower, best);
        format!("Lower bound {}, proven (gap {gap:.3} %); ratios are to that bound.", show(lower))
    }

    fn table(&self, out: &mut dyn Write) -> io::Result<()> {
        let (n, m) = (self.instance.task_count(), self.instance.host_count());
        let name = printable(self.instance.name());
        writeln!(out, "{name}: {n} tasks on {m} hosts (gridsat {})", gridsat_model::VERSION)?;
        self.done().write(out, "algorithms")?;
        writeln!(out, "{}\n\n{}\n\n{}", self.headline(), self.cells(), self.legend())
    }

    fn cells(&self) -> Table {
        let mut table = with_head(
            [
                "algorithm",
                "makespan",
                "ratio",
                "replayed",
                "flow",
                "shared",
                "loaded",
                "misjudged",
                "seconds",
            ],
            1..=8,
        );
        for row in &self.comparison.rows {
            let replays = &row.replays;
            let time = row.time.as_secs_f64();
            table.add_row([
                row.title.to_owned(),
                self.instance.scale().display(row.mapping.makespan()).to_string(),
                format!("{:.4}", self.comparison.ratio(row)),
                "equal".to_owned(),
                self.short(replays.dedicated.mean_flow),
                self.short(replays.shared.mean_flow),
                self.spread(replays.loaded),
                self.spread(replays.misjudged),
                if self.args.output.no_times { String::new() } else { format!("{time:.3}") },
            ]);
        }
        table
    }

    fn short(&self, ticks: f64) -> String {
        let decimals = (self.instance.scale().places() + 1).min(3) as usize;
        format!("{:.decimals$}", ticks / self.instance.scale().ticks_per_unit().as_f64())
    }

    fn spread(&self, spread: Spread) -> String {
        format!("{} ({:.3})", self.short(spread.mean), spread.mean_ratio)
    }

    fn legend(&self) -> String {
        let InstanceOptions { seed, replications, .. } = self.options;
        let error = 100.0 * ERROR;
        format!(
            "replayed   makespan simulated on dedicated hosts: \"equal\" if it is the mapping's, \
             to the tick\n\
             flow       mean time until a task is done in that simulation\n\
             shared     the same on time-shared hosts\n\
             loaded     makespan (ratio to the row's makespan) under a local load of {LOAD} ± \
             {SPREAD} %\n           that changes about {CHANGES} times\n\
             misjudged  the same when tasks take up to {error} % more or less than estimated\n\
             Means of {replications} replications; seeds from {seed} on."
        )
    }
}

fn columns(row: &JsonRow) -> Vec<(&'static str, String)> {
    vec![
        ("algorithm", row.algorithm.to_owned()),
        ("makespan", row.makespan.to_string()),
        ("ratio", row.ratio.to_string()),
        ("replayed", row.replayed.to_string()),
        ("mean_flow", row.mean_flow.to_string()),
        ("shared_makespan", row.shared_makespan.to_string()),
        ("shared_mean_flow", row.shared_mean_flow.to_string()),
        ("loaded_makespan", row.loaded_makespan.to_string()),
        ("loaded_ratio", row.loaded_ratio.to_string()),
        ("loaded_worst_ratio", row.loaded_worst_ratio.to_string()),
        ("misjudged_makespan", row.misjudged_makespan.to_string()),
        ("misjudged_ratio", row.misjudged_ratio.to_string()),
        ("misjudged_worst_ratio", row.misjudged_worst_ratio.to_string()),
        ("seconds", row.seconds.map(|seconds| seconds.to_string()).unwrap_or_default()),
    ]
}
