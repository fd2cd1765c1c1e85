//! Times as numbers of Python: whole ones as int, others as the nearest float.

use std::time::Duration;

use gridsat_model::io::ticks_at_most;
use gridsat_model::{Scale, Ticks, Time};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The time in the unit of the instance.
pub fn time(py: Python<'_>, scale: Scale, ticks: Ticks) -> PyResult<Py<PyAny>> {
    match scale.ticks_per_unit() {
        Ticks(1) => ticks.0.into_py_any(py),
        _ => float(scale, ticks).into_py_any(py),
    }
}

/// The nearest float. Up to 2^53 ticks it is a quotient of two floats that are exact.
pub fn float(scale: Scale, ticks: Ticks) -> f64 {
    let time = scale.display(ticks);
    if ticks.0 <= 1 << f64::MANTISSA_DIGITS {
        return time.as_f64();
    }
    time.number().to_string().parse().unwrap_or_else(|_| time.as_f64())
}

/// The same of a time that knows its scale.
pub fn of(py: Python<'_>, scale: Scale, shown: Time) -> PyResult<Py<PyAny>> {
    time(py, scale, shown.ticks())
}

/// Several times.
pub fn times(py: Python<'_>, scale: Scale, ticks: &[Ticks]) -> PyResult<Vec<Py<PyAny>>> {
    ticks.iter().map(|&ticks| time(py, scale, ticks)).collect()
}

/// A makespan of the user in ticks, rounded down.
pub fn ticks(scale: Scale, makespan: f64) -> PyResult<Ticks> {
    ticks_at_most(&makespan.to_string(), scale)
        .map_err(|reason| PyValueError::new_err(format!("'{makespan}' {reason}")))
}

/// A limit in seconds.
pub fn duration(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let limit = seconds.map(Duration::try_from_secs_f64).transpose();
    limit.map_err(|error| PyValueError::new_err(format!("time limit: {error}")))
}
