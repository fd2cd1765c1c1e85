//! The node `unsat` of a tree: a refuted formula for the pairs that are left.
//!
//! The formula is not built from the pairs of this case but from those listed in the certificate,
//! because the program that wrote it may have ruled out fewer. All pairs of the case must be in the
//! list; then every mapping of the case consists of listed pairs and satisfies the formula (see
//! [`encode_case`]). Best packings are computed here.

use gridsat_encodings::Budget;

use super::lrat::LratChecker;
use super::pairs::Pairs;
use super::prices;
use super::steps::{OpenProof, StepFault, check_proof, open_proof};
use crate::formula::encode_case;
use gridsat_model::Ticks;
use gridsat_model::certificate::RefutedCase;

/// Whether the leaf refutes the case, in which all makespans are ≤ k.
pub(super) fn check(
    leaf: &RefutedCase,
    case: &Pairs,
    k: Ticks,
    open: OpenProof,
) -> Result<(), StepFault> {
    let instance = case.instance();
    let (found, tasks) = (leaf.hosts.len(), instance.task_count());
    if found != tasks {
        return Err(StepFault::WrongHostLists { found, tasks });
    }
    if let Some((task, host)) = case.beyond(&leaf.hosts).next() {
        return Err(StepFault::NotInFormula { task: task.0, host: host.0 });
    }
    let Some(listed) = Pairs::new(instance, k).and_then(|all| all.only(&leaf.hosts)) else {
        return Ok(());
    };
    let hosts = prices::best_packings(&listed, &leaf.prices)?;
    let file = open_proof(&leaf.proof, open)?;
    let mut checker = LratChecker::new();
    encode_case(instance, &hosts, &leaf.prices, &mut checker, &mut Budget::default())?;
    check_proof(checker, file, &leaf.proof, &leaf.proof_sha256)
}
