//! What experiments are made on. A subject is given settings, and measures algorithms in worlds
//! that depend on a seed and the settings only: whatever algorithms are compared, each of them
//! meets the same worlds (common random numbers).
//!
//! Scenarios of grids and of clusters are the two that people bring along; the others are built in,
//! by name, with a flat table of settings of their own.

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

/// Something that can be experimented on.
pub struct Subject {
    /// In files: `subject = "NAME"`.
    pub name: &'static str,
    /// All settings with their defaults; an empty table for scenarios, which bring their own.
    pub defaults: fn() -> Value,
    /// All that it can measure.
    pub metrics: fn() -> Vec<Metric>,
    /// A point of an experiment, ready to be measured. What is wrong with the settings is reported
    /// in one line.
    pub prepare: Prepare,
}

type Prepare = fn(&Value, &Context<'_>) -> Result<Box<dyn Prepared>, SubjectError>;

/// What preparing needs beside the settings.
pub struct Context<'a> {
    /// The metrics that are wanted, by name: those that [`Prepared::run`] gives, in order.
    pub metrics: &'a [String],
    /// Where relative paths begin.
    pub folder: &'a Path,
    /// Gives up long computations.
    pub stop: &'a Stop,
}

/// Settings that were checked.
pub trait Prepared: Send + Sync {
    /// Whether there is such an algorithm, and whether it can be run here.
    fn check(&self, algorithm: &str) -> Result<(), SubjectError>;

    /// One value a wanted metric; `None` where it is not defined, such as the ratio to the optimum
    /// of what was not finished. The same seed gives the same values.
    fn run(&self, algorithm: &str, seed: u64) -> Result<Vec<Option<f64>>, SubjectError>;
}

/// All of them.
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

/// A measure by name: a metric and how it is taken.
struct Measure<T> {
    name: &'static str,
    title: &'static str,
    unit: &'static str,
    of: fn(&T) -> Option<f64>,
}

/// A measure in a line.
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

/// The measures that are wanted, in order.
fn wanted<T>(
    measures: &'static [Measure<T>],
    names: &[String],
) -> Result<Vec<&'static Measure<T>>, SubjectError> {
    let find = |name: &String| measures.iter().find(|one| one.name == name);
    let unknown = |name: &String| SubjectError::UnknownMetric(name.clone());
    names.iter().map(|name| find(name).ok_or_else(|| unknown(name))).collect()
}

/// One metric of one run, of a subject by name.
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
