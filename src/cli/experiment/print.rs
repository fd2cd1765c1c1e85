//! Results of an experiment for people and programs.

use std::io::{self, Write};
use std::path::Path;

use comfy_table::Table;
use gridsat_draw::number::decimals;
use gridsat_lab::experiment::{
    AlgorithmId, Analysis, Cell, Comparison, Experiment, MetricId, PointId, Results,
};
use gridsat_model::text::printable;
use gridsat_statistics::{Summary, Test};
use serde::Serialize;

use super::super::args::ExperimentArgs;
use super::super::exit::Failure;
use super::super::output::print;
use super::super::table::with_head;

pub fn run(args: &ExperimentArgs, results: &Results, path: &Path) -> Result<(), Failure> {
    print(
        &args.output,
        |out| table(out, results, path),
        || json(results),
        |out| gridsat_lab::experiment::write_csv(results, out),
    )
}

fn table(out: &mut dyn Write, results: &Results, path: &Path) -> io::Result<()> {
    let experiment = &results.experiment;
    let (title, version) = (printable(&experiment.title), &results.version);
    writeln!(
        out,
        "{title}\n{} runs: {} points, {} replications from seed {} (gridsat {version})",
        experiment.run_count(),
        experiment.point_count(),
        experiment.replications,
        experiment.seed,
    )?;
    let analyses = Analysis::all(results);
    for (id, metric) in experiment.metrics.pairs() {
        let label = printable(&metric.label());
        writeln!(out, "\nMean {label}, ± half of its 95 % confidence interval")?;
        writeln!(out, "{}", means(experiment, &analyses[id]))?;
    }
    let first = MetricId(0);
    if analyses[first].has_tests() {
        let label = printable(&experiment.metrics[first].title);
        writeln!(
            out,
            "\nDifferences in {label}; * after correction for many comparisons p < 0.05"
        )?;
        writeln!(out, "{}", differences(experiment, &analyses[first]))?;
    }
    writeln!(out, "\nResult: {}", path.display())
}

fn means(experiment: &Experiment, analysis: &Analysis) -> Table {
    let axes = experiment.axes.iter().map(|axis| printable(&axis.label()));
    let algorithms = experiment.algorithms.iter().map(|name| printable(name));
    let mut table =
        with_head(axes.chain(algorithms), 0..experiment.axes.len() + experiment.algorithms.len());
    for (point, cells) in analysis.means.pairs() {
        table.add_row(values_at(experiment, point).chain(cells.iter().map(cell)));
    }
    table
}

/// The swept values at a point.
fn values_at(experiment: &Experiment, point: PointId) -> impl Iterator<Item = String> {
    experiment.values_at(point).into_iter().map(|value| printable(&value))
}

fn cell(cell: &Cell) -> String {
    let Summary { n, mean, half_width, .. } = cell.summary;
    if n == 0 {
        return "-".to_owned();
    }
    let width = half_width.map_or(String::new(), |width| format!(" ± {}", short(width, width)));
    let missing = if cell.missing > 0 { format!(" ({n})") } else { String::new() };
    format!("{}{width}{missing}", short(mean, half_width.unwrap_or(mean / 1000.0)))
}

/// With two digits of the precision that there is.
fn short(value: f64, precision: f64) -> String {
    format!("{value:.*}", decimals(precision).map_or(3, |decimals| decimals.min(9)))
}

fn differences(experiment: &Experiment, analysis: &Analysis) -> Table {
    let axes = experiment.axes.iter().map(|axis| printable(&axis.label()));
    let columns = ["", "less by %", "t thesis", "t Welch", "t paired", "p paired", "effect", ""];
    let count = experiment.axes.len();
    let numbers = (0..count).chain(count + 1..count + 7);
    let mut table = with_head(axes.chain(columns.map(str::to_owned)), numbers);
    for (point, one) in analysis.compared() {
        let (who, with) = (&experiment.algorithms[one.one], &experiment.algorithms[one.other]);
        let t = |test: &Option<Test>| {
            test.as_ref().map_or("-".to_owned(), |test| format!("{:.2}", 0.0 - test.t))
        };
        let paired = one.paired.as_ref();
        let cells = [
            printable(&format!("{who} vs {with}")),
            format!("{:.2}", one.decrease),
            one.thesis_t.map_or("-".to_owned(), |t| format!("{t:.2}")),
            t(&one.welch),
            t(&one.paired),
            paired.map_or("-".to_owned(), |test| format!("{:.2e}", test.p)),
            paired.map_or("-".to_owned(), |test| format!("{:.2}", 0.0 - test.effect)),
            if one.adjusted.is_some_and(|p| p < 0.05) { "*" } else { "" }.to_owned(),
        ];
        table.add_row(values_at(experiment, point).chain(cells));
    }
    table
}

/// The object printed by `--format json`; field names are a contract.
#[derive(Serialize)]
struct Json<'a> {
    gridsat: &'a str,
    experiment: &'a str,
    title: &'a str,
    seed: u64,
    replications: u32,
    points: Vec<JsonPoint<'a>>,
    failures: Vec<JsonFailure<'a>>,
}

#[derive(Serialize)]
struct JsonPoint<'a> {
    /// Value of each axis by its title.
    at: serde_json::Map<String, serde_json::Value>,
    metrics: Vec<JsonMetric<'a>>,
}

#[derive(Serialize)]
struct JsonMetric<'a> {
    metric: &'a str,
    unit: &'a str,
    algorithms: Vec<JsonMean<'a>>,
    comparisons: Vec<JsonComparison<'a>>,
}

#[derive(Serialize)]
struct JsonMean<'a> {
    algorithm: &'a str,
    n: usize,
    mean: Option<f64>,
    deviation: Option<f64>,
    half_width: Option<f64>,
}

#[derive(Serialize)]
struct JsonComparison<'a> {
    one: &'a str,
    other: &'a str,
    decrease_percent: f64,
    thesis_t: Option<f64>,
    welch: Option<JsonTest>,
    paired: Option<JsonTest>,
    p_adjusted: Option<f64>,
}

#[derive(Serialize)]
struct JsonTest {
    difference: f64,
    half_width: f64,
    t: f64,
    freedom: f64,
    p: f64,
    effect: f64,
}

#[derive(Serialize)]
struct JsonFailure<'a> {
    run: String,
    error: &'a str,
}

impl From<&Test> for JsonTest {
    fn from(test: &Test) -> Self {
        let &Test { difference, half_width, t, freedom, p, effect } = test;
        Self { difference, half_width, t, freedom, p, effect }
    }
}

fn json(results: &Results) -> Json<'_> {
    let experiment = &results.experiment;
    let analyses = Analysis::all(results);
    let point = |point| JsonPoint {
        at: (experiment.axes.iter().zip(experiment.places(point)))
            .map(|(axis, place)| (axis.title.clone(), axis.values[place].clone()))
            .collect(),
        metrics: analyses
            .pairs()
            .map(|(metric, analysis)| json_metric(experiment, point, metric, analysis))
            .collect(),
    };
    Json {
        gridsat: &results.version,
        experiment: &experiment.name,
        title: &experiment.title,
        seed: experiment.seed,
        replications: experiment.replications,
        points: experiment.points().map(point).collect(),
        failures: results.failures().map(|(run, error)| JsonFailure { run, error }).collect(),
    }
}

fn json_metric<'a>(
    experiment: &'a Experiment,
    point: PointId,
    metric: MetricId,
    analysis: &Analysis,
) -> JsonMetric<'a> {
    let name = |algorithm: AlgorithmId| experiment.algorithms[algorithm].as_str();
    let mean = |(algorithm, cell): (AlgorithmId, &Cell)| {
        let Summary { n, mean, deviation, half_width } = cell.summary;
        let mean = Some(mean).filter(|mean| mean.is_finite());
        JsonMean { algorithm: name(algorithm), n, mean, deviation, half_width }
    };
    let comparison = |one: &Comparison| JsonComparison {
        one: name(one.one),
        other: name(one.other),
        decrease_percent: one.decrease,
        thesis_t: one.thesis_t,
        welch: one.welch.as_ref().map(JsonTest::from),
        paired: one.paired.as_ref().map(JsonTest::from),
        p_adjusted: one.adjusted,
    };
    JsonMetric {
        metric: &experiment.metrics[metric].name,
        unit: &experiment.metrics[metric].unit,
        algorithms: analysis.means[point].pairs().map(mean).collect(),
        comparisons: analysis.comparisons[point].iter().map(comparison).collect(),
    }
}
