//! A task list as items with whole ticks, and why there is none.

use std::collections::HashMap;

use gridsat_exact::solve::SolveError;
use gridsat_model::{Instance, InstanceError, Scale};
use gridsat_tasks::{NANOS, TaskList};
use thiserror::Error;

use crate::options::{Groups, SplitOptions, Unknown};

/// Why there is no split.
#[derive(Debug, Error)]
pub enum SplitError {
    /// The list is empty.
    #[error("there are no tasks to split")]
    NoTasks,
    /// No task has a time, and no default is given.
    #[error("no task has a measured time: give one for all (--default TIME)")]
    NoTimes,
    /// Into no shards.
    #[error("the number of shards must be at least 1")]
    NoShards,
    /// More shards than are supported.
    #[error("{0} shards are more than {most}", most = Instance::MAX_HOSTS)]
    TooManyShards(usize),
    /// Too many pairs of task and shard.
    #[error("{tasks} tasks x {shards} shards are more than {most}")]
    TooMany {
        /// Tasks, or groups of them.
        tasks: usize,
        /// Shards.
        shards: usize,
        /// The largest product.
        most: usize,
    },
    /// One task alone takes longer than the target.
    #[error("no number of shards ends within {target} s: '{task}' alone takes {time} s")]
    Unreachable {
        /// The target in seconds.
        target: String,
        /// The task, or its group.
        task: String,
        /// The time of that task with all that is added to it.
        time: String,
    },
    /// Set-ups of divided groups are for equal shards.
    #[error("groups can be divided among equal shards only, not among runners")]
    DividedRunners,
    /// The times together, or another count, are too large.
    #[error(transparent)]
    Instance(#[from] InstanceError),
    /// The search failed.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// Tasks that are split as one.
pub struct Item {
    /// Numbers of the tasks, ascending.
    pub tasks: Vec<usize>,
    pub ticks: u64,
    /// The group's number, if groups mean something.
    pub group: Option<usize>,
}

/// What is split, in ticks.
pub struct Problem {
    pub items: Vec<Item>,
    pub groups: Vec<String>,
    pub overhead: u64,
    pub setup: u64,
    pub scale: Scale,
    /// Nanoseconds of a tick.
    pub unit: u64,
    /// Tasks without a time, and the ticks that they got instead.
    pub defaulted: (Vec<usize>, u64),
}

impl Problem {
    pub fn new(list: &TaskList, options: &SplitOptions) -> Result<Self, SplitError> {
        let tasks = list.tasks();
        if tasks.is_empty() {
            return Err(SplitError::NoTasks);
        }
        let default = match options.unknown {
            Unknown::Nanos(nanos) => Some(nanos),
            Unknown::Mean => list.mean(),
        };
        let defaulted: Vec<usize> =
            (0..tasks.len()).filter(|&task| tasks[task].nanos.is_none()).collect();
        let default = match (default, defaulted.is_empty()) {
            (None, false) => return Err(SplitError::NoTimes),
            (default, _) => default.unwrap_or(0),
        };
        let (unit, scale) = unit(options.decimals);
        let setup = match options.groups {
            Groups::Ignored => 0,
            Groups::Together { setup } | Groups::Divided { setup } => setup.div_ceil(unit),
        };
        let ticks: Vec<u64> =
            tasks.iter().map(|task| task.nanos.unwrap_or(default).div_ceil(unit)).collect();
        let defaulted = (defaulted, default.div_ceil(unit));
        let overhead = options.overhead.div_ceil(unit);
        let (items, groups) = items(list, &ticks, options.groups, setup);
        Ok(Self { items, groups, overhead, setup, scale, unit, defaulted })
    }

    pub fn times(&self) -> Vec<u64> {
        self.items.iter().map(|item| item.ticks).collect()
    }

    /// Ticks as seconds.
    pub fn show(&self, ticks: u64) -> String {
        self.scale.display(gridsat_model::Ticks(ticks)).to_string()
    }
}

/// Nanoseconds of a tick with so many decimals.
fn unit(decimals: u8) -> (u64, Scale) {
    let decimals = u32::from(decimals).min(9);
    (NANOS / 10_u64.pow(decimals), Scale::new(decimals).unwrap_or_default())
}

/// One item per task, or per group if groups stay together. A task without a group is alone.
fn items(list: &TaskList, ticks: &[u64], groups: Groups, setup: u64) -> (Vec<Item>, Vec<String>) {
    let mut names = Vec::new();
    let mut numbers = HashMap::<&str, usize>::new();
    let mut items: Vec<Item> = Vec::new();
    let mut of_group = HashMap::<usize, usize>::new();
    for (number, task) in list.tasks().iter().enumerate() {
        let name = task.group.as_deref().filter(|_| groups != Groups::Ignored);
        let group = name.map(|name| {
            *numbers.entry(name).or_insert_with(|| {
                names.push(name.to_owned());
                names.len() - 1
            })
        });
        let together = group.filter(|_| matches!(groups, Groups::Together { .. }));
        let known = together.and_then(|group| of_group.get(&group).copied());
        match known {
            Some(at) => {
                items[at].tasks.push(number);
                items[at].ticks += ticks[number];
            }
            None => {
                if let Some(group) = together {
                    of_group.insert(group, items.len());
                }
                let extra = if together.is_some() { setup } else { 0 };
                items.push(Item { tasks: vec![number], ticks: ticks[number] + extra, group });
            }
        }
    }
    (items, names)
}
