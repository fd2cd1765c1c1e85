//! A certificate for what the search found, accepted by the checker.

use std::env::temp_dir;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use gridsat_encodings::{Budget, Cnf, OverBudget};
use tempfile::NamedTempFile;
use thiserror::Error;

use super::veripb_files;
use crate::bounds;
use crate::cases;
use crate::sat::{Answer, LratWriter, ProofSink, SolverChoice, SolverError};
use crate::strategy::{Found, Options, Reason};
use crate::veripb::VeripbError;
use gridsat_check::formula::{self, Encoding, HostWeights};
use gridsat_check::verify::{Rejection, verify_certificate};
use gridsat_files as files;
use gridsat_model::Stop;
use gridsat_model::certificate::{Certificate, Hashing, Node, Step};
use gridsat_model::{Instance, Ticks};

/// Why there is no certificate.
#[derive(Debug, Error)]
pub enum CertifyError {
    /// The proof was not finished in time.
    #[error("stopped before the proof was finished")]
    Stopped,
    /// The solver that logs the proof failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The formula is too large.
    #[error("the formula to refute {0}")]
    OverBudget(OverBudget),
    /// A file could not be written.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// One solver refuted what another has a mapping for, or the checker disagrees: a bug.
    #[error("the checker rejects our own certificate: {0}")]
    Rejected(#[from] Rejection),
    /// Two answers contradict each other: a bug.
    #[error("two solvers disagree on makespan {0}")]
    Disagree(Ticks),
    /// The VeriPB form could not be written.
    #[error(transparent)]
    Veripb(VeripbError),
}

impl From<OverBudget> for CertifyError {
    fn from(error: OverBudget) -> Self {
        match error {
            OverBudget::Stopped => Self::Stopped,
            too_many => Self::OverBudget(too_many),
        }
    }
}

/// Writes the certificate, or the VeriPB pair of files if the path ends in `.pbp`, and checks it.
pub(super) fn certify(
    instance: &Instance,
    found: &Found,
    options: &Options,
    path: Option<&Path>,
    stop: &Stop,
) -> Result<Certificate, CertifyError> {
    let kept = path.filter(|path| !is_veripb(path));
    let draft = Draft::new(instance, found, options, kept, stop)?;
    let open = |name: &str| match draft.proofs.iter().find(|(known, _)| known == name) {
        Some((_, proof)) => Ok(Box::new(proof.reopen()?) as Box<dyn io::Read>),
        None => Err(io::Error::other("this certificate has no such proof file")),
    };
    verify_certificate(instance, &draft.certificate, &open)?;
    if let Some(path) = path.filter(|path| is_veripb(path)) {
        veripb_files::write(instance, found, options, path, stop)?;
    }
    match kept {
        Some(path) => draft.save(path),
        None => Ok(draft.certificate),
    }
}

/// Whether a certificate of this name is a VeriPB proof.
pub fn is_veripb(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "pbp")
}

/// A certificate and its proofs, not yet under their final names.
struct Draft {
    certificate: Certificate,
    proofs: Proofs,
}

/// Proof files by the names they will have.
type Proofs = Vec<(String, NamedTempFile)>;

impl Draft {
    fn new(
        instance: &Instance,
        found: &Found,
        options: &Options,
        path: Option<&Path>,
        stop: &Stop,
    ) -> Result<Self, CertifyError> {
        let mut proofs = Vec::new();
        let steps = match (&found.reason, found.lower_bound.checked_sub(Ticks(1))) {
            (Reason::Nothing, _) | (_, None) => Vec::new(),
            (Reason::Bound(reason), Some(k)) => vec![bound_step(reason, k)],
            (Reason::Cases(nodes), Some(k)) => {
                // Kernels were decided within few conflicts, and are again.
                let stop = &stop.without_deadline();
                let prover = Prover { instance, k, options, path, stop };
                let nodes = prover.prove_leaves(nodes.clone(), &mut proofs)?;
                vec![Step::Tree { k, nodes }]
            }
            (Reason::Unsat(encoding), Some(k)) => {
                let prover = Prover { instance, k, options, path, stop };
                let name = proof_name(path, "lrat");
                let digest = prover.prove(&prover.formula(encoding)?, &name, &mut proofs)?;
                vec![unsat_step(encoding, k, name, digest)]
            }
        };
        let certificate = Certificate::new(instance, &found.mapping, found.lower_bound, steps);
        Ok(Self { certificate, proofs })
    }

    /// Proofs first, so that a certificate never names a file that is not there.
    fn save(self, path: &Path) -> Result<Certificate, CertifyError> {
        for (name, proof) in self.proofs {
            let target = path.with_file_name(name);
            files::persist(proof, &target).map_err(at(&target))?;
        }
        let write = |out: &mut dyn Write| {
            serde_json::to_writer_pretty(&mut *out, &self.certificate)?;
            out.write_all(b"\n")
        };
        files::write_with(path, write).map_err(at(path))?;
        Ok(self.certificate)
    }
}

fn at(path: &Path) -> impl Fn(io::Error) -> CertifyError {
    move |source| CertifyError::Io { path: path.to_owned(), source }
}

/// The name by which a certificate calls a proof: `solution.json` has its proof in `solution.lrat`,
/// and if its cases have proofs of their own, those in `solution.1.lrat` and so on.
fn proof_name(certificate: Option<&Path>, extension: &str) -> String {
    let path = certificate.unwrap_or(Path::new("proof")).with_extension(extension);
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn bound_step(reason: &bounds::Reason, k: Ticks) -> Step {
    match reason {
        bounds::Reason::Ready { host } => Step::Ready { k, host: host.0 },
        bounds::Reason::LongestTask { task } => Step::LongestTask { k, task: task.0 },
        bounds::Reason::Weights { weights } => Step::Weights { k, weights: weights.clone() },
        bounds::Reason::Prices { prices } => Step::Prices { k, prices: prices.clone() },
    }
}

fn unsat_step(encoding: &Encoding, k: Ticks, proof: String, proof_sha256: String) -> Step {
    Step::Unsat {
        k,
        encoding: encoding.load.name().to_owned(),
        at_most_one: encoding.at_most_one.name().to_owned(),
        symmetry: encoding.symmetry,
        surrogate: encoding.surrogate.as_ref().map_or(&[][..], HostWeights::as_slice).to_vec(),
        proof,
        proof_sha256,
    }
}

/// Does again what the search only has a solver's word for, in a fresh solver that writes proofs.
struct Prover<'a> {
    instance: &'a Instance,
    k: Ticks,
    options: &'a Options,
    path: Option<&'a Path>,
    stop: &'a Stop,
}

impl Prover<'_> {
    fn formula(&self, encoding: &Encoding) -> Result<Cnf, OverBudget> {
        let mut formula = Cnf::new();
        let is_due = || self.stop.is_due();
        // The checker has room for no more.
        let mut budget = Budget::default().until(&is_due);
        formula::encode(self.instance, self.k, encoding, &mut formula, &mut budget)?;
        Ok(formula)
    }

    /// Writes the refutation of the formula and returns its digest.
    fn prove(
        &self,
        formula: &Cnf,
        name: &str,
        proofs: &mut Proofs,
    ) -> Result<String, CertifyError> {
        let mut file = files::temporary(self.path).map_err(at(self.path.unwrap_or(&temp_dir())))?;
        let path = file.path().to_owned();
        let out = Hashing::new(BufWriter::new(file.as_file_mut()));
        let mut proof = LratWriter::new(out, formula.len() as u64);
        match prove(formula, &self.options.solver, &mut proof, self.stop)? {
            Answer::Unknown => return Err(CertifyError::Stopped),
            Answer::Sat => return Err(CertifyError::Disagree(self.k)),
            Answer::Unsat => {}
        }
        let (out, _) = proof.finish().map_err(at(&path))?;
        let digest = out.finish();
        proofs.push((name.to_owned(), file));
        Ok(digest)
    }

    /// Proves the leaves that the search left to a solver.
    fn prove_leaves(
        &self,
        mut nodes: Vec<Node>,
        proofs: &mut Proofs,
    ) -> Result<Vec<Node>, CertifyError> {
        for node in &mut nodes {
            let Node::Unsat { prices, hosts, proof, proof_sha256 } = node else { continue };
            let is_due = || self.stop.is_due();
            let formula = cases::formula(self.instance, self.k, prices, hosts, &is_due);
            // The search had it in less room, so only a stop can have come between.
            let formula = formula.ok_or(CertifyError::Stopped)?;
            *proof = proof_name(self.path, &format!("{}.lrat", proofs.len() + 1));
            *proof_sha256 = self.prove(&formula, proof, proofs)?;
        }
        Ok(nodes)
    }
}

/// With the chosen solver if it can write proofs, else with the one that always can.
fn prove(
    formula: &Cnf,
    choice: &SolverChoice,
    proof: &mut dyn ProofSink,
    stop: &Stop,
) -> Result<Answer, SolverError> {
    match choice.build()?.prove(formula, proof, stop) {
        Err(SolverError::NoProofs { .. }) => {
            SolverChoice::Varisat.build()?.prove(formula, proof, stop)
        }
        answer => answer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_check::verify::{FileVerdict, verify_file};
    use gridsat_model::{HostId, InstanceParts, Mapping};

    /// Three of five equal tasks end at 15 on one of two equal hosts.
    fn found(instance: &Instance) -> Found {
        let leaf = |hosts: &[u32]| Node::Unsat {
            prices: vec![1; 5],
            hosts: [&[hosts.to_vec()][..], &vec![vec![0, 1]; 4]].concat(),
            proof: String::new(),
            proof_sha256: String::new(),
        };
        let nodes = vec![Node::Branch { task: 0, host: 0 }, leaf(&[0]), leaf(&[1])];
        let hosts = [0, 0, 0, 1, 1].map(HostId).to_vec();
        Found {
            mapping: Mapping::new(instance, hosts).expect("possible"),
            mapping_by: String::new(),
            lower_bound: Ticks(15),
            reason: Reason::Cases(nodes),
            encoding: Encoding::THESIS,
            static_bound: (Ticks(0), Reason::Nothing),
            decisions: Vec::new(),
            oracle_calls: 0,
            note: None,
        }
    }

    #[test]
    fn cases_get_proofs_of_their_own() {
        let etc = vec![vec![Some(Ticks(5)), Some(Ticks(5))]; 5];
        let parts = InstanceParts { etc, ..InstanceParts::default() };
        let instance = Instance::new(parts).expect("valid");
        let folder = tempfile::tempdir().expect("a writable temporary directory");
        let path = folder.path().join("solution.json");
        let (options, stop) = (Options::default(), Stop::never());
        certify(&instance, &found(&instance), &options, Some(&path), &stop).expect("true");
        for name in ["solution.1.lrat", "solution.2.lrat"] {
            assert!(folder.path().join(name).is_file(), "{name}");
        }
        let verdict = verify_file(&instance, &path).expect("accepted");
        assert!(matches!(verdict, FileVerdict::Certificate(verdict) if verdict.is_optimal()));
        std::fs::remove_file(folder.path().join("solution.2.lrat")).expect("there");
        assert!(verify_file(&instance, &path).is_err());
    }
}
