//! Experiments that come with the program.

use std::path::Path;

use super::describe::{Changes, Experiment};
use super::error::ExperimentError;
use crate::scenario::Syntax;

/// An experiment by name.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn {
    /// On the command line.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
}

/// All of them, in the order of their sources.
pub const BUILT_IN: &[BuiltIn] = &[
    BuiltIn { name: "qos-share", text: include_str!("../../instances/experiments/qos-share.toml") },
    BuiltIn { name: "wait-time", text: include_str!("../../instances/experiments/wait-time.toml") },
    BuiltIn {
        name: "wait-time-long",
        text: include_str!("../../instances/experiments/wait-time-long.toml"),
    },
    BuiltIn { name: "grid-size", text: include_str!("../../instances/experiments/grid-size.toml") },
    BuiltIn {
        name: "heterogeneity",
        text: include_str!("../../instances/experiments/heterogeneity.toml"),
    },
    BuiltIn {
        name: "information",
        text: include_str!("../../instances/experiments/information.toml"),
    },
    BuiltIn {
        name: "local-usage",
        text: include_str!("../../instances/experiments/local-usage.toml"),
    },
];

/// The experiment of this name.
pub fn built_in(name: &str) -> Option<&'static BuiltIn> {
    BUILT_IN.iter().find(|one| one.name == name)
}

impl BuiltIn {
    /// Reads it.
    pub fn read(&self, changes: &Changes) -> Result<Experiment, ExperimentError> {
        Experiment::parse(self.text, Syntax::Toml, self.name, Path::new(""), changes)
    }
}
