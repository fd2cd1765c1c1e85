//! Proofs that were made in parts: each refuted case with its own proof, and all of them together
//! as one certificate.

use std::io::{Read, Seek, Write};

use serde::{Deserialize, Serialize};

use super::Certificate;
use super::certificate::Proofs;
use super::certify::{CertifyError, prove_case};
use crate::reason::OpenCase;
use crate::sat::{SolverChoice, SolverError};
use gridsat_model::certificate::{Document, Node, RefutedCase, Step, sha256_hex};
use gridsat_model::{Instance, Mapping, Stop, Ticks};

/// A case with the refutation of its formula.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProvenCase {
    /// One price per task.
    pub prices: Vec<u64>,
    /// For each task the hosts on which the formula allows it.
    pub hosts: Vec<Vec<u32>>,
    /// The refutation, in LRAT.
    pub lrat: String,
}

impl ProvenCase {
    /// The case without its proof, to be proven for another k.
    pub fn into_open(self) -> OpenCase {
        OpenCase { prices: self.prices, hosts: self.hosts }
    }
}

/// The node with the proof of its case. A case that the rooms alone contradict at this k needs
/// none.
pub fn prove_node(
    instance: &Instance,
    k: Ticks,
    node: Node<OpenCase>,
    solver: &SolverChoice,
    stop: &Stop,
) -> Result<Node<ProvenCase>, CertifyError> {
    let Node::Unsat(case) = &node else {
        return node.try_map(|_| Err(CertifyError::Stopped));
    };
    if crate::cases::is_empty(instance, k, case) {
        return Ok(Node::Nowhere);
    }
    let (mut file, _) = prove_case(instance, k, case, solver, stop)?;
    let mut lrat = String::new();
    let read = file.rewind().and_then(|()| file.read_to_string(&mut lrat));
    read.map_err(SolverError::Proof)?;
    node.try_map(|OpenCase { prices, hosts }| Ok(ProvenCase { prices, hosts, lrat }))
}

/// The certificate that the mapping is optimal, accepted by the checker: the nodes refute all
/// mappings with a smaller makespan.
pub fn certificate_of_tree(
    instance: &Instance,
    mapping: &Mapping,
    nodes: Vec<Node<ProvenCase>>,
) -> Result<Certificate, CertifyError> {
    let lower_bound = mapping.makespan();
    let Some(k) = lower_bound.checked_sub(Ticks(1)) else {
        let document = Document::new(instance, mapping, lower_bound, Vec::new());
        return Ok(Certificate::new(instance, document, Proofs::default())?);
    };
    let mut proofs = Proofs::default();
    let mut keep = |ProvenCase { prices, hosts, lrat }| {
        let mut file = Proofs::file();
        file.write_all(lrat.as_bytes()).map_err(SolverError::Proof)?;
        let extension = format!("{}.lrat", proofs.len() + 1);
        let proof = proofs.keep(file, &extension);
        let proof_sha256 = sha256_hex(lrat.as_bytes());
        Ok::<_, CertifyError>(RefutedCase { prices, hosts, proof, proof_sha256 })
    };
    let nodes: Result<Vec<Node>, _> =
        nodes.into_iter().map(|node| node.try_map(&mut keep)).collect();
    let steps = vec![Step::Tree { k, nodes: nodes? }];
    let document = Document::new(instance, mapping, lower_bound, steps);
    Ok(Certificate::new(instance, document, proofs)?)
}
