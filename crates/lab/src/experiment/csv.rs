//! Results as CSV for other programs: every run, means, or comparisons.

use std::io::{self, Write};

use super::analysis::{Comparison, compare, summaries};
use super::result::{Outcome, Results};

/// A row a run: the swept values, the seed, the algorithm, a column a metric, and why there is none.
pub fn write_csv(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let experiment = &results.experiment;
    let mut csv = csv::Writer::from_writer(out);
    let axes = experiment.axes.iter().map(|axis| axis.title.as_str());
    let metrics = experiment.metrics.iter().map(|metric| metric.name.as_str());
    csv.write_record(axes.chain(["seed", "algorithm"]).chain(metrics).chain(["error"]))?;
    for point in 0..experiment.point_count() {
        for replication in 0..experiment.replications {
            for (algorithm, name) in experiment.algorithms.iter().enumerate() {
                let mut row = swept(results, point);
                row.push(experiment.world_seed(replication).to_string());
                row.push(name.clone());
                let (values, error) = match results.outcome(point, replication, algorithm) {
                    Outcome::Values(values) => (values.clone(), ""),
                    Outcome::Error(error) => (vec![None; experiment.metrics.len()], error.as_str()),
                };
                row.extend(values.into_iter().map(shown));
                row.push(error.to_owned());
                csv.write_record(row)?;
            }
        }
    }
    csv.flush()
}

/// A row a point, metric and algorithm: how many, mean, standard deviation, half of the confidence interval.
pub fn write_means_csv(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let experiment = &results.experiment;
    let mut csv = csv::Writer::from_writer(out);
    let axes = experiment.axes.iter().map(|axis| axis.title.as_str());
    let columns = ["metric", "unit", "algorithm", "n", "mean", "deviation", "half_width"];
    csv.write_record(axes.chain(columns))?;
    for point in 0..experiment.point_count() {
        for (place, metric) in experiment.metrics.iter().enumerate() {
            for (algorithm, cell) in summaries(results, point, place).iter().enumerate() {
                let summary = &cell.summary;
                let mut row = swept(results, point);
                let name = &experiment.algorithms[algorithm];
                row.extend([&metric.name, &metric.unit, name].map(Clone::clone));
                row.push(summary.n.to_string());
                let mean = Some(summary.mean).filter(|mean| mean.is_finite());
                row.extend([mean, summary.deviation, summary.half_width].map(shown));
                csv.write_record(row)?;
            }
        }
    }
    csv.flush()
}

/// A row a point, metric and comparison: `one` with `other`. Differences, t and effects are of one minus other;
/// only `decrease_percent` and `thesis_t` are above 0 where one has less.
pub fn write_comparisons_csv(results: &Results, out: &mut dyn Write) -> io::Result<()> {
    let experiment = &results.experiment;
    let mut csv = csv::Writer::from_writer(out);
    let axes = experiment.axes.iter().map(|axis| axis.title.as_str());
    csv.write_record(axes.chain(["metric", "unit", "one", "other"]).chain(COMPARED))?;
    for (place, metric) in experiment.metrics.iter().enumerate() {
        for comparison in compare(results, place) {
            let mut row = swept(results, comparison.point);
            let [one, other] =
                [comparison.one, comparison.other].map(|who| &experiment.algorithms[who]);
            row.extend([&metric.name, &metric.unit, one, other].map(Clone::clone));
            row.extend(numbers(&comparison).map(|value| shown(value.filter(|v| !v.is_nan()))));
            csv.write_record(row)?;
        }
    }
    csv.flush()
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

fn swept(results: &Results, point: usize) -> Vec<String> {
    let axes = results.experiment.axes.iter().zip(results.experiment.point(point));
    axes.map(|(axis, place)| axis.value_label(place)).collect()
}

fn shown(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}
