//! The node `unsat` of a tree: a refuted formula for the pairs that are left.
//!
//! The formula is not built from the pairs of this case but from those the certificate lists, since
//! who wrote it may have ruled out fewer. All pairs of the case must be among them; then every
//! mapping of the case is one of the listed pairs, and satisfies the formula (see
//! [`encode_kernel`]). Best packings are computed here.

use gridsat_encodings::Budget;

use super::lrat::LratChecker;
use super::pairs::Pairs;
use super::prices;
use super::steps::{OpenProof, StepFault, check_proof, open_proof};
use crate::formula::encode_kernel;
use gridsat_model::{Instance, Ticks};

/// What a node `unsat` says.
pub(super) struct Leaf<'a> {
    pub prices: &'a [u64],
    pub hosts: &'a [Vec<u32>],
    pub proof: &'a str,
    pub proof_sha256: &'a str,
}

impl Leaf<'_> {
    /// Whether the leaf refutes the case, in which all makespans are ≤ k.
    pub fn check(&self, case: &Pairs, k: Ticks, open: OpenProof) -> Result<(), StepFault> {
        let instance = case.instance();
        let (found, tasks) = (self.hosts.len(), instance.task_count());
        if found != tasks {
            return Err(StepFault::WrongHostLists { found, tasks });
        }
        if let Some((task, host)) = case.beyond(self.hosts).next() {
            return Err(StepFault::NotInFormula { task: task.0, host: host.0 });
        }
        match Pairs::new(instance, k).and_then(|all| all.only(self.hosts)) {
            Some(listed) => self.check_proof(instance, &listed, open),
            None => Ok(()),
        }
    }

    fn check_proof(
        &self,
        instance: &Instance,
        listed: &Pairs,
        open: OpenProof,
    ) -> Result<(), StepFault> {
        let hosts = prices::best_packings(listed, self.prices)?;
        let file = open_proof(self.proof, open)?;
        let mut checker = LratChecker::new();
        encode_kernel(instance, &hosts, self.prices, &mut checker, &mut Budget::default())?;
        check_proof(checker, file, self.proof, self.proof_sha256)
    }
}
