//! From an instance to a mapping whose optimality has been checked.
//!
//! Search, write the reason down as a certificate, have the checker accept it, and only then call
//! the mapping optimal. A bound that rests on a solver's word is proven anew in a fresh solver that
//! logs a proof. If that cannot be done (stopped, disk full), the best bound that needs no solver
//! is certified instead, and the failure reported.

mod certify;
mod veripb_files;

use gridsat_model::Ticks;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use thiserror::Error;

pub use certify::{CertifyError, is_veripb};

use crate::strategy::{self, Event, Found, OptimiseError, Options};
use gridsat_model::Instance;
use gridsat_model::Stop;
use gridsat_model::certificate::Certificate;

/// A search and its certificate.
#[derive(Debug)]
pub struct Solved {
    /// What the search found; its bound is the certified one.
    pub found: Found,
    /// Accepted by the checker.
    pub certificate: Certificate,
    /// Where the certificate was written.
    pub path: Option<PathBuf>,
    /// Why the search's own bound could not be certified, or its certificate not written.
    pub failure: Option<CertifyError>,
    /// How long everything took.
    pub time: Duration,
}

/// There is not even a mapping to print.
#[derive(Debug, Error)]
pub enum SolveError {
    /// The search failed.
    #[error(transparent)]
    Optimise(#[from] OptimiseError),
    /// A certificate that should always be possible is not.
    #[error("cannot certify: {0}")]
    Certify(#[from] CertifyError),
}

/// Searches, certifies, checks. Writes the certificate to `path` if there is one.
pub fn solve(
    instance: &Instance,
    options: &Options,
    path: Option<&Path>,
    stop: &Stop,
    watch: &mut dyn FnMut(&Event<'_>),
) -> Result<Solved, SolveError> {
    let start = Instant::now();
    let mut found = strategy::search(instance, options, stop, watch)?;
    if let (true, Some(k)) = (found.reason.needs_solver(), found.lower_bound.checked_sub(Ticks(1)))
    {
        watch(&Event::Certifying { k });
    }
    let mut written = path;
    let mut failure = None;
    let certificate = match certify::certify(instance, &found, options, path, stop) {
        Ok(certificate) => certificate,
        Err(error) => {
            found.fall_back();
            written = path.filter(|_| matches!(error, CertifyError::Stopped));
            failure = Some(error);
            certify::certify(instance, &found, options, written, stop)?
        }
    };
    let path = written.map(Path::to_owned);
    Ok(Solved { found, certificate, path, failure, time: start.elapsed() })
}
