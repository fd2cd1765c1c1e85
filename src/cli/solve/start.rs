//! `solve --start`: a mapping from a file, in any form that `gridsat verify` takes.

use std::path::Path;

use anyhow::anyhow;
use gridsat_model::io::{self, numbers_of};
use gridsat_model::text::excerpt;
use gridsat_model::{HostId, Instance, Mapping};
use serde_json::Value;

use super::super::exit::Failure;

/// Reads the mapping: JSON (an answer of gridsat, a certificate, or a list), CSV with the columns
/// task and host, or one host per line. Hosts are numbers, from 0, or names.
pub fn read(instance: &Instance, path: &Path) -> Result<Mapping, Failure> {
    let name = io::shown_name(path);
    let wrong = |message: String| Failure::BadInput(anyhow!("{name}: {message}"));
    let bytes = io::read_bytes(path).map_err(Failure::input)?;
    let text = String::from_utf8(bytes).map_err(|_| wrong("not UTF-8 text".to_owned()))?;
    let hosts = match text.trim_start().chars().next() {
        Some('{' | '[') => of_json(instance, &text),
        _ if text.lines().next().is_some_and(|line| line.contains(',')) => {
            io::read_assignment(instance, &text).map_err(|error| error.to_string())
        }
        _ => of_lines(instance, &text),
    };
    let hosts: Vec<HostId> = hosts.map_err(wrong)?.into_iter().map(HostId).collect();
    let (found, expected) = (hosts.len(), instance.task_count());
    if found != expected {
        return Err(wrong(format!("a mapping of {found} tasks, but the instance has {expected}")));
    }
    Mapping::new(instance, hosts).map_err(|error| wrong(error.to_string()))
}

fn of_json(instance: &Instance, text: &str) -> Result<Vec<u32>, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    let list = match &value {
        Value::Array(list) => list,
        value => match value.get("mapping") {
            Some(Value::Array(list)) => list,
            _ => return Err("no 'mapping' in the object".to_owned()),
        },
    };
    let host = |value: &Value| match value {
        Value::Number(number) => number.as_u64().and_then(|number| u32::try_from(number).ok()),
        Value::String(name) => host_named(instance, name),
        _ => None,
    };
    let all = list.iter().enumerate();
    all.map(|(task, value)| host(value).ok_or_else(|| no_host(task, &value.to_string()))).collect()
}

fn of_lines(instance: &Instance, text: &str) -> Result<Vec<u32>, String> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    // One host per line, or all of them on a few lines.
    let words: Vec<&str> = match lines.len() == instance.task_count() {
        true => lines,
        false => text.split_whitespace().collect(),
    };
    let all = words.into_iter().enumerate();
    all.map(|(task, word)| host_named(instance, word).ok_or_else(|| no_host(task, word))).collect()
}

/// The number of a host by its number or, if it is none, by its name.
fn host_named(instance: &Instance, text: &str) -> Option<u32> {
    let names = || numbers_of(instance.hosts().map(|host| instance.host_name(host)));
    text.parse().ok().or_else(|| names().get(text).copied().flatten())
}

fn no_host(task: usize, found: &str) -> String {
    format!("task {task}: there is no host '{}'", excerpt(found))
}
