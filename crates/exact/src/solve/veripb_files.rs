//! `x.opb` and `x.pbp`: the statement and its proof for the independent checker.

use std::io::BufWriter;
use std::path::Path;

use super::CertifyError;
use crate::bounds;
use crate::export::opb::Opb;
use crate::sat::SolverChoice;
use crate::strategy::{Found, Options, Reason};
use crate::veripb::{self, VeripbError};
use gridsat_files as files;
use gridsat_model::Stop;
use gridsat_model::{Instance, Ticks};

/// Writes both files. A bound that a solver raised only part of the way has no VeriPB form; the
/// best bound without a solver is proven then.
pub(super) fn write(
    instance: &Instance,
    found: &Found,
    options: &Options,
    path: &Path,
    stop: &Stop,
) -> Result<(), CertifyError> {
    let statement = path.with_extension("opb");
    files::write_with(&statement, |mut out| Opb::new(instance).write(None, &mut out))
        .map_err(|source| CertifyError::Io { path: statement, source })?;
    let has_form = !matches!(
        found.reason,
        Reason::Unsat(_) | Reason::Cases(_) | Reason::Bound(bounds::Reason::Prices { .. })
    );
    let (bound, reason) = match has_form || found.is_optimal() {
        true => (found.lower_bound, found.reason.clone()),
        false => {
            let linear = bounds::linear(instance, &|| stop.is_due()).bound;
            (linear.value, Reason::Bound(linear.reason))
        }
    };
    let proof = Proof { instance, found, options, bound, reason };
    proof.write(path, stop)
}

struct Proof<'a> {
    instance: &'a Instance,
    found: &'a Found,
    options: &'a Options,
    bound: Ticks,
    reason: Reason,
}

impl Proof<'_> {
    fn write(&self, path: &Path, stop: &Stop) -> Result<(), CertifyError> {
        let at = |source| CertifyError::Io { path: path.to_owned(), source };
        let mut file = files::temporary(Some(path)).map_err(at)?;
        let mut written = self.write_with(&self.options.solver, &mut file, stop);
        if matches!(written, Err(CertifyError::Veripb(VeripbError::Solver(_)))) {
            // A solver without proofs: the built-in one has them.
            file = files::temporary(Some(path)).map_err(at)?;
            written = self.write_with(&SolverChoice::Varisat, &mut file, stop);
        }
        written?;
        files::persist(file, path).map_err(at)
    }

    fn write_with(
        &self,
        solver: &SolverChoice,
        file: &mut tempfile::NamedTempFile,
        stop: &Stop,
    ) -> Result<(), CertifyError> {
        let solver = solver.build()?;
        let reason = match &self.reason {
            Reason::Nothing => None,
            Reason::Unsat(encoding) => Some(veripb::Reason::Solver { encoding, solver: &*solver }),
            // Knapsack tables have no VeriPB form yet: a solver must do.
            Reason::Cases(_) | Reason::Bound(bounds::Reason::Prices { .. }) => {
                let encoding = &self.found.encoding;
                Some(veripb::Reason::Solver { encoding, solver: &*solver })
            }
            Reason::Bound(bounds::Reason::Ready { host }) => Some(veripb::Reason::Ready(*host)),
            Reason::Bound(bounds::Reason::LongestTask { task }) => {
                Some(veripb::Reason::LongestTask(*task))
            }
            Reason::Bound(bounds::Reason::Weights { weights }) => {
                Some(veripb::Reason::Weights(weights))
            }
        };
        let out = BufWriter::new(file.as_file_mut());
        let mapping = &self.found.mapping;
        veripb::write_proof(self.instance, mapping, self.bound, reason, stop, out).map_err(
            |error| match error {
                VeripbError::NotRefuted { answer: crate::sat::Answer::Unknown, .. } => {
                    CertifyError::Stopped
                }
                error => CertifyError::Veripb(error),
            },
        )
    }
}
