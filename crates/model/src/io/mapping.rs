//! Mappings from files: an answer of gridsat, a certificate, or what another program writes.
//!
//! JSON is a list of hosts in the order of the tasks, an object `{"task": "host"}`, or an object
//! with either as its `mapping`. Otherwise a comma in the first line means CSV with the columns
//! task and host, and other text is one host per task. Hosts are numbers, from 0, or names.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Map, Value};

use super::assignment::{numbers_of, read_assignment};
use super::error::{Position, Problem, ReadError};
use super::{read_bytes, shown_name};
use crate::text::excerpt;
use crate::{HostId, Instance, Mapping};

/// Reads a mapping of the instance from a file.
pub fn read_mapping(instance: &Instance, path: &Path) -> Result<Mapping, ReadError> {
    parse_mapping(instance, &read_bytes(path)?, &shown_name(path))
}

/// The mapping in these bytes; `file` is what errors call them.
///
/// ```
/// use gridsat_model::{Instance, io::parse_mapping};
///
/// let instance: Instance = r#"{"etc": [[4, 7], [3, 5]], "hosts": ["a", "b"]}"#.parse()?;
/// let mapping = parse_mapping(&instance, br#"["b", 0]"#, "mine.json")?;
/// assert_eq!(mapping.makespan().0, 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_mapping(instance: &Instance, bytes: &[u8], file: &str) -> Result<Mapping, ReadError> {
    let wrong =
        |Wrong { position, problem }| ReadError { file: file.to_owned(), position, problem };
    let hosts = hosts_in(instance, bytes).map_err(wrong)?;
    let (found, expected) = (hosts.len(), instance.task_count());
    if found != expected {
        let message = format!("a mapping of {found} tasks, but the instance has {expected}");
        return Err(wrong(message.into()));
    }
    let hosts = hosts.into_iter().map(HostId).collect();
    Mapping::new(instance, hosts).map_err(|error| wrong(error.to_string().into()))
}

/// What is wrong, and where if that is known.
struct Wrong {
    position: Option<Position>,
    problem: Problem,
}

impl From<String> for Wrong {
    fn from(message: String) -> Self {
        Self { position: None, problem: Problem::NoMapping(message) }
    }
}

fn hosts_in(instance: &Instance, bytes: &[u8]) -> Result<Vec<u32>, Wrong> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let problem = Problem::NotUtf8 { offset: error.valid_up_to() };
        Wrong { position: None, problem }
    })?;
    let text = text.trim_start_matches('\u{feff}');
    match text.trim_start().chars().next() {
        Some('{' | '[') => of_json(instance, text),
        _ if text.lines().next().is_some_and(|line| line.contains(',')) => {
            read_assignment(instance, text).map_err(|error| error.to_string().into())
        }
        _ => of_lines(instance, text),
    }
}

fn of_json(instance: &Instance, text: &str) -> Result<Vec<u32>, Wrong> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let position = Position { line: error.line(), column: error.column() };
        Wrong { position: Some(position), ..format!("not JSON: {error}").into() }
    })?;
    let hosts = Hosts::new(instance);
    // What `gridsat map` writes has one result per algorithm.
    let value = match value.get("results").and_then(Value::as_array).map(Vec::as_slice) {
        None => &value,
        Some([only]) => only,
        Some(several) => {
            let count = several.len();
            return Err(format!("{count} mappings: write one of them, by map -a NAME").into());
        }
    };
    match value.get("mapping").unwrap_or(value) {
        Value::Array(list) => {
            let all = list.iter().enumerate();
            all.map(|(task, value)| hosts.number(&format!("task {task}"), value)).collect()
        }
        Value::Object(map) => of_object(instance, &hosts, map),
        _ => Err("'mapping' is neither a list of hosts nor an object of tasks".to_owned().into()),
    }
}

/// Tasks are named by the keys.
fn of_object(
    instance: &Instance,
    hosts: &Hosts<'_>,
    map: &Map<String, Value>,
) -> Result<Vec<u32>, Wrong> {
    let host = |task| {
        let name = instance.task_name(task);
        let value = map.get(name).ok_or_else(|| {
            format!("no 'mapping' in the object, and no host for task '{}'", excerpt(name))
        })?;
        hosts.number(&format!("task '{}'", excerpt(name)), value)
    };
    instance.tasks().map(host).collect()
}

fn of_lines(instance: &Instance, text: &str) -> Result<Vec<u32>, Wrong> {
    let hosts = Hosts::new(instance);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    // One host per line, or all of them on a few lines.
    let words: Vec<&str> = match lines.len() == instance.task_count() {
        true => lines,
        false => text.split_whitespace().collect(),
    };
    let all = words.into_iter().enumerate();
    all.map(|(task, word)| hosts.named(word).ok_or_else(|| no_host(&format!("task {task}"), word)))
        .collect()
}

/// The numbers of hosts by their names; `None` for names of several hosts.
struct Hosts<'a>(HashMap<&'a str, Option<u32>>);

impl<'a> Hosts<'a> {
    fn new(instance: &'a Instance) -> Self {
        Self(numbers_of(instance.hosts().map(|host| instance.host_name(host))))
    }

    /// By number or, if it is none, by name.
    fn named(&self, text: &str) -> Option<u32> {
        text.parse().ok().or_else(|| self.0.get(text).copied().flatten())
    }

    fn number(&self, task: &str, value: &Value) -> Result<u32, Wrong> {
        let found = match value {
            Value::Number(number) => number.as_u64().and_then(|number| u32::try_from(number).ok()),
            Value::String(name) => self.named(name),
            _ => None,
        };
        found.ok_or_else(|| no_host(task, &value.to_string()))
    }
}

fn no_host(task: &str, found: &str) -> Wrong {
    format!("{task}: there is no host '{}'", excerpt(found)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<u32>, String> {
        let json = r#"{"etc": [[1, 2], [3, 4]], "tasks": ["x", "y z"], "hosts": ["a", "b"]}"#;
        let instance: Instance = json.parse().expect("valid");
        let mapping = parse_mapping(&instance, text.as_bytes(), "f");
        let mapping = mapping.map_err(|error| error.to_string())?;
        Ok(mapping.hosts().iter().map(|host| host.0).collect())
    }

    #[test]
    fn every_form_is_read() {
        for text in [
            "[1, 0]",
            r#"["b", "a"]"#,
            r#"{"mapping": ["b", 0], "makespan": 3}"#,
            r#"{"results": [{"algorithm": "mct", "mapping": [1, 0]}]}"#,
            r#"{"y z": "a", "x": "b"}"#,
            r#"{"mapping": {"y z": 0, "x": "b"}}"#,
            "task,host\ny z,a\nx,b\n",
            "b\na\n",
            "1 0",
            "\u{feff}[1, 0]",
        ] {
            assert_eq!(read(text), Ok(vec![1, 0]), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_named_in_one_line() {
        for (text, message) in [
            ("[1, 0", "f:1:5: not JSON: EOF while parsing a list at line 1 column 5"),
            ("[1]", "f: a mapping of 1 tasks, but the instance has 2"),
            ("[1, 2]", "f: "),
            (r#"["b", "c"]"#, "f: task 1: there is no host '\"c\"'"),
            (r#"{"x": "b"}"#, "f: no 'mapping' in the object, and no host for task 'y z'"),
            (r#"{"mapping": 3}"#, "f: 'mapping' is neither"),
            (r#"{"results": [1, 2]}"#, "f: 2 mappings: write one of them"),
            ("b\nc\n", "f: task 1: there is no host 'c'"),
            ("task,host\nx,c\n", "f: line 2: there is no host 'c'"),
            ("", "f: a mapping of 0 tasks"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.starts_with(message) && error.lines().count() == 1, "{text}: {error}");
        }
        let deep = "[".repeat(1_000_000);
        assert!(read(&deep).expect_err("deep").contains("not JSON: recursion limit"));
    }
}
