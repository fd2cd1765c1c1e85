//! Analysis of results: means with confidence intervals, and comparisons of algorithms.
//!
//! Comparisons of a metric are made at every point. The thesis' t treats the runs of two algorithms
//! as independent and divides variances by n (erratum E17); Welch's test divides by n − 1; but
//! runs share their worlds, so the paired test is the appropriate one. Its p-values are corrected
//! by Holm's method for all comparisons of the metric, at all points.

use super::id::{AlgorithmId, Keyed, MetricId, PointId};
use super::result::Results;
use gridsat_statistics::{Summary, Test, holm, paired, thesis_t, welch};

/// Analysis of one metric. Computed once, because tests at many points take time.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The algorithms at each point.
    pub means: Keyed<PointId, Keyed<AlgorithmId, Cell>>,
    /// The pairs of [`super::Experiment::comparisons`] at each point.
    pub comparisons: Keyed<PointId, Vec<Comparison>>,
}

/// One algorithm at one point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    /// Summary of the existing values.
    pub summary: Summary,
    /// Number of runs that failed, or for which the metric is undefined.
    pub missing: usize,
}

/// One algorithm compared with another at one point. Differences, t and effects are above 0 if the
/// first has less.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The algorithm that is compared.
    pub one: AlgorithmId,
    /// The algorithm it is compared with.
    pub other: AlgorithmId,
    /// How much smaller the mean of the first is, in percent of the other's.
    pub decrease: f64,
    /// Half of its 95 % confidence interval: that of the paired difference, in percent of the
    /// other's mean.
    pub decrease_half_width: Option<f64>,
    /// The t of equation 4.1 of the thesis.
    pub thesis_t: Option<f64>,
    /// Welch's test of other minus first, as if independent.
    pub welch: Option<Test>,
    /// Paired test of other minus first, world by world.
    pub paired: Option<Test>,
    /// The paired p-value, corrected by Holm's method.
    pub adjusted: Option<f64>,
}

impl Analysis {
    /// Means and comparisons of a metric at all points.
    pub fn of(results: &Results, metric: MetricId) -> Self {
        let cells = |point| {
            let algorithms = results.experiment.algorithms.ids();
            algorithms
                .map(|algorithm| Cell::of(&results.values(point, algorithm, metric)))
                .collect()
        };
        let means = results.experiment.points().map(cells).collect();
        Self { means, comparisons: comparisons(results, metric) }
    }

    /// The analyses of all metrics of a result.
    pub fn all(results: &Results) -> Keyed<MetricId, Self> {
        results.experiment.metrics.ids().map(|metric| Self::of(results, metric)).collect()
    }

    /// All comparisons with their points, in order.
    pub fn compared(&self) -> impl Iterator<Item = (PointId, &Comparison)> {
        self.comparisons.pairs().flat_map(|(point, all)| all.iter().map(move |one| (point, one)))
    }

    /// Whether any test was possible.
    pub fn has_tests(&self) -> bool {
        self.compared().any(|(_, one)| one.paired.is_some())
    }

    /// The comparison of two algorithms at a point, if the experiment compares them.
    pub fn comparison(
        &self,
        point: PointId,
        one: AlgorithmId,
        other: AlgorithmId,
    ) -> Option<&Comparison> {
        self.comparisons[point].iter().find(|found| (found.one, found.other) == (one, other))
    }
}

impl Cell {
    fn of(values: &[Option<f64>]) -> Self {
        let there: Vec<f64> = values.iter().copied().flatten().collect();
        Self { summary: Summary::of(&there), missing: values.len() - there.len() }
    }
}

fn comparisons(results: &Results, metric: MetricId) -> Keyed<PointId, Vec<Comparison>> {
    let pairs = results.experiment.comparisons();
    let at = |point| {
        let values = |algorithm| results.values(point, algorithm, metric);
        let compared = |&(one, other)| Comparison::of((one, &values(one)), (other, &values(other)));
        pairs.iter().map(compared).collect::<Vec<_>>()
    };
    let mut all: Vec<Vec<Comparison>> = results.experiment.points().map(at).collect();
    let tested = |one: &Comparison| one.paired.as_ref().map(|test| test.p);
    let mut adjusted =
        holm(&all.iter().flatten().filter_map(tested).collect::<Vec<_>>()).into_iter();
    for one in all.iter_mut().flatten().filter(|one| one.paired.is_some()) {
        one.adjusted = adjusted.next();
    }
    all.into()
}

/// An algorithm and its values, world by world.
type Values<'a> = (AlgorithmId, &'a [Option<f64>]);

impl Comparison {
    fn of((one, a): Values<'_>, (other, b): Values<'_>) -> Self {
        // Worlds in which one of them has no value are left out.
        let (a, b): (Vec<f64>, Vec<f64>) =
            a.iter().zip(b).filter_map(|(&a, &b)| Some((a?, b?))).unzip();
        let mean = |values: &[f64]| Summary::of(values).mean;
        let paired = paired(&b, &a);
        Self {
            one,
            other,
            decrease: 100.0 * (mean(&b) - mean(&a)) / mean(&b),
            decrease_half_width: paired.map(|test| 100.0 * test.half_width / mean(&b).abs()),
            thesis_t: thesis_t(&b, &a),
            welch: welch(&b, &a),
            paired,
            adjusted: None,
        }
    }
}
