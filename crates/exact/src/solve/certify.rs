//! Turns the result of the search into a certificate that the checker accepts.

use std::io::BufWriter;
use std::time::Duration;

use gridsat_encodings::{Budget, Cnf, OverBudget};
use tempfile::SpooledTempFile;
use thiserror::Error;

use super::Certificate;
use super::certificate::Proofs;
use crate::cases;
use crate::reason::{OpenCase, OpenFormula, Reason};
use crate::sat::{Answer, Answered, LratWriter, ProofSink, SolverChoice, SolverError};
use crate::strategy::{Decision, Found};
use crate::threads;
use gridsat_check::formula::{self, HostWeights, TaskPrices};
use gridsat_check::verify::Rejection;
use gridsat_model::certificate::{self, Hashing, Node, RefutedCase, RefutedFormula, Step};
use gridsat_model::{Instance, Stop, Ticks};

/// Added to the time for proving a formula again: writing it, and the proof.
const SHORT: Duration = Duration::from_millis(500);

/// Why there is no certificate.
#[derive(Debug, Error)]
pub enum CertifyError {
    /// The stop was due before the proof was finished.
    #[error("stopped before the proof was finished")]
    Stopped,
    /// The solver that logs the proof failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The formula has too many clauses.
    #[error("the formula to refute {0}")]
    OverBudget(OverBudget),
    /// The checker rejects the certificate: a bug.
    #[error("the checker rejects our own certificate: {0}")]
    Rejected(#[from] Rejection),
    /// A solver found a model of a formula that another refuted: a bug.
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

/// The certificate of the result, accepted by the checker. The threads prove cases side by side.
pub(super) fn certify(
    instance: &Instance,
    found: &Found,
    (solver, threads): (&SolverChoice, usize),
    stop: &Stop,
) -> Result<Certificate, CertifyError> {
    let mut proofs = Proofs::default();
    let reason = found.lower_bound.reason().cloned();
    let grace =
        reason.as_ref().map_or(Duration::ZERO, |reason| grace(&found.decisions, reason.k()));
    let prover = Prover { instance, solver, threads, stop, grace };
    let step = reason.map(|reason| prover.prove_reason(reason, &mut proofs)).transpose()?;
    let (mapping, lower_bound) = (&found.mapping, found.lower_bound.value());
    let steps = step.into_iter().collect();
    let document = certificate::Document::new(instance, mapping, lower_bound, steps);
    Ok(Certificate::new(instance, document, proofs)?)
}

/// The refutation of one case.
pub(super) fn prove_case(
    instance: &Instance,
    k: Ticks,
    case: &OpenCase,
    solver: &SolverChoice,
    stop: &Stop,
) -> Result<Proven, CertifyError> {
    let prover = Prover { instance, solver, threads: 1, stop, grace: Duration::ZERO };
    prover.prove_case(k, case)
}

/// Repeats every refutation that rests on a solver's answer in a fresh solver that writes proofs.
struct Prover<'a> {
    instance: &'a Instance,
    solver: &'a SolverChoice,
    threads: usize,
    stop: &'a Stop,
    /// Time beyond the deadline for the refutation of a formula.
    grace: Duration,
}

/// A refutation found before the deadline takes about as long to prove again, and would be lost
/// without that time.
fn grace(decisions: &[Decision], k: Ticks) -> Duration {
    let refuted = |decision: &&Decision| decision.k == k && decision.answer == Answer::Unsat;
    decisions.iter().rfind(refuted).map_or(Duration::ZERO, |found| SHORT + 2 * found.time)
}

/// A finished proof and its digest.
pub(super) type Proven = (SpooledTempFile, String);

impl Prover<'_> {
    /// The reason as a step of the certificate, with all proofs.
    fn prove_reason(&self, reason: Reason, proofs: &mut Proofs) -> Result<Step, CertifyError> {
        Ok(match reason {
            Reason::Ready { k, host } => Step::Ready { k, host },
            Reason::LongestTask { k, task } => Step::LongestTask { k, task },
            Reason::Weights { k, weights } => Step::Weights { k, weights },
            Reason::Part { k, hosts, tasks, sums } => Step::Part { k, hosts, tasks, sums },
            Reason::Prices { k, prices } => Step::Prices { k, prices },
            Reason::Fillings { k, nodes } => Step::Fillings { k, nodes },
            Reason::Unsat(formula) => {
                let proven = match self.prove_formula(formula.clone(), proofs) {
                    Err(CertifyError::Stopped) if !self.stop.is_requested() => {
                        let stop = &self.stop.without_deadline().within(self.grace);
                        Prover { stop, ..*self }.prove_formula(formula, proofs)
                    }
                    proven => proven,
                };
                Step::Unsat(proven?)
            }
            Reason::Tree { k, nodes } => {
                // The search decided these cases within few conflicts, so the deadline is not
                // applied.
                let stop = &self.stop.without_deadline();
                let prover = Prover { stop, ..*self };
                Step::Tree { k, nodes: prover.prove_tree(k, nodes, proofs)? }
            }
        })
    }

    /// Proves all cases. The proofs are named in the order of the nodes.
    fn prove_tree(
        &self,
        k: Ticks,
        nodes: Vec<Node<OpenCase>>,
        proofs: &mut Proofs,
    ) -> Result<Vec<Node>, CertifyError> {
        let cases = nodes.iter().filter_map(|node| match node {
            Node::Unsat(case) => Some(case),
            _ => None,
        });
        let cases: Vec<&OpenCase> = cases.collect();
        let proven = threads::map(self.threads, &cases, |case| self.prove_case(k, case))?;
        let mut proven = proven.into_iter();
        let mut add_proof = |OpenCase { prices, hosts }| {
            let (file, proof_sha256) = proven.next().ok_or(CertifyError::Stopped)?;
            let extension = format!("{}.lrat", proofs.len() + 1);
            let proof = proofs.keep(file, &extension);
            Ok(RefutedCase { prices, hosts, proof, proof_sha256 })
        };
        nodes.into_iter().map(|node| node.try_map(&mut add_proof)).collect()
    }

    fn prove_case(&self, k: Ticks, case: &OpenCase) -> Result<Proven, CertifyError> {
        // The search built this formula within a smaller budget, so only a stop can prevent it
        // here.
        let formula = cases::formula(self.instance, k, case, self.stop);
        self.prove(k, &formula.ok_or(CertifyError::Stopped)?)
    }

    fn prove_formula(
        &self,
        OpenFormula { k, encoding }: OpenFormula,
        proofs: &mut Proofs,
    ) -> Result<RefutedFormula, CertifyError> {
        let mut formula = Cnf::new();
        let is_due = || self.stop.is_due();
        // The same budget as the checker's.
        let mut budget = Budget::default().until(&is_due);
        formula::encode(self.instance, k, &encoding, &mut formula, &mut budget)?;
        let (file, proof_sha256) = self.prove(k, &formula)?;
        let proof = proofs.keep(file, "lrat");
        Ok(RefutedFormula {
            k,
            encoding: encoding.load.name().to_owned(),
            at_most_one: encoding.at_most_one.name().to_owned(),
            symmetry: encoding.symmetry,
            surrogate: encoding.surrogate.as_ref().map_or(&[][..], HostWeights::as_slice).to_vec(),
            prices: encoding.prices.as_ref().map_or(&[][..], TaskPrices::as_slice).to_vec(),
            proof,
            proof_sha256,
        })
    }

    /// Proves the formula, which belongs to makespans ≤ k, unsatisfiable.
    fn prove(&self, k: Ticks, formula: &Cnf) -> Result<Proven, CertifyError> {
        let mut file = Proofs::file();
        let out = Hashing::new(BufWriter::new(&mut file));
        let mut proof = LratWriter::new(out, formula.len() as u64);
        match prove(formula, self.solver, &mut proof, self.stop)? {
            Answer::Unknown => return Err(CertifyError::Stopped),
            Answer::Sat => return Err(CertifyError::Disagree(k)),
            Answer::Unsat => {}
        }
        let (out, _) = proof.finish().map_err(SolverError::Proof)?;
        let digest = out.finish();
        Ok((file, digest))
    }
}

/// Uses the chosen solver if it can write proofs, else varisat.
fn prove(formula: &Cnf, choice: &SolverChoice, proof: &mut dyn ProofSink, stop: &Stop) -> Answered {
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
    use crate::strategy::Origin;
    use gridsat_check::formula::Encoding;
    use gridsat_check::verify::{FileVerdict, verify_file};
    use gridsat_encodings::{AtMostOne, LoadEncoding};
    use gridsat_model::{HostId, Mapping};

    /// Five tasks of 5 on two equal hosts: one host gets three of them and ends at 15.
    fn found(instance: &Instance) -> Found {
        let leaf = |hosts: &[u32]| {
            let hosts = [&[hosts.to_vec()][..], &vec![vec![0, 1]; 4]].concat();
            Node::Unsat(OpenCase { prices: vec![1; 5], hosts })
        };
        let nodes = vec![Node::Branch { task: 0, host: 0 }, leaf(&[0]), leaf(&[1])];
        let hosts = [0, 0, 0, 1, 1].map(HostId).to_vec();
        let mapping = Mapping::new(instance, hosts).expect("possible");
        let found = Found::start(mapping, Origin::Given);
        Found { lower_bound: Reason::Tree { k: Ticks(14), nodes }.into(), ..found }
    }

    #[test]
    fn cases_get_proofs_of_their_own() {
        [1, 3].into_iter().for_each(cases_get_proofs);
    }

    fn cases_get_proofs(threads: usize) {
        let instance = Instance::from_rows([[5, 5]; 5]).expect("valid");
        let folder = tempfile::tempdir().expect("a writable temporary directory");
        let path = folder.path().join("solution.json");
        let solver = SolverChoice::Varisat;
        let certificate = certify(&instance, &found(&instance), (&solver, threads), &Stop::never());
        certificate.expect("true").save(&path).expect("writable");
        for name in ["solution.1.lrat", "solution.2.lrat"] {
            assert!(folder.path().join(name).is_file(), "{name}");
        }
        let verdict = verify_file(&instance, &path).expect("accepted");
        assert!(matches!(verdict, FileVerdict::Certificate(verdict) if verdict.is_optimal()));
        std::fs::remove_file(folder.path().join("solution.2.lrat")).expect("there");
        assert!(verify_file(&instance, &path).is_err());
    }

    /// The time limit may end right after the last decision.
    #[test]
    fn a_refutation_found_in_time_is_proven_after_it() {
        let instance = Instance::from_rows([[5, 5]; 5]).expect("valid");
        let (k, encoding) =
            (Ticks(14), Encoding::engineered(LoadEncoding::Bdd, AtMostOne::Pairwise));
        let (answer, time, by) = (Answer::Unsat, Duration::from_secs(10), String::new());
        let found = Found {
            lower_bound: Reason::Unsat(OpenFormula { k, encoding }).into(),
            decisions: vec![Decision { k, answer, time, by }],
            ..found(&instance)
        };
        let late = Stop::never().within(Duration::ZERO);
        let certificate = certify(&instance, &found, (&SolverChoice::Varisat, 1), &late);
        assert!(certificate.expect("proven").accepted().is_optimal());
        late.request();
        let interrupted = certify(&instance, &found, (&SolverChoice::Varisat, 1), &late);
        assert!(matches!(interrupted, Err(CertifyError::Stopped)), "{interrupted:?}");
    }
}
