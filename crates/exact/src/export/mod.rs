//! The problem in the formats other solvers read: DIMACS CNF, OPB and MPS.
//!
//! With a k each is the decision problem "makespan ≤ k?"; without, where the format has an
//! objective, the optimisation problem. Comments in the file say which variable stands for which
//! pair, and which [`Question`] is asked. [`Answer`] reads the solvers' output.

mod answer;
mod dimacs;
mod mps;
pub mod opb;
mod question;

use std::io;

use gridsat_encodings::OverBudget;
use thiserror::Error;

pub use answer::{Answer, AnswerError};
pub use dimacs::write_dimacs;
pub use mps::write_mps;
pub use question::Question;

use gridsat_model::{HostId, Instance, TaskId};

/// Why an export failed.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The encoding has too many clauses.
    #[error(transparent)]
    OverBudget(#[from] OverBudget),
    /// The output could not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A pair in words, always on one line: names may contain line breaks.
fn describe(instance: &Instance, task: TaskId, host: HostId) -> String {
    let (task_name, host_name) = (instance.task_name(task), instance.host_name(host));
    format!(
        "task {} '{}' on host {} '{}'",
        task.0,
        task_name.escape_debug(),
        host.0,
        host_name.escape_debug()
    )
}

/// The first comment line of a file: what it contains.
fn title(instance: &Instance, k: Option<u64>) -> String {
    let (n, m) = (instance.task_count(), instance.host_count());
    let question = match k {
        Some(k) => format!("is there a mapping with makespan <= {k}?"),
        None => "smallest makespan".to_owned(),
    };
    let rounded = if instance.is_rounded() { ", rounded up" } else { "" };
    let tick = match instance.scale().parts() {
        1 => format!("10^-{}", instance.scale().decimals()),
        _ => format!("1/{}", instance.scale().ticks_per_unit()),
    };
    format!(
        "gridsat {}: '{}', {n} tasks, {m} hosts, times in ticks of {tick}{rounded}: {question}",
        gridsat_model::VERSION,
        instance.name().escape_debug(),
    )
}
