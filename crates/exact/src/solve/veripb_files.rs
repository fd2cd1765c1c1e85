//! `x.opb` and `x.pbp`: the statement and its proof for the independent checker.

use std::io::BufWriter;
use std::path::Path;

use thiserror::Error;

use super::{SaveError, Solution};
use crate::bounds;
use crate::export::opb::Opb;
use crate::sat::{Answer, SolverChoice};
use crate::strategy::Reason;
use crate::veripb::{self, VeripbError};
use gridsat_files as files;
use gridsat_model::{Instance, Stop, Ticks};

/// Why there is no VeriPB proof of what was solved.
#[derive(Debug, Error)]
pub enum WriteVeripbError {
    /// The proof was not finished in time; one of a weaker bound is in the files.
    #[error("stopped before the proof was finished")]
    Stopped,
    /// A file could not be written.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// The solver failed.
    #[error(transparent)]
    Veripb(#[from] VeripbError),
}

/// Whether a certificate of this name is a VeriPB proof.
pub fn is_veripb(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pbp")
}

/// Writes both files. A bound that a solver raised only part of the way has no VeriPB form; the
/// best bound without a solver is proven then.
pub fn write_veripb(
    instance: &Instance,
    solution: &Solution,
    solver: &SolverChoice,
    path: &Path,
    stop: &Stop,
) -> Result<(), WriteVeripbError> {
    let statement = path.with_extension("opb");
    files::write_with(&statement, |mut out| Opb::new(instance).write(None, &mut out))
        .map_err(SaveError::at(&statement))?;
    let weaker = || {
        let linear = bounds::linear(instance, &|| stop.is_due()).bound;
        Proof { instance, solution, bound: linear.value, reason: &Reason::Bound(linear.reason) }
            .write(solver, path, stop)
    };
    let has_form = !matches!(
        solution.reason,
        Reason::Unsat(_) | Reason::Cases(_) | Reason::Bound(bounds::Reason::Prices { .. })
    );
    if !has_form && !solution.is_optimal() {
        return weaker();
    }
    let bound = solution.lower_bound().ticks();
    let proof = Proof { instance, solution, bound, reason: &solution.reason };
    let written = proof.write(solver, path, stop);
    if matches!(written, Err(WriteVeripbError::Stopped)) {
        weaker()?;
    }
    written
}

struct Proof<'a> {
    instance: &'a Instance,
    solution: &'a Solution,
    bound: Ticks,
    reason: &'a Reason,
}

impl Proof<'_> {
    fn write(
        &self,
        solver: &SolverChoice,
        path: &Path,
        stop: &Stop,
    ) -> Result<(), WriteVeripbError> {
        let at = SaveError::at(path);
        let mut file = files::temporary(Some(path)).map_err(&at)?;
        let mut written = self.write_with(solver, &mut file, stop);
        if matches!(written, Err(WriteVeripbError::Veripb(VeripbError::Solver(_)))) {
            // A solver without proofs: the built-in one has them.
            file = files::temporary(Some(path)).map_err(&at)?;
            written = self.write_with(&SolverChoice::Varisat, &mut file, stop);
        }
        written?;
        Ok(files::persist(file, path).map_err(at)?)
    }

    fn write_with(
        &self,
        solver: &SolverChoice,
        file: &mut tempfile::NamedTempFile,
        stop: &Stop,
    ) -> Result<(), WriteVeripbError> {
        let solver = solver.build().map_err(VeripbError::Solver)?;
        let reason = match self.reason {
            Reason::Nothing => None,
            Reason::Unsat(encoding) => Some(veripb::Reason::Solver { encoding, solver: &*solver }),
            // Knapsack tables have no VeriPB form yet: a solver must do.
            Reason::Cases(_) | Reason::Bound(bounds::Reason::Prices { .. }) => {
                let encoding = &self.solution.encoding;
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
        let mapping = self.solution.mapping();
        match veripb::write_proof(self.instance, mapping, self.bound, reason, stop, out) {
            Err(VeripbError::NotRefuted { answer: Answer::Unknown, .. }) => {
                Err(WriteVeripbError::Stopped)
            }
            written => Ok(written?),
        }
    }
}
