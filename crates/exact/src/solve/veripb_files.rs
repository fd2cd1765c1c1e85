//! Writes `x.opb` and `x.pbp`: the statement and its proof for the checker VeriPB.
//!
//! Both can be large. The bytes of the statement are counted first, those of the proof while it is
//! made; those beyond the limit are not written, so the size is known at the end, and the JSON
//! certificate is written instead. A proof beyond the limit is counted until time is up.

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
    /// A file exceeds the limit.
    #[error(
        "the {what} would take {}{}, but --proof-limit allows {}",
        if *.is_cut { "more than " } else { "" }, rounded(*.size), rounded(*.limit)
    )]
    TooLarge {
        /// The file.
        what: &'static str,
        /// Its size in bytes.
        size: u64,
        /// Whether the file was cut at a size, so that it would be larger.
        is_cut: bool,
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
        if let Some(why) = self.statement().map_err(&at)?.excess("statement for VeriPB") {
            return Ok(Err(why));
        }
        let mut file = Temporary::beside(path).map_err(&at)?;
        let mut written = self.write_with(solver, &mut file);
        if matches!(written, Err(VeripbError::Solver(_))) {
            // The chosen solver writes no proofs; the embedded one does.
            file = Temporary::beside(path).map_err(&at)?;
            written = self.write_with(&SolverChoice::Varisat, &mut file);
        }
        let why = match written {
            Ok(None) => {
                files::persist(file, path).map_err(at)?;
                return Ok(Ok(()));
            }
            Ok(Some(why)) => why,
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

    fn limited<W>(&self, out: W) -> Limited<'_, W> {
        Limited::new(out, self.limit, self.stop)
    }

    /// The statement, counted until the limit is exceeded and time is up.
    fn statement(&self) -> io::Result<Limited<'_, impl Write>> {
        let mut out = self.limited(io::sink());
        match Opb::new(self.instance).write(None, &mut out) {
            Err(error) if !out.is_cut => Err(error),
            _ => Ok(out),
        }
    }

    /// Makes the proof; returns why it is not in the file, if it is too large.
    fn write_with(
        &self,
        solver: &SolverChoice,
        file: &mut Temporary,
    ) -> Result<Option<NoProof>, VeripbError> {
        let solver = solver.build()?;
        // Windows have a form of their own; where they do not apply, the usual encoding does.
        let used = self.solution.encoding.clone().filter(|used| used.load != Load::Window);
        let encoding = || used.clone().unwrap_or_else(|| self.choose_encoding());
        let refuter = Refuter { encoding: &encoding, solver: &*solver, stop: self.stop };
        let (mapping, bound) = (self.solution.mapping(), &self.solution.bound);
        let mut out = self.limited(BufWriter::with_capacity(1 << 16, file));
        match veripb::write_proof(self.instance, mapping, bound, &refuter, &mut out) {
            Err(VeripbError::Io(_)) if out.is_cut => {}
            made => made?,
        }
        Ok(out.excess("VeriPB proof"))
    }

    fn choose_encoding(&self) -> Encoding {
        let largest = self.solution.mapping().makespan().saturating_sub(Ticks(1));
        EncodingChoice::default().resolve_afresh(self.instance, largest, self.stop)
    }
}

/// A size in kilobytes or megabytes, rounded up.
fn rounded(size: u64) -> String {
    match size {
        0..10_000_000 => format!("{} kB", size.div_ceil(1000)),
        _ => format!("{} MB", size.div_ceil(1_000_000)),
    }
}

/// Counts what is written, and passes on what is within the limit. Fails if a stop is requested, or
/// is due where nothing more is passed on.
struct Limited<'a, W> {
    out: W,
    size: u64,
    /// Whether a stop was due beyond the limit.
    is_cut: bool,
    limit: u64,
    stop: &'a Stop,
}

impl<'a, W> Limited<'a, W> {
    fn new(out: W, limit: u64, stop: &'a Stop) -> Self {
        Self { out, size: 0, is_cut: false, limit, stop }
    }

    /// Why the file is not written, if it exceeds the limit.
    fn excess(&self, what: &'static str) -> Option<NoProof> {
        let (size, limit, is_cut) = (self.size, self.limit, self.is_cut);
        (size > limit).then_some(NoProof::TooLarge { what, size, is_cut, limit })
    }
}

impl<W: Write> Write for Limited<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let size = self.size + bytes.len() as u64;
        // Once per megabyte is often enough to stop at once.
        if self.size >> 20 != size >> 20 {
            self.is_cut = self.size > self.limit && self.stop.is_due();
            if self.is_cut || self.stop.is_requested() {
                return Err(io::Error::other("stopped"));
            }
        }
        self.size = size;
        if size <= self.limit {
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
    use std::time::Duration;

    use super::*;

    #[test]
    fn bytes_beyond_the_limit_are_counted_and_not_written() {
        let stop = Stop::never();
        let mut out = Limited::new(Vec::new(), 5, &stop);
        out.write_all(b"abc").and_then(|()| out.write_all(b"def")).expect("written");
        assert_eq!((out.size, out.out.as_slice()), (6, &b"abc"[..]));
    }

    #[test]
    fn a_requested_stop_ends_a_long_proof() {
        let stop = Stop::never();
        stop.request();
        let mut out = Limited::new(io::sink(), u64::MAX, &stop);
        out.write_all(b"the first bytes").expect("written");
        assert!(out.write_all(&vec![b' '; 2 << 20]).is_err());
    }

    #[test]
    fn counting_ends_when_time_is_up() {
        let stop = Stop::never().within(Duration::ZERO);
        let mut out = Limited::new(io::sink(), 5_000_000, &stop);
        let megabyte = vec![b' '; 1_000_000];
        (0..5).for_each(|_| out.write_all(&megabyte).expect("what is written is finished"));
        assert!(out.excess("proof").is_none());
        out.write_all(&megabyte).expect("the first byte beyond the limit");
        out.write_all(&megabyte).expect_err("time is up");
        let why = out.excess("proof").expect("too large").to_string();
        let expected = "the proof would take more than 6000 kB, but --proof-limit allows 5000 kB";
        assert_eq!(why, expected);
    }
}
