//! Task lists and logs as instances: one time per task, and hosts that differ in speed at most.
//!
//! They are tried where a file is no matrix, and read by the readers of logs. The list goes
//! through the reader of JSON instances, so that rounding and ready times work as for every other
//! file.

use std::path::Path;

use anyhow::anyhow;
use gridsat_model::Instance;
use gridsat_model::io::{self, HostList, Kind, Problem, ReadError, ReadOptions};
use gridsat_tasks::{Format, Log, LogError, NANOS, Task, TaskList};
use serde_json::json;

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
    let listed = options.host_list.as_ref().map(HostList::len);
    let hosts = listed.or(options.hosts).filter(|&hosts| hosts > 0).ok_or_else(|| {
        let kind = log.format;
        Failure::BadInput(anyhow!(
            "{name}: a task list ({kind}): give the hosts, --hosts N or --hosts hosts.csv"
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
    // What has the keys of an instance is a bad instance and no log.
    if Kind::of(bytes) == Some(Kind::Instance) {
        return Err(Failure::input(error));
    }
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
    let entry = |task: &Task| {
        let nanos = task.nanos.unwrap_or(mean);
        let name = json!(task.name);
        format!("{{\"name\": {name}, \"time\": {}.{:09}}}", nanos / NANOS, nanos % NANOS)
    };
    let entries: Vec<String> = tasks.iter().map(entry).collect();
    Ok(format!("{{\"hosts\": {hosts}, \"tasks\": [{}]}}", entries.join(",")))
}
