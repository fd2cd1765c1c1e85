//! `split`: tasks with measured times in shards.

use std::path::PathBuf;
use std::sync::Arc;

use gridsat_model::text::excerpt;
use gridsat_model::{Stop, Time, gap};
use gridsat_split::{Groups, Shards, SplitOptions, Unknown, runners, split as split_tasks};
use gridsat_tasks::{Format, Log, LogError, Record, Runner, TaskList, duration};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::instance::Instance;
use crate::{background, error};

/// Name, time and group of a task.
type Row = (String, Option<String>, Option<String>);

/// Where the tasks are: logs, or a list in memory.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Tasks {
    logs: Vec<PathBuf>,
    format: Option<String>,
    rows: Vec<Row>,
    only: Option<Vec<String>>,
}

/// The options of `gridsat split`; durations are texts such as `90`, `1m 30s`.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Wanted {
    shards: Option<usize>,
    target: Option<String>,
    runners: Option<String>,
    overhead: String,
    together: bool,
    setup: Option<String>,
    default: Option<String>,
    decimals: u8,
}

impl Tasks {
    fn list(&self) -> Result<TaskList, LogError> {
        let format = self.format.as_deref().map(named).transpose()?;
        let read = |path: &PathBuf| Log::read(path, format);
        let mut logs = self.logs.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        if !self.rows.is_empty() {
            let records = self.rows.iter().map(record).collect::<Result<_, _>>()?;
            let (source, format, runner) = ("tasks".to_owned(), Format::List, Runner::Other);
            logs.push(Log { source, format, runner, records });
        }
        let list = TaskList::of(&logs);
        Ok(self.only.as_ref().map_or_else(|| list.clone(), |names| list.only(names)))
    }
}

/// The format of this name.
fn named(name: &str) -> Result<Format, LogError> {
    let known = || Format::ALL.map(Format::name).join(", ");
    let found = Format::ALL.into_iter().find(|format| format.name() == name);
    found.ok_or_else(|| {
        LogError::new(format!("no format '{}'; formats: {}", excerpt(name), known()))
    })
}

fn record((name, time, group): &Row) -> Result<Record, LogError> {
    let nanos = time.as_deref().map(duration).transpose();
    let nanos = nanos.map_err(|why| LogError::new(format!("task '{}': {why}", excerpt(name))))?;
    Ok(Record { nanos, group: group.clone(), ..Record::new(name, 0) })
}

impl Wanted {
    fn options(&self) -> Result<SplitOptions, String> {
        let nanos = |what: &str, text: &str| {
            duration(text).map_err(|why| format!("{what}: '{}': {why}", excerpt(text)))
        };
        let shards = match (self.shards, &self.target, &self.runners) {
            (Some(count), None, None) => Shards::Count(count),
            (None, Some(target), None) => Shards::Target(nanos("target", target)?),
            (None, None, Some(list)) => {
                Shards::Runners(runners(list).map_err(|error| format!("runners: {error}"))?)
            }
            _ => return Err("give one of shards, target and runners".to_owned()),
        };
        let setup = self.setup.as_deref().map(|text| nanos("setup", text)).transpose()?;
        let default = self.default.as_deref().map(|text| nanos("default", text)).transpose()?;
        let groups = match (self.together, setup) {
            (true, setup) => Groups::Together { setup: setup.unwrap_or(0) },
            (false, Some(setup)) => Groups::Divided { setup },
            (false, None) => Groups::Ignored,
        };
        Ok(SplitOptions {
            overhead: nanos("overhead", &self.overhead)?,
            groups,
            unknown: default.map_or(Unknown::Mean, Unknown::Nanos),
            decimals: self.decimals,
            ..SplitOptions::new(shards)
        })
    }
}

/// Splits the tasks.
#[pyfunction]
pub fn split(py: Python<'_>, tasks: Tasks, wanted: Wanted) -> PyResult<Split> {
    let options = wanted.options().map_err(|why| error::input(py, why))?;
    let list = py.detach(|| tasks.list()).map_err(|error| error::log(py, &error))?;
    // The work is limited by counting, so that every machine gets the same split.
    let work = || split_tasks(&list, &options);
    let split = background::quietly(py, &Stop::never(), work)?.or_raise()?;
    Ok(Split { split: split.map_err(|error| error::input(py, error))?, list })
}

/// A split and what is proven about it. Times are seconds.
#[pyclass(frozen, module = "gridsat._native")]
pub struct Split {
    split: gridsat_split::Split,
    list: TaskList,
}

#[pymethods]
impl Split {
    #[getter]
    fn makespan(&self) -> f64 {
        self.split.makespan().as_f64()
    }

    #[getter]
    fn lower_bound(&self) -> f64 {
        self.split.lower_bound().as_f64()
    }

    #[getter]
    fn gap(&self) -> f64 {
        gap(self.split.lower_bound().ticks(), self.split.makespan().ticks())
    }

    #[getter]
    fn is_optimal(&self) -> bool {
        self.split.is_optimal()
    }

    /// Name, tasks and end of each shard.
    #[getter]
    fn shards(&self) -> Vec<(&str, Vec<&str>, f64)> {
        let shards = self.split.shards().iter().enumerate();
        shards
            .map(|(at, shard)| (&*shard.name, self.split.names(at).collect(), shard.end.as_f64()))
            .collect()
    }

    /// Fewer shards than this do not make the target; None without a target.
    #[getter]
    fn at_least(&self) -> Option<usize> {
        self.split.fewest().map(|fewest| fewest.at_least)
    }

    /// Tasks that were never measured, and the time taken for each of them.
    #[getter]
    fn defaulted(&self) -> (Vec<&str>, f64) {
        let (tasks, time): (&[usize], Time) = self.split.defaulted();
        (tasks.iter().map(|&task| &*self.list.tasks()[task].name).collect(), time.as_f64())
    }

    /// The instance that the certificate is about; None if groups are divided.
    fn instance(&self) -> Option<Instance> {
        self.split.proof().map(|(instance, _)| Instance(Arc::new(instance.clone())))
    }

    /// The certificate as JSON.
    fn certificate(&self, py: Python<'_>) -> PyResult<String> {
        let (_, certificate) = self.split.proof().ok_or_else(no_proof)?;
        serde_json::to_string(certificate.document()).map_err(|error| error::failed(py, error))
    }

    /// Writes the certificate and its proofs.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let (_, certificate) = self.split.proof().ok_or_else(no_proof)?;
        py.detach(|| certificate.save(&path)).map_err(|error| error::failed(py, error))
    }
}

fn no_proof() -> PyErr {
    PyValueError::new_err("divided groups have no certificate: use together=True")
}
