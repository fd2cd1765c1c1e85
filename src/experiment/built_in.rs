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

/// The file of this name.
macro_rules! built_in {
    ($name:literal) => {
        BuiltIn {
            name: $name,
            text: include_str!(concat!("../../instances/experiments/", $name, ".toml")),
        }
    };
}

/// All of them, in the order of their sources.
pub const BUILT_IN: &[BuiltIn] = &[
    built_in!("qos-share"),
    built_in!("wait-time"),
    built_in!("wait-time-long"),
    built_in!("grid-size"),
    built_in!("heterogeneity"),
    built_in!("information"),
    built_in!("local-usage"),
    built_in!("gsim-table"),
    built_in!("randomisers"),
    built_in!("exponential"),
    built_in!("encodings"),
    built_in!("strategies"),
    built_in!("braun"),
    built_in!("local-search"),
    built_in!("gridsim-table"),
    built_in!("workload-shares"),
    built_in!("dside-desktop"),
    built_in!("dside-recovery"),
    built_in!("dside-tornado"),
    built_in!("mmm"),
    built_in!("beosim-policies"),
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
