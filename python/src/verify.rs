//! `verify`.

use std::path::PathBuf;

use gridsat_check::verify::{Claim, FileVerdict, VerifyError};
use gridsat_model::Stop;
use pyo3::prelude::*;

use crate::instance::Instance;
use crate::{background, error, number};

/// Makespan and proven lower bound, or the reason for which the file is rejected.
type Verdict = (Option<Py<PyAny>>, Option<Py<PyAny>>, Option<String>);

/// Checks the certificate or mapping in a file.
#[pyfunction]
pub fn verify(py: Python<'_>, instance: &Bound<'_, Instance>, path: PathBuf) -> PyResult<Verdict> {
    let problem = &instance.get().0;
    let check = || Claim::read(&path).and_then(|claim| claim.verify(problem));
    let verdict = background::quietly(py, &Stop::never(), check)?.or_raise()?;
    let shown = |ticks| number::time(py, problem.scale(), ticks);
    match verdict {
        Ok(FileVerdict::Certificate(proven)) => {
            Ok((Some(shown(proven.makespan())?), Some(shown(proven.lower_bound())?), None))
        }
        Ok(FileVerdict::Mapping { makespan }) => Ok((Some(shown(makespan)?), None, None)),
        Err(error @ VerifyError::Rejected { .. }) => Ok((None, None, Some(error.to_string()))),
        Err(error) => Err(error::input(py, error)),
    }
}

/// The number of decimals to which the times of a certificate were rounded, if they were.
#[pyfunction]
pub fn rounded_decimals(path: PathBuf) -> Option<u8> {
    gridsat_check::verify::rounded_decimals(&path)
}
