//! The result of `solve`.

use std::path::PathBuf;
use std::sync::Arc;

use gridsat_draw::gantt::{SvgOptions, svg};
use gridsat_exact::sat::{Answer, SolverChoice};
use gridsat_exact::solve::{self, DEFAULT_PROOF_LIMIT, Second, Then, write_veripb};
use gridsat_model::{Instance, Scale, Stop, Ticks};
use pyo3::prelude::*;

use crate::{background, error, number};

/// A makespan that was asked about, the answer, seconds, and what answered.
type Decided = (Py<PyAny>, Option<bool>, f64, String);

/// What was made small, its value, the lower bound of that, and its value before.
type Chosen = (&'static str, Py<PyAny>, Py<PyAny>, Py<PyAny>);

/// A mapping and what is proven about it.
#[pyclass(frozen, module = "gridsat._native")]
pub struct Solution {
    instance: Arc<Instance>,
    solution: solve::Solution,
}

impl Solution {
    pub fn new(instance: Arc<Instance>, solution: solve::Solution) -> Self {
        Self { instance, solution }
    }
}

#[pymethods]
impl Solution {
    #[getter]
    fn mapping(&self) -> Vec<u32> {
        self.solution.mapping().hosts().iter().map(|host| host.0).collect()
    }

    #[getter]
    fn loads(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        number::times(py, self.instance.scale(), self.solution.mapping().loads())
    }

    #[getter]
    fn makespan(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        number::of(py, self.instance.scale(), self.solution.makespan())
    }

    #[getter]
    fn lower_bound(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        number::of(py, self.instance.scale(), self.solution.lower_bound())
    }

    #[getter]
    fn gap(&self) -> f64 {
        self.solution.gap()
    }

    #[getter]
    fn is_optimal(&self) -> bool {
        self.solution.is_optimal()
    }

    #[getter]
    fn seconds(&self) -> f64 {
        self.solution.time.as_secs_f64()
    }

    #[getter]
    fn found_by(&self) -> String {
        self.solution.found_by.id()
    }

    #[getter]
    fn bound_by(&self) -> &'static str {
        self.solution.bound_by()
    }

    /// Every k that was decided: makespan asked about, answer, seconds, by what.
    #[getter]
    fn decisions(&self, py: Python<'_>) -> PyResult<Vec<Decided>> {
        let shown = |one: &gridsat_exact::strategy::Decision| {
            let answer = match one.answer {
                Answer::Sat => Some(true),
                Answer::Unsat => Some(false),
                Answer::Unknown => None,
            };
            let k = number::time(py, self.instance.scale(), one.k)?;
            Ok((k, answer, one.time.as_secs_f64(), one.by.to_string()))
        };
        self.solution.decisions.iter().map(shown).collect()
    }

    /// The makespan of a shorter mapping that was met while a given one was judged.
    #[getter]
    fn better(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let scale = self.instance.scale();
        self.solution.better.map(|better| number::of(py, scale, better)).transpose()
    }

    /// The second stage: objective, value, lower bound, value before.
    #[getter]
    fn second(&self, py: Python<'_>) -> PyResult<Option<Chosen>> {
        let Some(second) = &self.solution.second else { return Ok(None) };
        let scale = match second.then {
            Then::TotalTime => self.instance.scale(),
            Then::FewestMoves { .. } => Scale::default(),
        };
        let number = |value| number::time(py, scale, Ticks(value));
        let Second { value, lower_bound, before, .. } = *second;
        let name = second.then.name();
        Ok(Some((name, number(value)?, number(lower_bound)?, number(before)?)))
    }

    /// The certificate as JSON. Names of proofs differ from those in a saved file.
    fn certificate(&self, py: Python<'_>) -> PyResult<String> {
        let document = self.solution.certificate().document();
        serde_json::to_string(document).map_err(|error| error::failed(py, error))
    }

    /// Writes the certificate and its proofs.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let stop = Stop::never();
        if solve::is_veripb(&path) {
            let write = || {
                let (solver, limit) = (&SolverChoice::Varisat, DEFAULT_PROOF_LIMIT);
                write_veripb(&self.instance, &self.solution, solver, &path, limit, &stop)
                    .map_err(|error| error.to_string())
            };
            let written = background::quietly(py, &stop, write)?.or_raise()?;
            return written.map(|_| ()).map_err(|error| error::failed(py, error));
        }
        let saved = py.detach(|| self.solution.certificate().save(&path));
        saved.map_err(|error| error::failed(py, error))
    }

    /// The Gantt chart as SVG.
    fn gantt(&self) -> String {
        let words = match self.solution.is_optimal() {
            true => format!("makespan {}, proven optimal", self.solution.makespan()),
            false => format!(
                "makespan {}, lower bound {}",
                self.solution.makespan(),
                self.solution.lower_bound()
            ),
        };
        let lower_bound =
            (!self.solution.is_optimal()).then(|| self.solution.lower_bound().ticks());
        let options = SvgOptions { subtitle: Some(&words), lower_bound, ..SvgOptions::default() };
        svg(&self.instance, self.solution.mapping(), &options)
    }
}
