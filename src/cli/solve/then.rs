//! `solve --then`: the second stage, in words and as JSON.

use anyhow::anyhow;
use clap::ValueEnum;
use gridsat_exact::solve::{Second, Then};
use gridsat_model::{Instance, Mapping, Scale, Ticks};
use schemars::JsonSchema;
use serde::Serialize;

use super::super::exit::Failure;
use super::super::json::Number;
use super::Status;

/// What `--then` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Choice {
    /// The least sum of the times of all tasks
    TotalTime,
    /// The fewest tasks on another host than in --start
    FewestMoves,
}

impl Choice {
    /// The objective; moves are counted from the mapping of `--start`.
    pub fn objective(self, start: Option<&Mapping>) -> Result<Then, Failure> {
        match (self, start) {
            (Self::TotalTime, _) => Ok(Then::TotalTime),
            (Self::FewestMoves, Some(from)) => Ok(Then::FewestMoves { from: from.clone() }),
            (Self::FewestMoves, None) => {
                let message = "--then fewest-moves counts from a mapping: add --start FILE";
                Err(Failure::BadInput(anyhow!(message)))
            }
        }
    }
}

/// The field `then` of `--format json`. Values are times, or numbers of tasks for `fewest-moves`.
#[derive(Serialize, JsonSchema)]
pub struct JsonThen {
    /// As `--then` says: `total-time` or `fewest-moves`.
    objective: &'static str,
    /// `optimal` if no mapping with at most this makespan has a smaller value, else `feasible`.
    status: Status,
    /// Sum of the times of all tasks, or number of tasks on another host than in `--start`.
    value: Number,
    /// No mapping with at most the makespan of the first stage has a smaller value. By exact
    /// integers, but not part of the certificate.
    lower_bound: Number,
    /// The value of the mapping before this stage.
    before: Number,
}

/// A value as a time, or as a number of tasks.
fn scale(instance: &Instance, second: &Second) -> Scale {
    match second.then {
        Then::TotalTime => instance.scale(),
        Then::FewestMoves { .. } => Scale::default(),
    }
}

impl JsonThen {
    pub fn new(instance: &Instance, second: &Second) -> Self {
        let number = |value| Number::new(scale(instance, second), Ticks(value));
        Self {
            objective: second.then.name(),
            status: if second.is_optimal() { Status::Optimal } else { Status::Feasible },
            value: number(second.value),
            lower_bound: number(second.lower_bound),
            before: number(second.before),
        }
    }
}

/// What was chosen and what is proven about it, in a paragraph.
pub fn sentence(instance: &Instance, mapping: &Mapping, second: &Second) -> String {
    let show = |value| scale(instance, second).display(Ticks(value)).to_string();
    let instead = match second.value < second.before {
        true => format!(" instead of {}", show(second.before)),
        false => String::new(),
    };
    let value = match second.then {
        Then::TotalTime => format!("Total time {}{instead}", show(second.value)),
        Then::FewestMoves { .. } => {
            let tasks = instance.task_count();
            format!("Tasks moved: {}{instead}, of {tasks}", show(second.value))
        }
    };
    let makespan = instance.scale().display(mapping.makespan());
    let others = format!("no mapping with makespan at most {makespan}");
    match second.is_optimal() {
        true => format!("{value}; {others} needs less (exact search, without a certificate)."),
        false => {
            let low = show(second.lower_bound);
            format!("{value}, not proven least: {others} needs less than {low}.")
        }
    }
}
