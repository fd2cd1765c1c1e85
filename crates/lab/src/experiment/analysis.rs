//! What results say: means with confidence intervals, and who differs from whom.
//!
//! Comparisons of a metric are made at every point. The thesis' t treats the runs of two algorithms as
//! independent and divides variances by n (erratum E17); Welch's test divides by n − 1; but runs share
//! their worlds, so the paired test is the one to trust. Its p-values are corrected by Holm's method for
//! all comparisons of the metric, at all points.

use super::result::Results;
use gridsat_statistics::{Summary, Test, holm, paired, thesis_t, welch};

/// One algorithm at one point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Of the values there are.
    pub summary: Summary,
    /// Runs that failed, or for which the metric is not defined.
    pub missing: usize,
}

/// The algorithms at a point.
pub fn summaries(results: &Results, point: usize, metric: usize) -> Vec<Cell> {
    let cell = |algorithm| {
        let values = results.values(point, algorithm, metric);
        let there: Vec<f64> = values.iter().copied().flatten().collect();
        Cell { summary: Summary::of(&there), missing: values.len() - there.len() }
    };
    (0..results.experiment.algorithms.len()).map(cell).collect()
}

/// One algorithm compared with another at one point.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Where.
    pub point: usize,
    /// Who.
    pub one: usize,
    /// With whom.
    pub other: usize,
    /// How much less the mean of the first is, in percent of the other's.
    pub decrease: f64,
    /// Half of its 95 % confidence interval: that of the paired difference, in percent of the other's mean.
    pub decrease_half_width: Option<f64>,
    /// Equation 4.1 of the thesis, above 0 if the first has less.
    pub thesis_t: Option<f64>,
    /// First minus other, as if independent.
    pub welch: Option<Test>,
    /// First minus other, world by world.
    pub paired: Option<Test>,
    /// The paired p-value, corrected.
    pub adjusted: Option<f64>,
}

/// All comparisons of a metric.
pub fn compare(results: &Results, metric: usize) -> Vec<Comparison> {
    let experiment = &results.experiment;
    let mut all: Vec<Comparison> = Vec::new();
    for point in 0..experiment.point_count() {
        let pairs = experiment.comparisons().into_iter();
        all.extend(pairs.map(|(one, other)| comparison(results, metric, point, one, other)));
    }
    let tested = |comparison: &Comparison| comparison.paired.as_ref().map(|test| test.p);
    let mut adjusted = holm(&all.iter().filter_map(tested).collect::<Vec<_>>()).into_iter();
    for one in all.iter_mut().filter(|one| one.paired.is_some()) {
        one.adjusted = adjusted.next();
    }
    all
}

fn comparison(
    results: &Results,
    metric: usize,
    point: usize,
    one: usize,
    other: usize,
) -> Comparison {
    let values = |algorithm| results.values(point, algorithm, metric).into_iter();
    // Worlds in which one of them has no value say nothing about the difference.
    let both: (Vec<f64>, Vec<f64>) =
        values(one).zip(values(other)).filter_map(|(a, b)| Some((a?, b?))).unzip();
    let (a, b) = (&both.0, &both.1);
    let mean = |values: &[f64]| Summary::of(values).mean;
    let paired = paired(a, b);
    Comparison {
        point,
        one,
        other,
        decrease: 100.0 * (mean(b) - mean(a)) / mean(b),
        decrease_half_width: paired.map(|test| 100.0 * test.half_width / mean(b).abs()),
        thesis_t: thesis_t(b, a),
        welch: welch(a, b),
        paired,
        adjusted: None,
    }
}
