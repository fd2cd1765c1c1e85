//! Experiment files, in TOML or JSON. The format is described in `docs/experiments.md`.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use super::axis::{Axis, AxisError, Range};
use super::describe::{Changes, Experiment};
use super::error::{ExperimentError, FileError, PlanError};
use super::key::Key;
use super::metric::Metric;
use super::subject::{SUBJECTS, Subject, subject};
use gridsat_model::io::Position;
use gridsat_scenario::{Syntax, Text, position_of, read_keys, template};

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
        Self::of(&Text::load(path)?, changes)
    }

    /// The same for a file that was loaded before.
    pub fn of(source: &Text<'_>, changes: &Changes) -> Result<Self, ExperimentError> {
        let Text { text, syntax, shown, folder } = source;
        Self::parse(text, *syntax, shown, folder, changes)
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
        let at = |what: FileError| {
            let position = what.position_in(text, syntax);
            ExperimentError::Bad { file: file.to_owned(), position, what: Box::new(what) }
        };
        let (subject, mut base, folder) = base(&given.base, folder, &at)?;
        set(&mut base, "base", &given.base.set).map_err(at)?;
        if changes.quick {
            set(&mut base, "quick", &given.quick.set).map_err(at)?;
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
fn base(
    given: &Base,
    folder: &Path,
    at: &impl Fn(FileError) -> ExperimentError,
) -> Result<Found, ExperimentError> {
    let wrong = |what| Err(at(what));
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

/// Changes what the key `set` of a table says.
fn set(
    base: &mut Value,
    table: &'static str,
    changes: &Map<String, Value>,
) -> Result<(), FileError> {
    for (key, value) in changes {
        let changed = Key::parse(key).and_then(|key| key.set(base, value));
        changed.map_err(|error| FileError::Set { table, key: key.clone(), error })?;
    }
    Ok(())
}

impl FileError {
    /// Where the text says it.
    fn position_in(&self, text: &str, syntax: Syntax) -> Option<Position> {
        let find = |keys: &[(&str, Option<usize>)]| position_of(text, syntax, keys);
        match self {
            Self::Set { table, key, .. } => find(&[(table, None), ("set", None), (key, None)]),
            Self::Sweep { index, what } => {
                let key = match what {
                    AxisError::NoValues => "values",
                    AxisError::Labels => "labels",
                    AxisError::Factors | AxisError::NoNumbers => "factors",
                    AxisError::Range(_) => "range",
                    AxisError::LogRange(_) => "log_range",
                    AxisError::Key(_) => "key",
                    AxisError::NoKeys | AxisError::WhichKeys | AxisError::WhichValues => "",
                };
                find(&[("sweep", Some(*index)), (key, None)])
            }
            Self::NoAlgorithm { key, .. } => find(&[(key, None)]),
            Self::WhichBase => find(&[("base", None)]),
            Self::NoTemplate(_) => find(&[("base", None), ("template", None)]),
            Self::NoSubject { .. } => find(&[("base", None), ("subject", None)]),
            Self::NoMetric { name, .. } => {
                let given: Option<File> = read_keys(text, syntax, "").ok();
                let index = given.and_then(|given| given.metrics.iter().position(|m| m == name));
                find(&[("metrics", index)])
            }
        }
    }
}

impl PlanError {
    /// Where the text of the experiment says what cannot be run; `None` if it does not, as the
    /// command line or another file may say it.
    pub fn position_in(&self, text: &str, syntax: Syntax) -> Option<Position> {
        let find = |keys: &[(&str, Option<usize>)]| position_of(text, syntax, keys);
        let given: File = read_keys(text, syntax, "").ok()?;
        let algorithm = |name: &String| given.algorithms.iter().rposition(|one| one == name);
        match self {
            Self::NoSubject(_) => find(&[("base", None), ("subject", None)]),
            Self::Sweep { title, .. } => {
                let is_it = |sweep: &Sweep| sweep.title.as_ref() == Some(title);
                find(&[("sweep", Some(given.sweep.iter().position(is_it)?))])
            }
            Self::Runs(_) => find(&[("replications", None)]),
            Self::NoMetrics => find(&[("metrics", None)]),
            Self::Twice(name) | Self::Point { algorithm: Some(name), .. } => {
                find(&[("algorithms", Some(algorithm(name)?))])
            }
            Self::Point { algorithm: None, error, .. } => {
                let what = error.to_string();
                let is_about = |key: &str| is_named(key, &what);
                let sweep = given
                    .sweep
                    .iter()
                    .position(|sweep| sweep.key.iter().chain(&sweep.keys).any(|key| is_about(key)));
                if let Some(index) = sweep {
                    return find(&[("sweep", Some(index))]);
                }
                let key = given.base.set.keys().find(|key| is_about(key));
                match key {
                    Some(key) => find(&[("base", None), ("set", None), (key, None)]),
                    None => find(&[("base", None)]),
                }
            }
        }
    }
}

/// Whether a message names the value that a key such as `resource[0].mips` leads to.
fn is_named(key: &str, message: &str) -> bool {
    let is_end = |c: char| !(c.is_alphanumeric() || c == '_' || c == '-');
    let words = |text| str::split(text, is_end).filter(|word| !word.is_empty());
    let last = words(key).rfind(|word| word.parse::<usize>().is_err());
    last.is_some_and(|last| words(message).any(|word| word == last))
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
