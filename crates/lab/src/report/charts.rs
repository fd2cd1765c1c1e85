//! The figures of a result.
//!
//! For each metric the means over a swept parameter, one line per algorithm, with 95 % intervals.
//! If there is a baseline, also the decrease of the others in percent of its mean, as in figures
//! 4.5, 4.7, 4.12, 4.15 and 4.19 of the thesis, with the interval of the paired difference. With
//! several parameters there is a figure for each combination of the others, up to [`MOST_PANELS`];
//! the rest is in tables only.

use std::collections::BTreeMap;

use itertools::Itertools;

use crate::experiment::{AlgorithmId, Analysis, Experiment, MetricId, PointId};
use gridsat_draw::chart::{Axis, Chart, Point, Scale, Series};

/// A figure of a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// File name without extension: the metric and what is shown of it.
    pub name: String,
    /// The chart. Its note explains the error bars.
    pub chart: Chart,
}

/// Largest number of figures of the same kind.
pub const MOST_PANELS: usize = 12;

/// All figures of a metric.
pub fn figures(experiment: &Experiment, metric: MetricId, analysis: &Analysis) -> Vec<Figure> {
    let panels = panels(experiment);
    let all = Panels { experiment, metric, analysis, axis: axis(experiment) };
    let means = panels.iter().map(|panel| (panel, "means", all.means(panel)));
    let decreases =
        panels.iter().filter_map(|panel| Some((panel, "decrease", all.decreases(panel)?)));
    let figure = |(panel, kind, chart): (&Panel, &str, Chart)| {
        let number =
            if panels.len() > 1 { format!("-{}", panel.number + 1) } else { String::new() };
        let name = format!("{}-{kind}{number}", experiment.metrics[metric].name);
        Figure { name, chart }
    };
    means.chain(decreases).map(figure).collect()
}

/// Number of combinations that [`figures`] does not draw.
pub(super) fn left_out(experiment: &Experiment) -> usize {
    let points = experiment.point_count();
    let along = axis(experiment).map_or(1, |place| experiment.axes[place].values.len());
    (points / along).saturating_sub(MOST_PANELS)
}

/// The parameter on the x axis: the first with numeric values, otherwise the first.
fn axis(experiment: &Experiment) -> Option<usize> {
    let numbers = experiment.axes.iter().position(|axis| numbers(axis).is_some());
    numbers.or((!experiment.axes.is_empty()).then_some(0))
}

fn numbers(axis: &crate::experiment::Axis) -> Option<Vec<f64>> {
    axis.numbers().filter(|numbers| numbers.iter().all(|number| number.is_finite()))
}

/// One combination of the parameters that are not on the x axis.
struct Panel {
    number: usize,
    /// Label such as `hosts = 10`; empty if there are no others.
    label: String,
    /// Points of the experiment by their position on x.
    points: Vec<PointId>,
}

fn panels(experiment: &Experiment) -> Vec<Panel> {
    let x = axis(experiment);
    let mut by_rest: BTreeMap<Vec<usize>, Vec<PointId>> = BTreeMap::new();
    for point in experiment.points() {
        let mut places = experiment.places(point);
        x.map(|x| places.remove(x));
        by_rest.entry(places).or_default().push(point);
    }
    let others = |rest: &[usize]| {
        let axes = experiment.axes.iter().enumerate().filter(|(place, _)| Some(*place) != x);
        axes.zip(rest).map(|((_, axis), &place)| axis.at(place)).join(", ")
    };
    let all = by_rest.into_iter().take(MOST_PANELS).enumerate();
    all.map(|(number, (rest, points))| Panel { number, label: others(&rest), points }).collect()
}

struct Panels<'a> {
    experiment: &'a Experiment,
    metric: MetricId,
    analysis: &'a Analysis,
    axis: Option<usize>,
}

impl Panels<'_> {
    fn means(&self, panel: &Panel) -> Chart {
        let experiment = self.experiment;
        let value = |point: PointId, who: AlgorithmId| {
            let summary = self.analysis.means[point][who].summary;
            (summary.n > 0).then_some((summary.mean, summary.half_width))
        };
        let every: Vec<AlgorithmId> = experiment.algorithms.ids().collect();
        let metric = &experiment.metrics[self.metric];
        let cells = panel.points.iter().flat_map(|&point| self.analysis.means[point].iter());
        let all = cells.map(|cell| cell.summary.mean);
        let y = Axis { label: metric.label(), scale: scale(all), include_zero: false };
        let note = match experiment.replications {
            1 => "One replication.".to_owned(),
            n => format!("Means of {n} replications; bars are 95 % confidence intervals."),
        };
        let title = metric.mean_title();
        self.chart(panel, (title, note), y, &every, value)
    }

    /// `None` without a baseline, or if nothing can be compared with it.
    fn decreases(&self, panel: &Panel) -> Option<Chart> {
        let experiment = self.experiment;
        let baseline = experiment.algorithm(experiment.baseline.as_ref()?)?;
        let value = |point: PointId, who: AlgorithmId| {
            let one = self.analysis.comparison(point, who, baseline)?;
            one.decrease.is_finite().then_some((one.decrease, one.decrease_half_width))
        };
        let others: Vec<AlgorithmId> =
            experiment.algorithms.ids().filter(|&who| who != baseline).collect();
        let (metric, name) = (&experiment.metrics[self.metric], &experiment.algorithms[baseline]);
        let y = Axis { label: "decrease (%)".to_owned(), scale: Scale::Linear, include_zero: true };
        let title = format!("Decrease of mean {} versus {name}", metric.title);
        let note = "Above 0 is less than the baseline; bars are 95 % confidence intervals of the \
            paired difference.";
        let chart = self.chart(panel, (title, note.to_owned()), y, &others, value);
        chart.series.iter().any(|series| !series.points.is_empty()).then_some(chart)
    }

    /// `value` gives the value of an algorithm at a point.
    fn chart(
        &self,
        panel: &Panel,
        (title, note): (String, String),
        y: Axis,
        who: &[AlgorithmId],
        value: impl Fn(PointId, AlgorithmId) -> Option<(f64, Option<f64>)>,
    ) -> Chart {
        let experiment = self.experiment;
        let title =
            if panel.label.is_empty() { title } else { format!("{title}, {}", panel.label) };
        let Some(axis) = self.axis.map(|place| &experiment.axes[place]) else {
            let names = who.iter().map(|&who| experiment.algorithms[who].clone()).collect();
            let x =
                Axis { label: String::new(), scale: Scale::Category(names), include_zero: false };
            let point = |(row, &who): (usize, &AlgorithmId)| {
                Some(point(row as f64, value(panel.points[0], who)?))
            };
            let points = who.iter().enumerate().filter_map(point).collect();
            return Chart {
                title,
                note,
                x,
                y,
                series: vec![Series { name: String::new(), points }],
            };
        };
        let count = axis.values.len();
        let places =
            numbers(axis).unwrap_or_else(|| (0..count).map(|place| place as f64).collect());
        let series = |(algorithm, name): (AlgorithmId, &String)| {
            // An algorithm that is not shown keeps its index, so that colours are the same in all
            // figures.
            if !who.contains(&algorithm) {
                return Series { name: String::new(), points: Vec::new() };
            }
            let at = |(&place, &x): (&PointId, &f64)| Some(point(x, value(place, algorithm)?));
            Series {
                name: name.clone(),
                points: panel.points.iter().zip(&places).filter_map(at).collect(),
            }
        };
        let x = Axis { label: axis.label(), scale: swept_scale(axis), include_zero: false };
        Chart { title, note, x, y, series: experiment.algorithms.pairs().map(series).collect() }
    }
}

fn point(x: f64, (y, half_width): (f64, Option<f64>)) -> Point {
    Point { x, y, half_width }
}

fn swept_scale(axis: &crate::experiment::Axis) -> Scale {
    match numbers(axis) {
        None => {
            Scale::Category((0..axis.values.len()).map(|place| axis.value_label(place)).collect())
        }
        Some(numbers) if axis.log && numbers.iter().all(|&number| number > 0.0) => Scale::Log,
        Some(_) => Scale::Linear,
    }
}

/// Logarithmic if a linear axis would make most values indistinguishable.
fn scale(values: impl Iterator<Item = f64>) -> Scale {
    const FAR: f64 = 200.0;
    let (least, most) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| {
            (least.min(value), most.max(value))
        });
    if least > 0.0 && most / least > FAR { Scale::Log } else { Scale::Linear }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Results;
    use crate::experiment::made::{made, sweep};

    fn figures(results: &Results) -> Vec<Figure> {
        let metric = MetricId(0);
        super::figures(&results.experiment, metric, &Analysis::of(results, metric))
    }

    fn values(series: &Series) -> Vec<(f64, f64)> {
        series.points.iter().map(|point| (point.x, point.y)).collect()
    }

    #[test]
    fn means_and_decreases_by_hand() {
        let axis = sweep("key = \"users.qos\"\nunit = \"%\"\nvalues = [10, 20]");
        // mct has 100 and 200; minmin 90 and 240, plus -1, 0 or 1 by world.
        let results = made(&axis, |run| {
            let who = run.algorithm.0;
            let mean = [[100.0, 90.0], [200.0, 240.0]][run.point.0][who];
            Some(mean + if who == 0 { 0.0 } else { f64::from(run.replication.0) - 1.0 })
        });
        let figures = figures(&results);
        let names: Vec<_> = figures.iter().map(|figure| figure.name.as_str()).collect();
        assert_eq!(names, ["makespan-means", "makespan-decrease"]);
        let [means, decrease] = [&figures[0].chart, &figures[1].chart];
        assert_eq!(means.x.label, "users.qos (%)");
        assert_eq!(means.y.label, "makespan (s)");
        assert_eq!(values(&means.series[1]), [(10.0, 90.0), (20.0, 240.0)]);
        assert_eq!(values(&decrease.series[1]), [(10.0, 10.0), (20.0, -20.0)]);
        assert!(decrease.series[0].points.is_empty() && decrease.series[0].name.is_empty());
        // The differences are -1, 0 and 1 around their mean: t(0.975, 2) / sqrt(3), in percent of
        // 100 and 200.
        let width = 4.302652729696142 / 3_f64.sqrt();
        for (point, expected) in decrease.series[1].points.iter().zip([width, width / 2.0]) {
            let found = point.half_width.expect("three worlds");
            assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
        }
    }

    #[test]
    fn other_parameters_make_panels() {
        let first =
            sweep("key = \"users.qos\"\ntitle = \"a\"\nvalues = [1, 2]\nlabels = [\"x\", \"y\"]");
        let second =
            sweep("key = \"resource.count\"\ntitle = \"b\"\nlog = true\nvalues = [1, 2, 4]");
        let results = made(&format!("{first}{second}"), |run| Some(run.point.0 as f64 + 1.0));
        let figures = figures(&results);
        assert_eq!(figures.len(), 4);
        assert_eq!(figures[1].name, "makespan-means-2");
        let chart = &figures[1].chart;
        assert_eq!((chart.title.as_str(), chart.x.label.as_str()), ("Mean makespan, a = y", "b"));
        assert_eq!(chart.x.scale, Scale::Log);
        assert_eq!(values(&chart.series[0]), [(1.0, 4.0), (2.0, 5.0), (4.0, 6.0)]);
    }

    #[test]
    fn too_many_panels_are_counted() {
        let first = sweep("key = \"users.qos\"\nvalues = [1, 2]");
        let second = sweep("key = \"resource.count\"\nrange = { from = 1, to = 20, step = 1 }");
        let results = made(&format!("{first}{second}"), |_| None);
        assert_eq!(figures(&results).len(), MOST_PANELS, "and no decreases of nothing");
        assert_eq!(left_out(&results.experiment), 8);
    }

    #[test]
    fn without_numbers_there_are_rows() {
        let results = made("", |run| Some([1.0, 1000.0][run.algorithm.0]));
        let chart = &figures(&results)[0].chart;
        assert_eq!(chart.x.scale, Scale::Category(vec!["mct".into(), "minmin".into()]));
        assert_eq!(chart.y.scale, Scale::Log, "they are far apart");
        assert_eq!(values(&chart.series[0]), [(0.0, 1.0), (1.0, 1000.0)]);
        let words = made(&sweep("key = \"users.name\"\nvalues = [\"p\", \"q\"]"), |_| Some(1.0));
        let chart = &figures(&words)[0].chart;
        assert_eq!(chart.x.scale, Scale::Category(vec!["p".into(), "q".into()]));
        assert_eq!(values(&chart.series[1]), [(0.0, 1.0), (1.0, 1.0)]);
    }
}
