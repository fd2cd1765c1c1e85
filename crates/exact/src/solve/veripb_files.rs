//! Writes `x.opb` and `x.pbp`: the statement and its proof for the checker VeriPB.
//!
//! Proofs of prices can be large. While the proof is made its bytes are counted; those beyond the
//! limit are not written, so the size is known at the end, and the JSON certificate is written
//! instead.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{SaveError, Solution};
use crate::export::opb::Opb;
use crate::sat::SolverChoice;
use crate::strategy::EncodingChoice;
use crate::veripb::{self, Refuter, VeripbError};
use gridsat_check::formula::{Encoding, Load};
use gridsat_files::{self as files, Temporary};
use gridsat_model::{Instance, Stop, Ticks};

/// Largest VeriPB proof that is written unless the user chooses another limit: 1 GB.
pub const DEFAULT_PROOF_LIMIT: u64 = 1_000_000_000;

/// Why there is no VeriPB proof of the result.
#[derive(Debug, Error)]
pub enum WriteVeripbError {
    /// There is no proof, or none within the limit; the JSON certificate was written instead.
    #[error("{why}; {} has the certificate for 'gridsat verify' instead", .certificate.display())]
    Instead {
        /// Why there is no proof.
        why: NoProof,
        /// The certificate.
        certificate: PathBuf,
    },
    /// A file could not be written.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// The solver failed.
    #[error(transparent)]
    Veripb(#[from] VeripbError),
}

/// Why there is no VeriPB proof although the result is certified.
#[derive(Debug, Error)]
pub enum NoProof {
    /// It exceeds the limit.
    #[error(
        "the VeriPB proof would take {} MB, but --proof-limit allows {} MB",
        size.div_ceil(1_000_000), limit.div_ceil(1_000_000)
    )]
    TooLarge {
        /// The size of the proof in bytes.
        size: u64,
        /// The largest size allowed, in bytes.
        limit: u64,
    },
    /// It was not finished, or a step of it is too large.
    #[error("{0}")]
    NotMade(VeripbError),
}

/// Whether a certificate of this file name is a VeriPB proof.
pub fn is_veripb(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pbp")
}

/// Writes both files, or the JSON certificate beside them if the proof cannot be finished or takes
/// more than `limit` bytes.
pub fn write_veripb(
    instance: &Instance,
    solution: &Solution,
    solver: &SolverChoice,
    path: &Path,
    limit: u64,
    stop: &Stop,
) -> Result<(), WriteVeripbError> {
    let statement = path.with_extension("opb");
    let made = ProofFile { instance, solution, limit, stop }.write(solver, path)?;
    let Err(why) = made else {
        files::write_with(&statement, |mut out| Opb::new(instance).write(None, &mut out))
            .map_err(SaveError::at(&statement))?;
        return Ok(());
    };
    let certificate = path.with_extension("json");
    solution.certificate().save(&certificate)?;
    Err(WriteVeripbError::Instead { why, certificate })
}

struct ProofFile<'a> {
    instance: &'a Instance,
    solution: &'a Solution,
    limit: u64,
    stop: &'a Stop,
}

impl ProofFile<'_> {
    fn write(
        &self,
        solver: &SolverChoice,
        path: &Path,
    ) -> Result<Result<(), NoProof>, WriteVeripbError> {
        let at = SaveError::at(path);
        let mut file = Temporary::beside(path).map_err(&at)?;
        let mut written = self.write_with(solver, &mut file);
        if matches!(written, Err(VeripbError::Solver(_))) {
            // The chosen solver writes no proofs; the embedded one does.
            file = Temporary::beside(path).map_err(&at)?;
            written = self.write_with(&SolverChoice::Varisat, &mut file);
        }
        let why = match written {
            Ok(size) if size <= self.limit => {
                files::persist(file, path).map_err(at)?;
                return Ok(Ok(()));
            }
            Ok(size) => NoProof::TooLarge { size, limit: self.limit },
            Err(VeripbError::Io(_)) if self.stop.is_requested() => {
                NoProof::NotMade(VeripbError::Stopped)
            }
            Err(
                error @ (VeripbError::Stopped | VeripbError::NotShown | VeripbError::OverBudget(_)),
            ) => NoProof::NotMade(error),
            Err(error) => return Err(error.into()),
        };
        Ok(Err(why))
    }

    /// Makes the proof; returns its size in bytes.
    fn write_with(&self, solver: &SolverChoice, file: &mut Temporary) -> Result<u64, VeripbError> {
        let solver = solver.build()?;
        // Windows have a form of their own; where they do not apply, the usual encoding does.
        let encoding = self.solution.encoding.clone().filter(|used| used.load != Load::Window);
        let encoding = encoding.unwrap_or_else(|| self.choose_encoding());
        let refuter = Refuter { encoding: &encoding, solver: &*solver, stop: self.stop };
        let (mapping, bound) = (self.solution.mapping(), &self.solution.bound);
        let out = BufWriter::with_capacity(1 << 16, file);
        let mut out = Limited { out, size: 0, limit: self.limit, stop: self.stop };
        veripb::write_proof(self.instance, mapping, bound, &refuter, &mut out)?;
        Ok(out.size)
    }

    fn choose_encoding(&self) -> Encoding {
        let largest = self.solution.mapping().makespan().saturating_sub(Ticks(1));
        EncodingChoice::default().resolve_afresh(self.instance, largest, self.stop)
    }
}

/// Counts what is written, and passes on what is within the limit.
struct Limited<'a, W> {
    out: W,
    size: u64,
    limit: u64,
    stop: &'a Stop,
}

impl<W: Write> Write for Limited<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let before = self.size;
        self.size += bytes.len() as u64;
        // Once per megabyte is often enough to stop at once.
        if before >> 20 != self.size >> 20 && self.stop.is_requested() {
            return Err(io::Error::other("stopped"));
        }
        if self.size <= self.limit {
            self.out.write_all(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_beyond_the_limit_are_counted_and_not_written() {
        let stop = Stop::never();
        let mut out = Limited { out: Vec::new(), size: 0, limit: 5, stop: &stop };
        out.write_all(b"abc").and_then(|()| out.write_all(b"def")).expect("written");
        assert_eq!((out.size, out.out.as_slice()), (6, &b"abc"[..]));
    }

    #[test]
    fn a_requested_stop_ends_a_long_proof() {
        let stop = Stop::never();
        stop.request();
        let mut out = Limited { out: io::sink(), size: 0, limit: u64::MAX, stop: &stop };
        out.write_all(b"the first bytes").expect("written");
        assert!(out.write_all(&vec![b' '; 2 << 20]).is_err());
    }
}
