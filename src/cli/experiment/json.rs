//! Results of an experiment as the JSON object of `--format json`.

use gridsat_lab::experiment::{
    AlgorithmId, Analysis, Cell, Comparison, Experiment, MetricId, PointId, Results,
};
use gridsat_statistics::{Summary, Test};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::super::json::Printed;

/// What `gridsat experiment --format json` prints.
#[derive(Serialize, JsonSchema)]
pub struct Json {
    /// Version of gridsat that ran it.
    gridsat: String,
    /// Name of the experiment.
    experiment: String,
    /// What is varied, in a few words.
    title: String,
    /// Seed of the first replication.
    seed: u64,
    /// Replications of each point.
    replications: u32,
    /// One per combination of swept values.
    points: Vec<JsonPoint>,
    /// Runs that failed.
    failures: Vec<JsonFailure>,
}

impl Printed for Json {
    const FORMAT: &'static str = "gridsat-experiment 2";
}

#[derive(Serialize, JsonSchema)]
struct JsonPoint {
    /// Swept values, by titles of the axes.
    at: Map<String, Value>,
    /// What was measured there.
    metrics: Vec<JsonMetric>,
}

#[derive(Serialize, JsonSchema)]
struct JsonFailure {
    /// Which run: its swept values, algorithm and seed.
    run: String,
    /// Why it failed.
    error: String,
}

#[derive(Serialize, JsonSchema)]
struct JsonMetric {
    /// Name of the metric.
    metric: String,
    /// Its unit; empty if it has none.
    unit: String,
    /// One per algorithm.
    algorithms: Vec<JsonMeasured>,
    /// Pairs of algorithms.
    comparisons: Vec<JsonComparison>,
}

#[derive(Serialize, JsonSchema)]
struct JsonMeasured {
    /// Name of the algorithm.
    algorithm: String,
    /// Runs that have a value.
    n: usize,
    /// Their mean; null without runs.
    mean: Option<f64>,
    /// Standard deviation (n − 1); null below two runs.
    deviation: Option<f64>,
    /// Half of the 95 % confidence interval of the mean; null below two runs.
    half_width: Option<f64>,
}

#[derive(Serialize, JsonSchema)]
struct JsonComparison {
    /// The algorithm that is compared.
    one: String,
    /// The algorithm it is compared with.
    other: String,
    /// (other mean − first mean) / other mean, in percent; null if undefined.
    decrease_percent: Option<f64>,
    /// Equation 4.1 of the thesis; null if undefined.
    thesis_t: Option<f64>,
    /// Welch's test of other minus first, as if independent; null with too few runs.
    welch: Option<JsonTest>,
    /// Paired test of other minus first; null with too few runs.
    paired: Option<JsonTest>,
    /// The paired p-value, corrected for all comparisons of the metric.
    p_adjusted: Option<f64>,
}

/// A t test. Values that are not finite are null.
#[derive(Serialize, JsonSchema)]
struct JsonTest {
    /// Difference of the means; this, t and effect are positive if the first has less.
    difference: Option<f64>,
    /// Half of its 95 % confidence interval.
    half_width: Option<f64>,
    /// The difference over its standard error.
    t: Option<f64>,
    /// Degrees of freedom.
    freedom: Option<f64>,
    /// p-value, two-sided.
    p: Option<f64>,
    /// Difference in standard deviations: Hedges' g (Welch) or d_z (paired).
    effect: Option<f64>,
}

/// JSON has no numbers that are not finite.
fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite())
}

impl Json {
    pub fn new(results: &Results) -> Self {
        let experiment = &results.experiment;
        let analyses = Analysis::all(results);
        let point = |point| {
            let values = experiment.axes.iter().zip(experiment.places(point));
            let at = values.map(|(axis, place)| (axis.title.clone(), axis.values[place].clone()));
            let metrics = analyses.pairs();
            let metrics =
                metrics.map(|(metric, of)| JsonMetric::new(experiment, point, metric, of));
            JsonPoint { at: at.collect(), metrics: metrics.collect() }
        };
        let failures = results.failures();
        Self {
            gridsat: results.version.clone(),
            experiment: experiment.name.clone(),
            title: experiment.title.clone(),
            seed: experiment.seed,
            replications: experiment.replications,
            points: experiment.points().map(point).collect(),
            failures: failures
                .map(|(run, error)| JsonFailure { run, error: error.to_owned() })
                .collect(),
        }
    }
}

impl JsonMetric {
    fn new(experiment: &Experiment, point: PointId, metric: MetricId, analysis: &Analysis) -> Self {
        let name = |algorithm: AlgorithmId| experiment.algorithms[algorithm].clone();
        let measured = |(algorithm, cell): (AlgorithmId, &Cell)| {
            let Summary { n, mean, deviation, half_width } = cell.summary;
            let algorithm = name(algorithm);
            JsonMeasured { algorithm, n, mean: finite(mean), deviation, half_width }
        };
        let comparison = |one: &Comparison| JsonComparison {
            one: name(one.one),
            other: name(one.other),
            decrease_percent: finite(one.decrease),
            thesis_t: one.thesis_t.and_then(finite),
            welch: one.welch.as_ref().map(JsonTest::from),
            paired: one.paired.as_ref().map(JsonTest::from),
            p_adjusted: one.adjusted.and_then(finite),
        };
        Self {
            metric: experiment.metrics[metric].name.clone(),
            unit: experiment.metrics[metric].unit.clone(),
            algorithms: analysis.means[point].pairs().map(measured).collect(),
            comparisons: analysis.comparisons[point].iter().map(comparison).collect(),
        }
    }
}

impl From<&Test> for JsonTest {
    fn from(test: &Test) -> Self {
        Self {
            difference: finite(test.difference),
            half_width: finite(test.half_width),
            t: finite(test.t),
            freedom: finite(test.freedom),
            p: finite(test.p),
            effect: finite(test.effect),
        }
    }
}
