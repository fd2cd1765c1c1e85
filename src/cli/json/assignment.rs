//! A mapping as a schedule: when each task runs on its host.

use gridsat_model::{HostId, Instance, Mapping, TaskId, Ticks};
use schemars::JsonSchema;
use serde::Serialize;

use super::Number;

/// A task with its host, start and end. Tasks of a host run in the order of the file, from its
/// ready time on.
pub struct AssignedTask {
    pub task: TaskId,
    pub host: HostId,
    pub time: Ticks,
    pub start: Ticks,
    pub end: Ticks,
}

/// All tasks, in the order of the file.
pub fn assigned(instance: &Instance, mapping: &Mapping) -> Vec<AssignedTask> {
    let mut clock: Vec<Ticks> = instance.hosts().map(|host| instance.ready(host)).collect();
    let place = |task| {
        let host = mapping.host(task);
        let time = instance.time(task, host).expect("a mapping uses possible pairs only");
        let start = clock[host.index()];
        let end = start + time;
        clock[host.index()] = end;
        AssignedTask { task, host, time, start, end }
    };
    instance.tasks().map(place).collect()
}

/// A task in its place, by name. Times are in the unit of the instance.
#[derive(Serialize, JsonSchema)]
pub struct Assigned {
    /// Name of the task, or `t` and its number from 0.
    task: String,
    /// Name of its host, or `h` and its number from 0.
    host: String,
    /// Start: tasks of a host run in the order of the instance, from its ready time.
    start: Number,
    /// End.
    end: Number,
    /// Time on that host: end − start.
    time: Number,
}

impl Assigned {
    /// All tasks, in the order of the instance.
    pub fn all(instance: &Instance, mapping: &Mapping) -> Vec<Self> {
        let number = |ticks| Number::new(instance.scale(), ticks);
        let named = |one: AssignedTask| Self {
            task: instance.task_name(one.task).to_owned(),
            host: instance.host_name(one.host).to_owned(),
            start: number(one.start),
            end: number(one.end),
            time: number(one.time),
        };
        assigned(instance, mapping).into_iter().map(named).collect()
    }
}
