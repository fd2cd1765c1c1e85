//! A certificate for what the search found, accepted by the checker.

use std::io::BufWriter;

use gridsat_encodings::{Budget, Cnf, OverBudget};
use thiserror::Error;

use super::Certificate;
use super::certificate::Proofs;
use crate::bounds;
use crate::cases;
use crate::sat::{Answer, LratWriter, ProofSink, SolverChoice, SolverError};
use crate::strategy::{Found, Reason};
use gridsat_check::formula::{self, Encoding, HostWeights};
use gridsat_check::verify::Rejection;
use gridsat_model::certificate::{self, Hashing, Node, Step};
use gridsat_model::{Instance, Stop, Ticks};

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
    /// One solver refuted what another has a mapping for, or the checker disagrees: a bug.
    #[error("the checker rejects our own certificate: {0}")]
    Rejected(#[from] Rejection),
    /// Two answers contradict each other: a bug.
    #[error("two solvers disagree on makespan {0}")]
    Disagree(Ticks),
}

impl From<OverBudget> for CertifyError {
    fn from(error: OverBudget) -> Self {
        match error {
            OverBudget::Stopped => Self::Stopped,
            too_many => Self::OverBudget(too_many),
        }
    }
}

/// The certificate of what was found, checked.
pub(super) fn certify(
    instance: &Instance,
    found: &Found,
    solver: &SolverChoice,
    stop: &Stop,
) -> Result<Certificate, CertifyError> {
    let mut proofs = Proofs::default();
    let steps = match (&found.reason, found.lower_bound.checked_sub(Ticks(1))) {
        (Reason::Nothing, _) | (_, None) => Vec::new(),
        (Reason::Bound(reason), Some(k)) => vec![bound_step(reason, k)],
        (Reason::Cases(nodes), Some(k)) => {
            // Kernels were decided within few conflicts, and are again.
            let stop = &stop.without_deadline();
            let prover = Prover { instance, k, solver, stop };
            vec![Step::Tree { k, nodes: prover.prove_leaves(nodes.clone(), &mut proofs)? }]
        }
        (Reason::Unsat(encoding), Some(k)) => {
            let prover = Prover { instance, k, solver, stop };
            let formula = prover.formula(encoding)?;
            let (name, digest) = prover.prove(&formula, "lrat", &mut proofs)?;
            vec![unsat_step(encoding, k, name, digest)]
        }
    };
    let (mapping, lower_bound) = (&found.mapping, found.lower_bound);
    let content = certificate::Certificate::new(instance, mapping, lower_bound, steps);
    Ok(Certificate::new(instance, content, proofs)?)
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
    solver: &'a SolverChoice,
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

    /// Keeps the refutation of the formula; returns its name and its digest.
    fn prove(
        &self,
        formula: &Cnf,
        extension: &str,
        proofs: &mut Proofs,
    ) -> Result<(String, String), CertifyError> {
        let mut file = Proofs::file();
        let out = Hashing::new(BufWriter::new(&mut file));
        let mut proof = LratWriter::new(out, formula.len() as u64);
        match prove(formula, self.solver, &mut proof, self.stop)? {
            Answer::Unknown => return Err(CertifyError::Stopped),
            Answer::Sat => return Err(CertifyError::Disagree(self.k)),
            Answer::Unsat => {}
        }
        let (out, _) = proof.finish().map_err(SolverError::Proof)?;
        let digest = out.finish();
        Ok((proofs.keep(file, extension), digest))
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
            let extension = format!("{}.lrat", proofs.len() + 1);
            (*proof, *proof_sha256) = self.prove(&formula, &extension, proofs)?;
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
        let solver = SolverChoice::Varisat;
        let certificate = certify(&instance, &found(&instance), &solver, &Stop::never());
        certificate.expect("true").save(&path).expect("writable");
        for name in ["solution.1.lrat", "solution.2.lrat"] {
            assert!(folder.path().join(name).is_file(), "{name}");
        }
        let verdict = verify_file(&instance, &path).expect("accepted");
        assert!(matches!(verdict, FileVerdict::Certificate(verdict) if verdict.is_optimal()));
        std::fs::remove_file(folder.path().join("solution.2.lrat")).expect("there");
        assert!(verify_file(&instance, &path).is_err());
    }
}
