//! Experiment files, in TOML or JSON. The format is described in `docs/experiments.md`.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::axis::{Axis, AxisError, Range};
use super::describe::{Changes, Experiment};
use super::error::{ExperimentError, FileError};
use super::key::{Key, KeyError};
use super::metric::Metric;
use super::subject::{SUBJECTS, Subject, subject};
use gridsat_scenario::{Syntax, Text, read_keys, template};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Option<String>,
    title: Option<String>,
    about: Option<String>,
    seed: Option<u64>,
    replications: u32,
    algorithms: Vec<String>,
    metrics: Vec<String>,
    baseline: Option<String>,
    #[serde(default)]
    pairs: Vec<[String; 2]>,
    base: Base,
    #[serde(default)]
    sweep: Vec<Sweep>,
    #[serde(default)]
    quick: Quick,
}

/// Exactly one of `scenario`, `template`, `subject`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Base {
    scenario: Option<PathBuf>,
    template: Option<String>,
    subject: Option<String>,
    #[serde(default)]
    set: Map<String, Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sweep {
    key: Option<String>,
    #[serde(default)]
    keys: Vec<String>,
    #[serde(default)]
    factors: Vec<f64>,
    title: Option<String>,
    #[serde(default)]
    unit: String,
    log: Option<bool>,
    values: Option<Vec<Value>>,
    range: Option<Range>,
    log_range: Option<Range>,
    #[serde(default)]
    labels: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Quick {
    replications: Option<u32>,
    #[serde(default)]
    set: Map<String, Value>,
}

/// Default number of worlds in a quick run.
const QUICK: u32 = 5;

impl Experiment {
    /// Reads a file: JSON if its name ends in `.json`, otherwise TOML.
    pub fn read(path: &Path, changes: &Changes) -> Result<Self, ExperimentError> {
        let Text { text, syntax, shown, folder } = Text::load(path)?;
        Self::parse(&text, syntax, &shown, folder, changes)
    }

    /// Parses a text. Errors name it `file`; relative paths start at `folder`.
    pub fn parse(
        text: &str,
        syntax: Syntax,
        file: &str,
        folder: &Path,
        changes: &Changes,
    ) -> Result<Self, ExperimentError> {
        let given: File = read_keys(text, syntax, file)?;
        let at = |what| ExperimentError::Bad { file: file.to_owned(), what: Box::new(what) };
        let (subject, mut base, folder) = base(&given.base, folder, file)?;
        set(&mut base, &given.base.set).map_err(|what| at(FileError::BaseSet(what)))?;
        if changes.quick {
            set(&mut base, &given.quick.set).map_err(|what| at(FileError::QuickSet(what)))?;
        }
        let metrics = metrics(subject, &given.metrics).map_err(at)?;
        let axes =
            given.sweep.into_iter().enumerate().map(|(index, sweep)| {
                axis(sweep).map_err(|what| at(FileError::Sweep { index, what }))
            });
        let axes = axes.collect::<Result<_, _>>()?;
        let stem = Path::new(file).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = given.name.or(stem).unwrap_or_default();
        let quick = given.quick.replications.unwrap_or(QUICK).min(given.replications);
        let mut experiment = Self {
            title: given.title.unwrap_or_else(|| name.clone()),
            about: given.about.unwrap_or_default(),
            name,
            seed: given.seed.unwrap_or(1),
            replications: if changes.quick { quick } else { given.replications },
            algorithms: given.algorithms.into(),
            metrics: metrics.into(),
            subject: subject.name.to_owned(),
            base,
            folder,
            axes,
            baseline: given.baseline,
            pairs: given.pairs,
        };
        experiment.check_names().map_err(at)?;
        experiment.change(changes);
        Ok(experiment)
    }

    /// Checks that compared algorithms are among those of the experiment.
    fn check_names(&self) -> Result<(), FileError> {
        let baseline = self.baseline.iter().map(|name| ("baseline", name));
        let pairs = self.pairs.iter().flatten().map(|name| ("pairs", name));
        match baseline.chain(pairs).find(|(_, name)| self.algorithm(name).is_none()) {
            Some((key, name)) => Err(FileError::NoAlgorithm { key, name: name.clone() }),
            None => Ok(()),
        }
    }
}

type Found = (&'static Subject, Value, PathBuf);

/// The subject and its settings.
fn base(given: &Base, folder: &Path, file: &str) -> Result<Found, ExperimentError> {
    let wrong = |what| Err(ExperimentError::Bad { file: file.to_owned(), what: Box::new(what) });
    match (&given.scenario, &given.template, &given.subject) {
        (Some(path), None, None) => {
            let path = folder.join(path);
            let Text { text, syntax, shown, .. } = Text::load(&path)?;
            let settings: Value = read_keys(&text, syntax, &shown)?;
            Ok((scenario_subject(&settings), settings, Experiment::folder_of(&path)))
        }
        (None, Some(name), None) => match template(name) {
            Some(template) => {
                let settings: Value = read_keys(template.text, Syntax::Toml, name)?;
                Ok((scenario_subject(&settings), settings, PathBuf::new()))
            }
            None => wrong(FileError::NoTemplate(name.clone())),
        },
        (None, None, Some(name)) => match subject(name) {
            Some(subject) => Ok((subject, (subject.defaults)(), PathBuf::new())),
            None => {
                let known = SUBJECTS.iter().map(|subject| subject.name).collect();
                wrong(FileError::NoSubject { name: name.clone(), known })
            }
        },
        _ => wrong(FileError::WhichBase),
    }
}

fn scenario_subject(settings: &Value) -> &'static Subject {
    let name = if settings.get("cluster").is_some() { "clusters" } else { "grid" };
    subject(name).expect("both are there")
}

fn set(base: &mut Value, changes: &Map<String, Value>) -> Result<(), KeyError> {
    changes.iter().try_for_each(|(key, value)| Key::parse(key)?.set(base, value))
}

fn metrics(subject: &Subject, names: &[String]) -> Result<Vec<Metric>, FileError> {
    let all = (subject.metrics)();
    let find = |name: &String| {
        all.iter().find(|metric| metric.name == *name).cloned().ok_or_else(|| {
            let known = all.iter().map(|metric| metric.name.clone()).collect();
            FileError::NoMetric { name: name.clone(), subject: subject.name, known }
        })
    };
    names.iter().map(find).collect()
}

fn axis(given: Sweep) -> Result<Axis, AxisError> {
    let keys = match (given.key, given.keys) {
        (Some(key), keys) if keys.is_empty() => vec![key],
        (None, keys) if !keys.is_empty() => keys,
        _ => return Err(AxisError::WhichKeys),
    };
    let is_log_range = given.log_range.is_some();
    let values = match (given.values, given.range, given.log_range) {
        (Some(values), None, None) => values,
        (None, Some(range), None) => range.linear().map_err(AxisError::Range)?,
        (None, None, Some(range)) => range.logarithmic().map_err(AxisError::LogRange)?,
        _ => return Err(AxisError::WhichValues),
    };
    let axis = Axis {
        title: given.title.unwrap_or_else(|| keys[0].clone()),
        unit: given.unit,
        log: given.log.unwrap_or(is_log_range),
        keys,
        factors: given.factors,
        values,
        labels: given.labels,
    };
    axis.check().map(|()| axis)
}
