//! How much of what was asked for is done: what an interrupt or a time limit left out is counted,
//! never shown with a result that is not its own.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;

use super::exit::Exit;

/// Fields of `--format json`; their names are a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Done {
    /// Whether an interrupt or a time limit left anything out.
    pub interrupted: bool,
    /// Number of algorithms, policies or (`bench`) instances that finished.
    pub completed: usize,
    /// Number that was requested.
    pub planned: usize,
}

impl Done {
    pub fn new(completed: usize, planned: usize) -> Self {
        Self { interrupted: completed < planned, completed, planned }
    }

    /// A line of a table, if anything is missing. `what` is counted, in the plural.
    pub fn write(self, out: &mut dyn Write, what: &str) -> io::Result<()> {
        let Self { interrupted, completed, planned } = self;
        match interrupted {
            true => writeln!(out, "interrupted, {completed} of {planned} {what} done"),
            false => Ok(()),
        }
    }

    /// What is missing makes the difference.
    pub fn exit(self) -> Exit {
        if self.interrupted { Exit::Stopped } else { Exit::Answered }
    }
}
