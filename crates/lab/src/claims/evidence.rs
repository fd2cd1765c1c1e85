//! Results of experiments for judges, by the names of points, algorithms and metrics.
//!
//! A missing result is an estimate from no worlds, which decides nothing.

use std::collections::BTreeMap;

use super::estimate::{Estimate, LEAST};
use super::verdict::Verdict;
use crate::experiment::{
    AlgorithmId, Analysis, Comparison, Keyed, MetricId, PointId, Replication, Results, RunId,
};
use gridsat_statistics::{Summary, line, thesis_t};

/// Worlds per point in the thesis. A difference that is not significant in this many worlds counts
/// as not significant.
const PUBLISHED: usize = 100;
/// p-values below this level are significant.
const LEVEL: f64 = 0.05;
/// The bound on t in the thesis for the same level.
const BOUND: f64 = 1.96;

/// Two algorithms that are compared.
pub type Pair = (&'static str, &'static str);

/// All results that claims are judged by.
#[derive(Debug, Default)]
pub struct Evidence {
    by_name: BTreeMap<String, Finished>,
}

/// An experiment that was run.
#[derive(Debug)]
struct Finished {
    results: Results,
    analyses: Keyed<MetricId, Analysis>,
    seconds: Option<f64>,
}

impl Evidence {
    /// Adds an experiment, and its duration if known.
    pub fn add(&mut self, results: Results, seconds: Option<f64>) {
        let (name, analyses) = (results.experiment.name.clone(), Analysis::all(&results));
        self.by_name.insert(name, Finished { results, analyses, seconds });
    }

    /// A metric of an experiment.
    pub fn view(&self, experiment: &str, metric: &str) -> Option<View<'_>> {
        let Finished { results, analyses, .. } = self.by_name.get(experiment)?;
        let experiment = &results.experiment;
        let metric = experiment.metric(metric)?;
        let labels = experiment.points().map(|point| experiment.values_at(point).join("/"));
        Some(View { results, metric, analysis: &analyses[metric], labels: labels.collect() })
    }

    /// All experiments.
    pub fn results(&self) -> impl Iterator<Item = &Results> {
        self.by_name.values().map(|finished| &finished.results)
    }

    /// Duration of an experiment in seconds, if known.
    pub fn seconds(&self, experiment: &str) -> Option<f64> {
        self.by_name.get(experiment)?.seconds
    }
}

/// One metric of one experiment. Points are named by the labels of their values, with `/` between
/// axes.
#[derive(Clone, Debug)]
pub struct View<'a> {
    results: &'a Results,
    metric: MetricId,
    analysis: &'a Analysis,
    labels: Keyed<PointId, String>,
}

impl<'a> View<'a> {
    /// The labels of all points.
    pub fn points(&self) -> Vec<String> {
        self.labels.to_vec()
    }

    fn place(&self, point: &str, algorithm: &str) -> Option<(PointId, AlgorithmId)> {
        let (point, _) = self.labels.pairs().find(|(_, label)| *label == point)?;
        Some((point, self.results.experiment.algorithm(algorithm)?))
    }

    /// Values world by world; empty if there is no such point or algorithm.
    pub fn values(&self, point: &str, algorithm: &str) -> Vec<Option<f64>> {
        let place = self.place(point, algorithm);
        place.map_or(Vec::new(), |(point, algorithm)| {
            self.results.values(point, algorithm, self.metric)
        })
    }

    /// Values of the worlds in which both have one.
    fn both(&self, one: (&str, &str), other: (&str, &str)) -> (Vec<f64>, Vec<f64>) {
        let values = |(point, algorithm)| self.values(point, algorithm).into_iter();
        values(one).zip(values(other)).filter_map(|(a, b)| Some((a?, b?))).unzip()
    }

    /// The mean over worlds.
    pub fn mean(&self, point: &str, algorithm: &str) -> Estimate {
        Estimate::of(&self.values(point, algorithm).into_iter().flatten().collect::<Vec<_>>())
    }

    /// The value of a metric without random variation.
    pub fn exact(&self, point: &str, algorithm: &str) -> Estimate {
        let value = self.values(point, algorithm).first().copied().flatten();
        value.map_or(Estimate::none(), Estimate::exact)
    }

    /// Difference from one point to another, in the same worlds.
    pub fn change(&self, algorithm: &str, from: &str, to: &str) -> Estimate {
        let (a, b) = self.both((from, algorithm), (to, algorithm));
        Estimate::of(&a.iter().zip(b).map(|(a, b)| b - a).collect::<Vec<_>>())
    }

    /// How much less one has than the other, in percent of the other's mean.
    pub fn decrease(&self, point: &str, one: &str, other: &str) -> Estimate {
        self.decrease_from(point, one, point, other)
    }

    /// The same between points. The interval is that of a ratio of means: it is computed from the
    /// residuals `one - ratio · other` of the worlds.
    pub fn decrease_from(&self, at: &str, one: &str, from: &str, other: &str) -> Estimate {
        let (a, b) = self.both((at, one), (from, other));
        let [mean, base] = [&a, &b].map(|values| Summary::of(values).mean);
        let ratio = mean / base;
        let left: Vec<f64> = a.iter().zip(b).map(|(a, b)| (a - ratio * b) / base).collect();
        Estimate {
            value: 100.0 * (1.0 - ratio),
            half: 100.0 * Estimate::of(&left).half,
            n: left.len(),
        }
    }

    /// Mean of a function of each world; worlds without a value are left out.
    pub fn per_world(&self, of: impl Fn(&World<'_>) -> Option<f64>) -> Estimate {
        let values = self
            .results
            .experiment
            .worlds()
            .filter_map(|replication| of(&World { view: self, replication }));
        Estimate::of(&values.collect::<Vec<_>>())
    }

    /// Change of the decrease per unit of x, world by world. `points` have the x of each point.
    pub fn slope(&self, points: &[(String, f64)], one: &str, other: &str) -> Estimate {
        self.per_world(|world| {
            let at = |(point, x): &(String, f64)| Some((*x, world.decrease(point, one, other)?));
            Some(line(&points.iter().map(at).collect::<Option<Vec<_>>>()?)?.slope)
        })
    }

    /// The comparison of two algorithms; only of pairs that the experiment compares.
    pub fn comparison(&self, point: &str, one: &str, other: &str) -> Option<&'a Comparison> {
        let (at, first) = self.place(point, one)?;
        let (_, second) = self.place(point, other)?;
        self.analysis.comparison(at, first, second)
    }

    /// The t of the thesis, above 0 if the first has less. Both ran in the same worlds, so its
    /// variation is that of their difference world by world, not that of independent samples.
    pub fn thesis_t(&self, point: &str, one: &str, other: &str) -> Estimate {
        let (a, b) = self.both((point, one), (point, other));
        let difference = Estimate::of(&a.iter().zip(&b).map(|(a, b)| b - a).collect::<Vec<_>>());
        let n = a.len() as f64;
        let squared = |values| Summary::of(values).deviation.map(|s| s * s * (n - 1.0) / n / n);
        let error = squared(&a).zip(squared(&b)).map(|(a, b)| (a + b).sqrt());
        match (thesis_t(&b, &a), error) {
            (Some(t), Some(error)) => {
                Estimate { value: t, half: difference.half / error, n: a.len() }
            }
            _ => Estimate::none(),
        }
    }

    /// Which one has significantly less, by the paired test with Holm's correction. A difference
    /// that is not significant in as many worlds as the thesis had counts as not significant.
    fn side(&self, point: &str, one: &str, other: &str) -> Side {
        let n = self.both((point, one), (point, other)).0.len();
        let found = self.comparison(point, one, other);
        let Some((test, p)) = found.and_then(|found| found.paired.zip(found.adjusted)) else {
            return Side::Unknown;
        };
        match () {
            () if p < LEVEL && n >= LEAST && test.difference > 0.0 => Side::Less,
            () if p < LEVEL && n >= LEAST => Side::More,
            () if n >= PUBLISHED => Side::Neither,
            () => Side::Unknown,
        }
    }

    /// Whether one has significantly less than the other.
    pub fn significant(&self, point: &str, one: &str, other: &str) -> Verdict {
        match self.side(point, one, other) {
            Side::Less => Verdict::Reproduced,
            Side::More | Side::Neither => Verdict::Refuted,
            Side::Unknown => Verdict::TooFewRuns,
        }
    }

    /// Whether they differ significantly, in either direction.
    pub fn differ(&self, point: &str, one: &str, other: &str) -> Verdict {
        match self.side(point, one, other) {
            Side::Less | Side::More => Verdict::Reproduced,
            Side::Neither => Verdict::Refuted,
            Side::Unknown => Verdict::TooFewRuns,
        }
    }

    /// Whether they do not differ significantly.
    pub fn alike(&self, point: &str, one: &str, other: &str) -> Verdict {
        self.differ(point, one, other).negated()
    }

    /// Whether the thesis' test finds it significant. Requires as many worlds as in the thesis,
    /// because t grows with them.
    pub fn thesis_significant(&self, point: &str, one: &str, other: &str) -> Verdict {
        let t = self.thesis_t(point, one, other);
        if t.n < PUBLISHED { Verdict::TooFewRuns } else { Verdict::of(t.value.abs() > BOUND) }
    }

    /// Whether the thesis' test finds it not significant.
    pub fn thesis_alike(&self, point: &str, one: &str, other: &str) -> Verdict {
        self.thesis_significant(point, one, other).negated()
    }

    /// Whether the thesis' test finds no difference at these points. Vacuous if it finds none where
    /// the paired test finds some: then it cannot find any.
    pub fn thesis_finds_none(&self, points: &[&str], pairs: &[Pair]) -> Verdict {
        match self.all(points, pairs, Self::thesis_alike) {
            Verdict::Reproduced if self.all(points, pairs, Self::alike) == Verdict::Refuted => {
                Verdict::Vacuous
            }
            verdict => verdict,
        }
    }

    /// Whether a rule holds for all pairs at all points.
    pub fn all<P: AsRef<str>>(
        &self,
        points: impl IntoIterator<Item = P>,
        pairs: &[Pair],
        rule: impl Fn(&Self, &str, &str, &str) -> Verdict,
    ) -> Verdict {
        let at = |point: P| {
            Verdict::all(pairs.iter().map(|(one, other)| rule(self, point.as_ref(), one, other)))
        };
        Verdict::all(points.into_iter().map(at))
    }
}

/// Relation of the first of two algorithms to the second.
enum Side {
    Less,
    More,
    Neither,
    Unknown,
}

/// One world of a view.
pub struct World<'a> {
    view: &'a View<'a>,
    replication: Replication,
}

impl World<'_> {
    /// The measured value.
    pub fn value(&self, point: &str, algorithm: &str) -> Option<f64> {
        let (point, algorithm) = self.view.place(point, algorithm)?;
        let run = RunId { point, replication: self.replication, algorithm };
        self.view.results.value(run, self.view.metric)
    }

    /// How much less one has than the other, in percent.
    pub fn decrease(&self, point: &str, one: &str, other: &str) -> Option<f64> {
        let (a, b) = (self.value(point, one)?, self.value(point, other)?);
        Some(100.0 * (b - a) / b)
    }
}
