//! Results as CSV for other programs: every run, means, or comparisons.

use std::io::{self, Write};

use super::analysis::{Analysis, Comparison};
use super::id::{Keyed, MetricId, PointId};
use super::result::{Outcome, Results};

/// One row per run: the swept values, the seed, the algorithm, one column per metric, and the error
/// if it failed.
pub fn write_csv(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let experiment = &results.experiment;
    let metrics = experiment.metrics.iter().map(|metric| metric.name.as_str());
    let columns = ["seed", "algorithm"].into_iter().chain(metrics).chain(["error"]);
    let mut rows = Rows::begin(results, columns, out)?;
    for run in experiment.runs() {
        let (values, error) = match results.outcome(run) {
            Outcome::Values(values) => (values.to_vec(), String::new()),
            Outcome::Error(error) => (vec![None; experiment.metrics.len()], error),
        };
        let seed = experiment.world_seed(run.replication).to_string();
        let name = experiment.algorithms[run.algorithm].clone();
        let values = values.into_iter().map(shown);
        rows.add(run.point, [seed, name].into_iter().chain(values).chain([error]))?;
    }
    rows.end()
}

/// One row per point, metric and algorithm: number of values, mean, standard deviation, half of the
/// confidence interval.
pub fn write_means_csv(
    results: &Results,
    analyses: &Keyed<MetricId, Analysis>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let experiment = &results.experiment;
    let columns = ["metric", "unit", "algorithm", "n", "mean", "deviation", "half_width"];
    let mut rows = Rows::begin(results, columns.into_iter(), out)?;
    for point in experiment.points() {
        for (id, metric) in experiment.metrics.pairs() {
            for (algorithm, cell) in analyses[id].means[point].pairs() {
                let summary = &cell.summary;
                let name = &experiment.algorithms[algorithm];
                let texts = [&metric.name, &metric.unit, name].map(Clone::clone);
                let mean = Some(summary.mean).filter(|mean| mean.is_finite());
                let numbers = [mean, summary.deviation, summary.half_width].map(shown);
                rows.add(point, texts.into_iter().chain([summary.n.to_string()]).chain(numbers))?;
            }
        }
    }
    rows.end()
}

/// One row per point, metric and comparison of `one` with `other`. Differences, t and effects are
/// above 0 if one has less.
pub fn write_comparisons_csv(
    results: &Results,
    analyses: &Keyed<MetricId, Analysis>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let experiment = &results.experiment;
    let columns = ["metric", "unit", "one", "other"].into_iter().chain(COMPARED);
    let mut rows = Rows::begin(results, columns, out)?;
    for (id, metric) in experiment.metrics.pairs() {
        for (point, compared) in analyses[id].compared() {
            let [one, other] =
                [compared.one, compared.other].map(|who| &experiment.algorithms[who]);
            let texts = [&metric.name, &metric.unit, one, other].map(Clone::clone);
            let numbers = numbers(compared).map(|value| shown(value.filter(|v| !v.is_nan())));
            rows.add(point, texts.into_iter().chain(numbers))?;
        }
    }
    rows.end()
}

/// Rows that begin with the swept values of their point.
struct Rows<'a> {
    results: &'a Results,
    csv: csv::Writer<&'a mut dyn Write>,
}

impl<'a> Rows<'a> {
    fn begin(
        results: &'a Results,
        columns: impl Iterator<Item = &'a str>,
        out: &'a mut dyn Write,
    ) -> io::Result<Self> {
        let mut csv = csv::Writer::from_writer(out);
        let axes = results.experiment.axes.iter().map(|axis| axis.title.as_str());
        csv.write_record(axes.chain(columns))?;
        Ok(Self { results, csv })
    }

    fn add(&mut self, point: PointId, cells: impl Iterator<Item = String>) -> io::Result<()> {
        let swept = self.results.experiment.values_at(point);
        Ok(self.csv.write_record(swept.into_iter().chain(cells))?)
    }

    fn end(mut self) -> io::Result<()> {
        self.csv.flush()
    }
}

const COMPARED: [&str; 14] = [
    "decrease_percent",
    "decrease_half_width",
    "thesis_t",
    "welch_t",
    "welch_freedom",
    "welch_p",
    "welch_effect",
    "paired_difference",
    "paired_half_width",
    "paired_t",
    "paired_freedom",
    "paired_p",
    "paired_p_adjusted",
    "paired_effect",
];

/// In the order of the columns.
fn numbers(one: &Comparison) -> [Option<f64>; 14] {
    let (welch, paired) = (one.welch.as_ref(), one.paired.as_ref());
    [
        Some(one.decrease),
        one.decrease_half_width,
        one.thesis_t,
        welch.map(|test| test.t),
        welch.map(|test| test.freedom),
        welch.map(|test| test.p),
        welch.map(|test| test.effect),
        paired.map(|test| test.difference),
        paired.map(|test| test.half_width),
        paired.map(|test| test.t),
        paired.map(|test| test.freedom),
        paired.map(|test| test.p),
        one.adjusted,
        paired.map(|test| test.effect),
    ]
}

fn shown(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}
