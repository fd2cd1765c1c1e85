//! A certificate that the checker has accepted, with its proofs.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::{SpooledData, SpooledTempFile};
use thiserror::Error;

use gridsat_check::verify::{Accepted, Rejection, verify_certificate};
use gridsat_files as files;
use gridsat_model::certificate;
use gridsat_model::{Instance, Mapping};

/// File name stem of proofs until they are saved; the extension follows.
const STEM: &str = "proof";

/// Proofs up to this many bytes stay in memory, larger ones go to temporary files.
const IN_MEMORY: usize = 1 << 20;

/// A file could not be written.
#[derive(Debug, Error)]
#[error("{}: {source}", .path.display())]
pub struct SaveError {
    path: PathBuf,
    source: io::Error,
}

impl SaveError {
    pub(super) fn at(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self { path: path.to_owned(), source }
    }
}

/// A mapping and the proof of its lower bound, accepted by the checker.
///
/// ```
/// use gridsat_exact::solve::Solver;
///
/// let instance = gridsat_model::Instance::from_rows([[3, 5]; 3])?;
/// let solution = Solver::new().solve(&instance)?;
/// let folder = tempfile::tempdir()?;
/// solution.certificate().save(folder.path().join("proof.json"))?;
/// assert!(solution.certificate().accepted().is_optimal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Certificate {
    accepted: Accepted,
    document: certificate::Document,
    proofs: Proofs,
}

impl Certificate {
    /// Has the checker verify the document; fails if it rejects it.
    pub(super) fn new(
        instance: &Instance,
        document: certificate::Document,
        proofs: Proofs,
    ) -> Result<Self, Rejection> {
        let accepted = verify_certificate(instance, &document, &|name| proofs.open(name))?;
        Ok(Self { accepted, document, proofs })
    }

    /// Replaces the mapping, and has the checker verify everything again.
    pub(super) fn exchange(
        &mut self,
        instance: &Instance,
        mapping: &Mapping,
    ) -> Result<(), Rejection> {
        let certificate::Document { lower_bound, ref steps, .. } = self.document;
        let document = certificate::Document::new(instance, mapping, lower_bound, steps.clone());
        self.accepted = verify_certificate(instance, &document, &|name| self.proofs.open(name))?;
        self.document = document;
        Ok(())
    }

    /// What the checker accepted: makespan and lower bound.
    pub fn accepted(&self) -> Accepted {
        self.accepted
    }

    /// The content of the certificate file. Names of proofs differ from those in a saved file.
    pub fn document(&self) -> &certificate::Document {
        &self.document
    }

    /// Writes the certificate and, next to it, its proofs: those of `solution.json` are
    /// `solution.lrat`, or `solution.1.lrat` and so on if cases have their own proofs.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), SaveError> {
        self.write(self.document.clone(), path.as_ref())
    }

    /// The same, about an instance with the same ticks and another number of ticks in a time unit.
    /// Proofs speak of ticks alone.
    pub fn save_for(&self, other: &Instance, path: impl AsRef<Path>) -> Result<(), SaveError> {
        let mut document = self.document.clone();
        let about = &mut document.instance;
        (about.decimals, about.parts) = (other.scale().decimals(), other.scale().parts());
        about.rounded = other.is_rounded();
        about.sha256 = certificate::instance_digest(other);
        self.write(document, path.as_ref())
    }

    fn write(&self, mut document: certificate::Document, path: &Path) -> Result<(), SaveError> {
        // Proofs are written first, so that a certificate never names a file that does not exist.
        for name in document.proof_names_mut() {
            let extension = name.strip_prefix(STEM).unwrap_or(name).trim_start_matches('.');
            let target = path.with_extension(extension);
            let copy =
                |out: &mut dyn io::Write| io::copy(&mut self.proofs.open(name)?, out).map(drop);
            files::write_with(&target, copy).map_err(SaveError::at(&target))?;
            *name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
        }
        files::write_with(path, |out| {
            serde_json::to_writer_pretty(&mut *out, &document)?;
            out.write_all(b"\n")
        })
        .map_err(SaveError::at(path))
    }
}

/// All proofs, each with its file name.
#[derive(Debug, Default)]
pub(super) struct Proofs(Vec<(String, Proof)>);

#[derive(Debug)]
enum Proof {
    Memory(Arc<[u8]>),
    Disk(File),
}

impl Proofs {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// A temporary file to write a proof to.
    pub fn file() -> SpooledTempFile {
        SpooledTempFile::new(IN_MEMORY)
    }

    /// Keeps a finished proof and returns its name.
    pub fn keep(&mut self, file: SpooledTempFile, extension: &str) -> String {
        let name = format!("{STEM}.{extension}");
        let proof = match file.into_inner() {
            SpooledData::InMemory(bytes) => Proof::Memory(bytes.into_inner().into()),
            SpooledData::OnDisk(file) => Proof::Disk(file),
        };
        self.0.push((name.clone(), proof));
        name
    }

    /// Reads from the beginning. Only one reader at a time: all share one file position.
    fn open(&self, name: &str) -> io::Result<Box<dyn Read>> {
        match self.0.iter().find(|(known, _)| known == name) {
            Some((_, Proof::Memory(bytes))) => Ok(Box::new(Cursor::new(Arc::clone(bytes)))),
            Some((_, Proof::Disk(file))) => {
                let mut file = file.try_clone()?;
                file.rewind()?;
                Ok(Box::new(file))
            }
            None => Err(io::Error::other("this certificate has no such proof file")),
        }
    }
}
