//! Errors as exceptions: the classes are in `gridsat/errors.py`.

use std::fmt::Display;

use gridsat_lab::experiment::ExperimentError;
use gridsat_model::io::{Position, ReadError};
use gridsat_model::text::on_one_line;
use gridsat_scenario::ScenarioError;
use gridsat_tasks::LogError;
use pyo3::prelude::*;

/// An exception of this class of `gridsat.errors`, made from these arguments.
fn raised<'py>(py: Python<'py>, class: &str, arguments: impl pyo3::call::PyCallArgs<'py>) -> PyErr {
    let made = || py.import("gridsat.errors")?.getattr(class)?.call1(arguments);
    made().map_or_else(|error| error, PyErr::from_value)
}

/// Wrong input, with its place if it is in a file.
fn in_file(py: Python<'_>, message: String, file: &str, position: Option<Position>) -> PyErr {
    let (line, column) = position.map(|at| (at.line, at.column)).unzip();
    raised(py, "InputError", (on_one_line(&message), file, line, column))
}

/// Wrong input without a place in a file.
pub fn input(py: Python<'_>, error: impl Display) -> PyErr {
    raised(py, "InputError", (on_one_line(&error.to_string()),))
}

/// Something failed that the caller could not know.
pub fn failed(py: Python<'_>, error: impl Display) -> PyErr {
    raised(py, "GridsatError", (on_one_line(&error.to_string()),))
}

/// The failure of a program that is a heuristic (`cmd:`), if there was one.
pub fn of_programs(py: Python<'_>) -> PyResult<()> {
    gridsat_outside::failure().map_or(Ok(()), |why| Err(input(py, why)))
}

pub fn read(py: Python<'_>, error: &ReadError) -> PyErr {
    in_file(py, error.to_string(), &error.file, error.position)
}

/// What is wrong with a log; only its line is known.
pub fn log(py: Python<'_>, error: &LogError) -> PyErr {
    let file = (!error.file.is_empty()).then_some(&error.file);
    raised(py, "InputError", (on_one_line(&error.to_string()), file, error.line))
}

pub fn scenario(py: Python<'_>, error: &ScenarioError) -> PyErr {
    in_file(py, error.to_string(), &error.file, error.position)
}

pub fn experiment(py: Python<'_>, error: &ExperimentError) -> PyErr {
    match error {
        ExperimentError::Bad { file, position, .. } => {
            in_file(py, error.to_string(), file, *position)
        }
        ExperimentError::File(error) => scenario(py, error),
        error => input(py, error),
    }
}
