//! Tables of results: means, comparisons, and a summary of both.

use super::html::Table;
use crate::experiment::{AlgorithmId, Analysis, Cell, Comparison, Experiment, MetricId};
use gridsat_draw::number::{NONE, hundredths, limited, precise, probability, with_width};
use gridsat_statistics::{Summary, Test};

/// Corrected p-values below this level count as a difference.
const LEVEL: f64 = 0.05;

/// One row per point, one column per algorithm.
pub(super) fn means(experiment: &Experiment, metric: MetricId, analysis: &Analysis) -> Table {
    let row = |point| {
        let means = analysis.means[point].iter().map(mean);
        experiment.values_at(point).into_iter().chain(means).collect()
    };
    Table {
        label: format!("Means of {}", experiment.metrics[metric].title),
        head: axes(experiment).chain(experiment.algorithms.iter().cloned()).collect(),
        rows: experiment.points().map(row).collect(),
        names: experiment.axes.len(),
        numbers: true,
    }
}

fn axes(experiment: &Experiment) -> impl Iterator<Item = String> {
    experiment.axes.iter().map(|axis| axis.label())
}

fn pair(experiment: &Experiment, one: &Comparison) -> String {
    let [who, with] = [one.one, one.other].map(|algorithm| &experiment.algorithms[algorithm]);
    format!("{who} vs {with}")
}

/// The direction of a significant difference of means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Less,
    More,
    Open,
}

fn verdict(one: &Comparison) -> Verdict {
    match (&one.paired, one.adjusted) {
        (Some(test), Some(p)) if p < LEVEL && test.difference > 0.0 => Verdict::Less,
        (Some(test), Some(p)) if p < LEVEL && test.difference < 0.0 => Verdict::More,
        _ => Verdict::Open,
    }
}

const COLUMNS: [&str; 11] = [
    "less by %",
    "verdict",
    "t thesis",
    "t Welch",
    "df Welch",
    "p Welch",
    "t paired",
    "p paired",
    "p Holm",
    "effect g",
    "effect d",
];

/// Explanations of the columns.
pub(super) const MEANINGS: [(&str, &str); 7] = [
    (
        "less by %",
        "How much smaller the mean of the first is than that of the second, in percent of the \
         second, ± half of the 95 % confidence interval of the paired difference. Every t and \
         effect is positive where the first has less.",
    ),
    ("verdict", "Whether the first has less or more; empty unless p Holm is below 0.05."),
    (
        "t thesis",
        "Equation 4.1 of the thesis: independent samples, variances divided by n. Only for \
         comparison with its tables.",
    ),
    ("t, df, p Welch", "Welch's test, which also assumes independent samples."),
    (
        "t, p paired",
        "t-test of the differences, replication by replication: the test to trust, as both \
         algorithms use the same random numbers.",
    ),
    ("p Holm", "The paired p with Holm's correction for all comparisons of this metric."),
    (
        "effect g, d",
        "The difference in pooled standard deviations (Hedges' g), and in standard deviations of \
         the differences (d).",
    ),
];

/// One row per point and pair.
pub(super) fn comparisons(experiment: &Experiment, metric: MetricId, analysis: &Analysis) -> Table {
    let row = |(point, one): (_, &Comparison)| {
        let mut row = experiment.values_at(point);
        row.push(pair(experiment, one));
        row.extend(numbers(one));
        row
    };
    Table {
        label: format!("Comparisons of {}", experiment.metrics[metric].title),
        head: axes(experiment).chain(["".to_owned()]).chain(COLUMNS.map(str::to_owned)).collect(),
        rows: analysis.compared().map(row).collect(),
        names: experiment.axes.len() + 1,
        numbers: true,
    }
}

fn numbers(one: &Comparison) -> [String; 11] {
    let of = |test: &Option<Test>, show: fn(&Test) -> String| {
        test.as_ref().map_or(NONE.to_owned(), show)
    };
    let t: fn(&Test) -> String = |test| hundredths(test.t);
    let effect: fn(&Test) -> String = |test| hundredths(test.effect);
    let p: fn(&Test) -> String = |test| probability(test.p);
    let verdict = match verdict(one) {
        Verdict::Less => "▼ less",
        Verdict::More => "▲ more",
        Verdict::Open => "",
    };
    [
        with_width(one.decrease, one.decrease_half_width),
        verdict.to_owned(),
        one.thesis_t.map_or(NONE.to_owned(), hundredths),
        of(&one.welch, t),
        of(&one.welch, |test| limited(test.freedom, 1, 3)),
        of(&one.welch, p),
        of(&one.paired, t),
        of(&one.paired, p),
        one.adjusted.map_or(NONE.to_owned(), probability),
        of(&one.welch, effect),
        of(&one.paired, effect),
    ]
}

/// One row per pair: at how many points it differs, and by how much.
pub(super) fn glance(experiment: &Experiment, metric: MetricId, analysis: &Analysis) -> Table {
    let row = |(one, other): (AlgorithmId, AlgorithmId)| {
        let at = |point| analysis.comparison(point, one, other);
        let pair: Vec<&Comparison> = experiment.points().filter_map(at).collect();
        glance_at(experiment, &pair)
    };
    let head =
        ["", "less at", "more at", "no verdict at", "less by % at least", "less by % at most"];
    Table {
        label: format!("Comparisons of {} in short", experiment.metrics[metric].title),
        head: head.map(str::to_owned).to_vec(),
        rows: experiment.comparisons().into_iter().map(row).collect(),
        names: 1,
        numbers: true,
    }
}

fn glance_at(experiment: &Experiment, pair: &[&Comparison]) -> Vec<String> {
    let count = |wanted| pair.iter().filter(|one| verdict(one) == wanted).count().to_string();
    let decreases = || pair.iter().filter(|one| one.decrease.is_finite());
    let by_decrease =
        |one: &&&Comparison, other: &&&Comparison| one.decrease.total_cmp(&other.decrease);
    let show = |one: Option<&&Comparison>| {
        one.map_or(NONE.to_owned(), |one| {
            precise(
                one.decrease,
                one.decrease_half_width.filter(|width| width.is_finite()).unwrap_or(1.0),
            )
        })
    };
    let name = pair.first().map_or(String::new(), |one| self::pair(experiment, one));
    vec![
        name,
        count(Verdict::Less),
        count(Verdict::More),
        count(Verdict::Open),
        show(decreases().min_by(by_decrease)),
        show(decreases().max_by(by_decrease)),
    ]
}

/// A mean, with the number of values if some are missing.
fn mean(cell: &Cell) -> String {
    let Summary { n, mean, half_width, .. } = cell.summary;
    match (n, cell.missing) {
        (0, _) => NONE.to_owned(),
        (_, 0) => with_width(mean, half_width),
        (n, _) => format!("{} (n = {n})", with_width(mean, half_width)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::made::{made, sweep};

    #[test]
    fn differences_by_hand() {
        let axis = sweep("key = \"users.qos\"\nvalues = [1, 2, 3]");
        // Significantly less, significantly more, and equal; the last world of the last point
        // failed for minmin.
        let results = made(&axis, |run| {
            let (point, world, who) = (run.point.0, run.replication.0, run.algorithm.0);
            let noise = f64::from(world) * if who == 0 { 1.0 } else { 1.01 };
            let mean = [[100.0, 50.0], [100.0, 200.0], [100.0, 100.0]][point][who];
            (point < 2 || world < 2 || who == 0).then_some(mean + noise)
        });
        let (experiment, metric) = (&results.experiment, MetricId(0));
        let analysis = Analysis::of(&results, metric);
        let glance = glance(experiment, metric, &analysis);
        assert_eq!(glance.rows[0][..4], ["minmin vs mct", "1", "1", "1"]);
        let table = comparisons(experiment, metric, &analysis);
        let verdicts: Vec<_> = table.rows.iter().map(|row| &row[3]).collect();
        assert_eq!(verdicts, ["▼ less", "▲ more", ""]);
        assert_eq!(table.rows[0].len(), table.head.len());
        assert_eq!(table.rows[0][..2], ["1", "minmin vs mct"]);
        // 101 and 51.01 on average: 49.495 %.
        assert!(table.rows[0][2].starts_with("49.49"), "{:?}", table.rows[0]);
        let thesis_t = &table.rows[0][3];
        assert!(
            !thesis_t.starts_with('−') && !table.rows[0][4].starts_with('−'),
            "less is above 0"
        );
        let means = means(experiment, metric, &analysis);
        assert_eq!(means.head, ["users.qos", "mct", "minmin"]);
        assert!(means.rows[2][2].ends_with("(n = 2)"), "{:?}", means.rows);
    }

    #[test]
    fn means_tell_when_values_are_missing() {
        let cell = |values: &[f64], missing| Cell { summary: Summary::of(values), missing };
        assert_eq!(mean(&cell(&[], 3)), NONE);
        assert_eq!(mean(&cell(&[2.0], 0)), "2.0000");
        assert_eq!(mean(&cell(&[1.0, 1.0], 1)), "1.000 ± 0.000 (n = 2)");
    }
}
