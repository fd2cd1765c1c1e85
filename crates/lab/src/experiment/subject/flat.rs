//! Subjects other than scenarios: a flat table of settings, each with a default.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Context, Measure, Prepared, Subject, SubjectError, metrics_of, wanted};
use gridsat_model::Stop;

/// The settings of a point, and how they are run.
pub(super) trait Case:
    Default + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// The name in files.
    const NAME: &'static str;
    /// All metrics.
    const MEASURES: &'static [Measure<Self::Measured>];

    /// The result of a run.
    type Measured: 'static;

    /// Names of the algorithms, if there is a fixed list.
    fn algorithms() -> Vec<String> {
        Vec::new()
    }

    /// Checks that the settings are valid together.
    fn check(&self) -> Result<(), SubjectError>;

    /// Checks that an algorithm exists.
    fn check_algorithm(&self, name: &str) -> Result<(), SubjectError> {
        let known = Self::algorithms();
        if known.iter().any(|one| one == name) {
            return Ok(());
        }
        let (name, subject) = (name.to_owned(), Self::NAME);
        Err(SubjectError::UnknownAlgorithm { name, subject, known })
    }

    /// One run.
    fn run(
        &self,
        algorithm: &str,
        seed: u64,
        wishes: &Wishes,
    ) -> Result<Self::Measured, SubjectError>;
}

/// What a run is made for.
#[derive(Default)]
pub(super) struct Wishes {
    metrics: Vec<String>,
    /// Ends long computations.
    pub stop: Stop,
}

impl Wishes {
    /// Whether this metric is requested.
    pub fn include(&self, metric: &str) -> bool {
        self.metrics.iter().any(|name| name == metric)
    }
}

/// The subject of a case.
pub(super) const fn subject<C: Case>() -> Subject {
    Subject {
        name: C::NAME,
        defaults: defaults::<C>,
        metrics: || metrics_of(C::MEASURES),
        prepare: prepare::<C>,
    }
}

fn defaults<C: Case>() -> Value {
    serde_json::to_value(C::default()).expect("tables of numbers and texts can be written")
}

fn prepare<C: Case>(
    settings: &Value,
    context: &Context<'_>,
) -> Result<Box<dyn Prepared>, SubjectError> {
    let case: C = read(&defaults::<C>(), settings)?;
    case.check()?;
    let measures = wanted(C::MEASURES, context.metrics)?;
    let wishes = Wishes { metrics: context.metrics.to_vec(), stop: context.stop.clone() };
    Ok(Box::new(Ready { case, measures, wishes }))
}

/// Settings over their defaults, tried one by one, so that errors are reported with their key.
fn read<C: DeserializeOwned>(defaults: &Value, settings: &Value) -> Result<C, SubjectError> {
    let (known, given) = (defaults.as_object(), settings.as_object());
    let (known, given) = known.zip(given).ok_or(SubjectError::NoTable)?;
    let mut all = defaults.clone();
    for (key, value) in given {
        if !known.contains_key(key) {
            let (name, known) = (key.clone(), known.keys().cloned().collect());
            return Err(SubjectError::UnknownSetting { name, known });
        }
        all[key] = value.clone();
        let wrong = |error| SubjectError::Setting { key: key.clone(), error };
        serde_json::from_value::<C>(all.clone()).map_err(wrong)?;
    }
    serde_json::from_value(all).map_err(SubjectError::Settings)
}

struct Ready<C: Case> {
    case: C,
    measures: Vec<&'static Measure<C::Measured>>,
    wishes: Wishes,
}

impl<C: Case> Prepared for Ready<C> {
    fn check(&self, algorithm: &str) -> Result<(), SubjectError> {
        self.case.check_algorithm(algorithm)
    }

    fn run(&self, algorithm: &str, seed: u64) -> Result<Vec<Option<f64>>, SubjectError> {
        let run = self.case.run(algorithm, seed, &self.wishes)?;
        Ok(self.measures.iter().map(|measure| (measure.of)(&run)).collect())
    }
}
