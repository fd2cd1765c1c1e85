//! Subjects of experiments. A subject takes settings, and measures algorithms in worlds that depend
//! only on a seed and the settings: every algorithm runs in the same worlds (common random
//! numbers).
//!
//! Scenarios of grids and of clusters are the two kinds of subjects for user files; the others are
//! built in, by name, with a flat table of settings.

mod clusters;
mod decision;
mod error;
mod etc;
mod exponential;
mod flat;
mod grid;
mod queue;
mod randomiser;
mod strategy;
mod table;
mod workload;
mod worlds;

use std::path::Path;

use serde_json::Value;

use super::Metric;
pub use error::SubjectError;
pub(crate) use grid::GridRuns;
use gridsat_model::Stop;

/// A subject of experiments.
pub struct Subject {
    /// The name in files: `subject = "NAME"`.
    pub name: &'static str,
    /// All settings with their defaults; an empty table for scenarios, which have their own.
    pub defaults: fn() -> Value,
    /// All metrics it can measure.
    pub metrics: fn() -> Vec<Metric>,
    /// Prepares a point of an experiment. Errors in the settings are one line.
    pub prepare: Prepare,
}

type Prepare = fn(&Value, &Context<'_>) -> Result<Box<dyn Prepared>, SubjectError>;

/// Inputs of the preparation in addition to the settings.
pub struct Context<'a> {
    /// Names of the requested metrics: those that [`Prepared::run`] returns, in order.
    pub metrics: &'a [String],
    /// The folder at which relative paths start.
    pub folder: &'a Path,
    /// Ends long computations.
    pub stop: &'a Stop,
}

/// Checked settings of a point.
pub trait Prepared: Send + Sync {
    /// Checks that the algorithm exists and can be run here.
    fn check(&self, algorithm: &str) -> Result<(), SubjectError>;

    /// One value per requested metric; `None` where it is undefined, such as the ratio to the bound
    /// of an unfinished run. The same seed gives the same values.
    fn run(&self, algorithm: &str, seed: u64) -> Result<Vec<Option<f64>>, SubjectError>;
}

/// All subjects.
pub static SUBJECTS: [Subject; 10] = [
    grid::SUBJECT,
    clusters::SUBJECT,
    flat::subject::<table::Table>(),
    flat::subject::<randomiser::Loads>(),
    flat::subject::<exponential::Gaps>(),
    flat::subject::<queue::Queue>(),
    flat::subject::<workload::Workload>(),
    flat::subject::<etc::Etc>(),
    flat::subject::<decision::Question>(),
    flat::subject::<strategy::Strategies>(),
];

/// The subject of this name.
pub fn subject(name: &str) -> Option<&'static Subject> {
    SUBJECTS.iter().find(|subject| subject.name == name)
}

/// A metric and the function that computes it.
struct Measure<T> {
    name: &'static str,
    title: &'static str,
    unit: &'static str,
    of: fn(&T) -> Option<f64>,
}

/// Defines a measure in one line.
const fn measure<T>(
    name: &'static str,
    title: &'static str,
    unit: &'static str,
    of: fn(&T) -> Option<f64>,
) -> Measure<T> {
    Measure { name, title, unit, of }
}

/// The metrics of a table of measures.
fn metrics_of<T>(measures: &[Measure<T>]) -> Vec<Metric> {
    measures.iter().map(|one| Metric::new(one.name, one.title, one.unit)).collect()
}

/// The requested measures, in order.
fn wanted<T>(
    measures: &'static [Measure<T>],
    names: &[String],
) -> Result<Vec<&'static Measure<T>>, SubjectError> {
    let find = |name: &String| measures.iter().find(|one| one.name == name);
    let unknown = |name: &String| SubjectError::UnknownMetric(name.clone());
    names.iter().map(|name| find(name).ok_or_else(|| unknown(name))).collect()
}

/// One metric of one run of a subject, by name.
#[cfg(test)]
fn measured(
    name: &str,
    settings: &Value,
    metric: &str,
    algorithm: &str,
    seed: u64,
) -> Result<f64, String> {
    let (metrics, stop) = ([metric.to_owned()], Stop::default());
    let context = Context { metrics: &metrics, folder: "".as_ref(), stop: &stop };
    let run = || {
        let prepared = (subject(name).expect("a subject").prepare)(settings, &context)?;
        prepared.check(algorithm)?;
        prepared.run(algorithm, seed)
    };
    let values = run().map_err(|error: SubjectError| error.to_string())?;
    values[0].ok_or_else(|| "not defined".to_owned())
}
