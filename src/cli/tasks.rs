//! Task lists and logs as instances: every host takes the same time.
//!
//! They are tried where a file is no matrix, and read by the readers of logs. The rows go through
//! the reader of JSON instances, so that rounding and ready times work as for every other file.

use std::path::Path;

use anyhow::anyhow;
use gridsat_model::Instance;
use gridsat_model::io::{self, Problem, ReadError, ReadOptions};
use gridsat_tasks::{Format, Log, LogError, NANOS, TaskList};
use serde_json::{Value, json};

use super::exit::Failure;

/// The instance of a log, on as many hosts as the options say.
pub fn instance(
    file: &Path,
    bytes: Option<&[u8]>,
    format: Option<Format>,
    options: &ReadOptions,
) -> Result<Instance, Failure> {
    let name = io::shown_name(file);
    let log = match bytes {
        Some(bytes) => Log::parse(bytes, &name, format),
        None => Log::read(file, format),
    };
    let log = log.map_err(Failure::input)?;
    let hosts = options.hosts.filter(|&hosts| hosts > 0).ok_or_else(|| {
        let kind = log.format;
        Failure::BadInput(anyhow!(
            "{name}: a task list ({kind}): give the number of hosts, --hosts N"
        ))
    })?;
    let list = TaskList::of(&[log]);
    let text = text(&list, hosts)
        .map_err(|error| Failure::BadInput(anyhow!(LogError { file: name.clone(), ..error })))?;
    io::parse(text.as_bytes(), &name, io::Format::Json, options).map_err(Failure::input)
}

/// The instance of a log, if the file is one; else the error of the reader of matrices.
pub fn or_else(
    file: &Path,
    bytes: Option<&[u8]>,
    options: &ReadOptions,
    error: ReadError,
) -> Result<Instance, Failure> {
    // What is recognised as something else is that.
    if matches!(error.problem, Problem::OtherKind(_)) {
        return Err(Failure::input(error));
    }
    let own = match bytes {
        Some(_) => None,
        None => io::read_bytes(file).ok(),
    };
    let bytes = bytes.or(own.as_deref()).unwrap_or_default();
    let is_log = std::str::from_utf8(bytes).is_ok_and(|text| Format::of(text).is_some());
    match is_log {
        true => instance(file, Some(bytes), None, options),
        false => Err(Failure::input(error)),
    }
}

/// The list as the JSON of an instance.
fn text(list: &TaskList, hosts: usize) -> Result<String, LogError> {
    let mean = list.mean().ok_or_else(|| LogError::new("no task has a time"))?;
    let tasks = list.tasks();
    if tasks.len().checked_mul(hosts).is_none_or(|pairs| pairs > io::MAX_TIMES) {
        let (tasks, most) = (tasks.len(), io::MAX_TIMES);
        return Err(LogError::new(format!("{tasks} tasks x {hosts} hosts are more than {most}")));
    }
    let row = |nanos: u64| {
        let seconds = format!("{}.{:09}", nanos / NANOS, nanos % NANOS);
        format!("[{}]", vec![seconds; hosts].join(","))
    };
    let rows: Vec<String> = tasks.iter().map(|task| row(task.nanos.unwrap_or(mean))).collect();
    let names: Value = tasks.iter().map(|task| task.name.as_str()).collect();
    Ok(format!("{{\"tasks\": {}, \"etc\": [{}]}}", json!(names), rows.join(",")))
}
