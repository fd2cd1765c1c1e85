//! The module `gridsat._native`: what Python cannot do itself, with plain arguments and results.
//!
//! ```text
//! gridsat (Python): frames, names, docstrings ──► _native ──► the crates
//! ```
//!
//! Everything that a user sees is in the Python files beside this crate. Long work runs in a thread
//! of its own without the lock of the interpreter ([`background`]), so that other threads of Python
//! go on and Ctrl-C is seen.

mod background;
mod compare;
mod error;
mod experiment;
mod instance;
mod map;
mod number;
mod policy;
mod queue_rule;
mod simulate;
mod solution;
mod solve;
mod split;
mod verify;

use pyo3::pymodule;

#[pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::compare::{compare_instance, compare_scenario};
    #[pymodule_export]
    use super::experiment::{experiment, experiments, results};
    #[pymodule_export]
    use super::instance::Instance;
    #[pymodule_export]
    use super::map::{algorithms, map};
    #[pymodule_export]
    use super::policy::{Host, Job, View};
    #[pymodule_export]
    use super::queue_rule::{Queue, Waiting};
    #[pymodule_export]
    use super::simulate::{Simulated, simulate, template, templates};
    #[pymodule_export]
    use super::solution::Solution;
    #[pymodule_export]
    use super::solve::{decide, read_mapping, solve};
    #[pymodule_export]
    use super::split::{Split, split};
    #[pymodule_export]
    use super::verify::{rounded_decimals, verify};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", gridsat::VERSION)
    }
}
