//! Writes `x.opb` and `x.pbp`: the statement and its proof for the checker VeriPB.

use std::io::BufWriter;
use std::path::Path;

use thiserror::Error;

use super::{SaveError, Solution};
use crate::bounds;
use crate::export::opb::Opb;
use crate::reason::LowerBound;
use crate::sat::{Answer, SolverChoice};
use crate::strategy::EncodingChoice;
use crate::veripb::{self, Refuter, VeripbError};
use gridsat_check::formula::{Encoding, Load};
use gridsat_files as files;
use gridsat_model::{Instance, Stop, Ticks};

/// Why there is no VeriPB proof of the result.
#[derive(Debug, Error)]
pub enum WriteVeripbError {
    /// The stop was due before the proof was finished; the files prove a weaker bound.
    #[error("stopped before the proof was finished")]
    Stopped,
    /// A file could not be written.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// The solver failed.
    #[error(transparent)]
    Veripb(#[from] VeripbError),
}

/// Whether a certificate of this file name is a VeriPB proof.
pub fn is_veripb(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pbp")
}

/// Writes both files. A bound that a solver raised only part of the way has no VeriPB form; then
/// the best bound that needs no solver is proven.
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
        let bound = bounds::linear(instance, stop).bound;
        ProofFile { instance, solution, bound: &bound }.write(solver, path, stop)
    };
    if solution.bound.reason().is_some_and(veripb::needs_solver) && !solution.is_optimal() {
        return weaker();
    }
    let written =
        ProofFile { instance, solution, bound: &solution.bound }.write(solver, path, stop);
    if matches!(written, Err(WriteVeripbError::Stopped)) {
        weaker()?;
    }
    written
}

struct ProofFile<'a> {
    instance: &'a Instance,
    solution: &'a Solution,
    bound: &'a LowerBound,
}

impl ProofFile<'_> {
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
            // The chosen solver writes no proofs; the embedded one does.
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
        // Windows have no VeriPB form, so the usual encoding takes their place.
        let encoding = self.solution.encoding.clone().filter(|used| used.load != Load::Window);
        let encoding = encoding.unwrap_or_else(|| self.choose_encoding(stop));
        let refuter = Refuter { encoding: &encoding, solver: &*solver, stop };
        let out = BufWriter::new(file.as_file_mut());
        match veripb::write_proof(self.instance, self.solution.mapping(), self.bound, &refuter, out)
        {
            Err(VeripbError::NotRefuted { answer: Answer::Unknown, .. }) => {
                Err(WriteVeripbError::Stopped)
            }
            written => Ok(written?),
        }
    }

    fn choose_encoding(&self, stop: &Stop) -> Encoding {
        let largest = self.solution.mapping().makespan().saturating_sub(Ticks(1));
        EncodingChoice::default().resolve_afresh(self.instance, largest, stop)
    }
}
