//! A decision as one line of JSON, and the answer to it.
//!
//! | key | meaning |
//! |---|---|
//! | `format` | `gridsat-question 1` |
//! | `time` | simulated time in seconds; 0 for a static instance |
//! | `until` | time limit from now on, in policies that have one, else null |
//! | `tasks` | waiting tasks: `id`, `name`, `level` (of service) |
//! | `hosts` | `id`, `name`, `delay` until it could start another task, `idle` time, `site` |
//! | `etc` | time of each task on each host; null where it cannot run |
//!
//! The answer is `{"assign": [[task, host], …]}` or the list alone, with ids, in the order in which
//! tasks are sent. In a simulation tasks that are left out keep waiting; for an instance all tasks
//! must be there.

use std::fmt::Write;

use gridsat_heuristics::Problem;
use gridsat_model::text::excerpt;
use gridsat_model::{HostId, Scale, TaskId, Ticks};
use serde::Deserialize;

/// The format and version of questions.
pub const FORMAT: &str = "gridsat-question 1";

/// The question about a problem at a simulated time, without the end of the line.
pub fn question(
    problem: &Problem<'_>,
    now: Ticks,
    task_name: impl Fn(TaskId) -> String,
    host_name: impl Fn(HostId) -> String,
) -> String {
    let (instance, scale) = (problem.instance, problem.instance.scale());
    let mut text = format!("{{\"format\":\"{FORMAT}\",\"time\":{}", scale.display(now).number());
    let until = problem.until.map_or("null".to_owned(), |until| number(scale, until));
    push(&mut text, format_args!(",\"until\":{until},\"tasks\":["));
    for task in instance.tasks() {
        let level = problem.levels.get(task.index()).copied().unwrap_or(0);
        let name = quoted(&task_name(task));
        let comma = if task.0 > 0 { "," } else { "" };
        let id = task.0;
        push(&mut text, format_args!("{comma}{{\"id\":{id},\"name\":{name},\"level\":{level}}}"));
    }
    text.push_str("],\"hosts\":[");
    for host in instance.hosts() {
        let at = host.index();
        let delay = problem.hosts.get(at).map_or(Ticks(0), |state| state.delay());
        let idle = problem.idle.get(at).copied().unwrap_or_default();
        let site = problem.sites.get(at).copied().unwrap_or(0);
        let (delay, idle) = (number(scale, delay), number(scale, idle));
        let name = quoted(&host_name(host));
        let comma = if host.0 > 0 { "," } else { "" };
        let id = host.0;
        push(
            &mut text,
            format_args!(
                "{comma}{{\"id\":{id},\"name\":{name},\"delay\":{delay},\"idle\":{idle},\
                 \"site\":{site}}}"
            ),
        );
    }
    text.push_str("],\"etc\":[");
    for task in instance.tasks() {
        text.push_str(if task.0 > 0 { ",[" } else { "[" });
        for host in instance.hosts() {
            let comma = if host.0 > 0 { "," } else { "" };
            match instance.time(task, host) {
                Some(time) => {
                    push(&mut text, format_args!("{comma}{}", scale.display(time).number()))
                }
                None => push(&mut text, format_args!("{comma}null")),
            }
        }
        text.push(']');
    }
    text.push_str("]}");
    text
}

fn push(text: &mut String, more: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(more);
}

/// A time as a number; null if it is never.
fn number(scale: Scale, ticks: Ticks) -> String {
    if ticks == Ticks::MAX { "null".to_owned() } else { scale.display(ticks).number().to_string() }
}

fn quoted(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Answer {
    Object { assign: Vec<(u32, u32)> },
    List(Vec<(u32, u32)>),
}

/// The assignments in an answer, checked against the problem; `all` if no task may be left out.
pub fn answer(
    text: &str,
    problem: &Problem<'_>,
    all: bool,
) -> Result<Vec<(TaskId, HostId)>, String> {
    let instance = problem.instance;
    let answer: Answer = serde_json::from_str(text).map_err(|_| {
        format!("'{}' is no answer, such as {{\"assign\": [[0, 1]]}}", excerpt(text))
    })?;
    let (Answer::Object { assign: pairs } | Answer::List(pairs)) = answer;
    let mut seen = vec![false; instance.task_count()];
    let mut assigned = Vec::with_capacity(pairs.len());
    for (task, host) in pairs {
        let place =
            seen.get_mut(task as usize).ok_or_else(|| format!("there is no task {task}"))?;
        if std::mem::replace(place, true) {
            return Err(format!("task {task} has two hosts"));
        }
        if host as usize >= instance.host_count() {
            return Err(format!("there is no host {host}"));
        }
        let (task, host) = (TaskId(task), HostId(host));
        if instance.time(task, host).is_none() {
            return Err(format!("task {} cannot run on host {}", task.0, host.0));
        }
        assigned.push((task, host));
    }
    match seen.iter().position(|&seen| !seen).filter(|_| all) {
        Some(task) => Err(format!("task {task} has no host")),
        None => Ok(assigned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_model::Instance;

    #[test]
    fn questions_are_json_and_answers_are_checked() {
        let json = r#"{"etc": [[1.5, null], [3, 4]], "tasks": ["a\"b", "c"], "ready": [0, 2]}"#;
        let instance: Instance = json.parse().expect("valid");
        let problem = Problem::of(&instance);
        let task_name = |task| instance.task_name(task).to_owned();
        let host_name = |host| instance.host_name(host).to_owned();
        let text = question(&problem, Ticks(0), task_name, host_name);
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(value["format"], FORMAT);
        assert_eq!(value["etc"], serde_json::json!([[1.5, null], [3, 4]]));
        assert_eq!(value["tasks"][0]["name"], "a\"b");
        assert_eq!(value["hosts"][1]["delay"], 2);
        let read = |text: &str, all| answer(text, &problem, all).map(|found| found.len());
        assert_eq!(read("{\"assign\": [[0, 0], [1, 1]]}", true), Ok(2));
        assert_eq!(read("[[1, 0]]", false), Ok(1));
        for (text, why) in [
            ("[[1, 0]]", "task 0 has no host"),
            ("[[2, 0]]", "there is no task 2"),
            ("[[0, 5]]", "there is no host 5"),
            ("[[0, 1]]", "task 0 cannot run on host 1"),
            ("[[1, 0], [1, 1]]", "task 1 has two hosts"),
            ("hello", "'hello' is no answer, such as {\"assign\": [[0, 1]]}"),
            ("[[-1, 0]]", "'[[-1, 0]]' is no answer, such as {\"assign\": [[0, 1]]}"),
        ] {
            assert_eq!(read(text, true), Err(why.to_owned()));
        }
    }
}
