//! Prints the results of an experiment.

use std::io::{self, Write};
use std::path::Path;

use comfy_table::Table;
use gridsat_draw::number::decimals;
use gridsat_lab::experiment::{Analysis, Cell, Experiment, MetricId, PointId, Results};
use gridsat_model::text::printable;
use gridsat_statistics::{Summary, Test};

use super::super::args::OutputArgs;
use super::super::exit::Failure;
use super::super::json::Document;
use super::super::output::print;
use super::super::table::with_head;
use super::counted;
use super::json::Json;

pub fn run(args: &OutputArgs, results: &Results, path: &Path) -> Result<(), Failure> {
    print(
        args,
        |out| table(out, results, path),
        || Document::from(Json::new(results)),
        |out| gridsat_lab::experiment::write_csv(results, out),
    )
}

fn table(out: &mut dyn Write, results: &Results, path: &Path) -> io::Result<()> {
    let experiment = &results.experiment;
    let (title, version) = (printable(&experiment.title), &results.version);
    writeln!(
        out,
        "{title}\n{}: {}, {} from seed {} (gridsat {version})",
        counted(experiment.run_count(), "run"),
        counted(experiment.point_count(), "point"),
        counted(experiment.replications as usize, "replication"),
        experiment.seed,
    )?;
    let analyses = Analysis::all(results);
    for (id, metric) in experiment.metrics.pairs() {
        let label = printable(&metric.mean_label());
        let cells = || analyses[id].means.iter().flat_map(|row| row.iter());
        match cells().any(|cell| cell.summary.half_width.is_some()) {
            true => writeln!(out, "\n{label}, ± half the width of the 95 % confidence interval")?,
            false => writeln!(out, "\n{label}")?,
        }
        writeln!(out, "{}", means(experiment, &analyses[id]))?;
    }
    let first = MetricId(0);
    if analyses[first].has_tests() {
        let label = printable(&experiment.metrics[first].title);
        writeln!(
            out,
            "\nDifferences in {label}; * p < 0.05 after correction for multiple comparisons"
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

/// The swept values of a point, as text.
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

/// The value rounded so that two digits of the precision remain.
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
            test.as_ref().map_or("-".to_owned(), |test| format!("{:.2}", test.t))
        };
        let paired = one.paired.as_ref();
        let cells = [
            printable(&format!("{who} vs {with}")),
            format!("{:.2}", one.decrease),
            one.thesis_t.map_or("-".to_owned(), |t| format!("{t:.2}")),
            t(&one.welch),
            t(&one.paired),
            paired.map_or("-".to_owned(), |test| format!("{:.2e}", test.p)),
            paired.map_or("-".to_owned(), |test| format!("{:.2}", test.effect)),
            if one.adjusted.is_some_and(|p| p < 0.05) { "*" } else { "" }.to_owned(),
        ];
        table.add_row(values_at(experiment, point).chain(cells));
    }
    table
}
