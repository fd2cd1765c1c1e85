//! Optimality proofs for the independent checker VeriPB (version 3 of its format).
//!
//! The statement is the instance as OPB ([`Opb`]), the proof is one file that `veripb` accepts with
//! `VERIFIED BOUNDS`. A logged mapping gives the upper bound and lets the checker assume that the
//! makespan is smaller still; the reason derives a contradiction from that. The encoder's clauses
//! are derived one by one, the solver's by unit propagation with its own hints, so neither needs to
//! be trusted.
//!
//! No symmetry is broken here: the order of equal tasks or hosts does not follow from the
//! constraints.

mod derive;
mod lines;
mod refute;
mod solver_steps;

use std::io::{self, Write};

use gridsat_encodings::OverBudget;
use thiserror::Error;

use self::lines::{ConstraintId, Lines};
use self::refute::Proof;
use crate::export::opb::Opb;
use crate::reason::{LowerBound, Reason};
use crate::sat::{Answer, SatSolver, SolverError};
use gridsat_check::formula::Encoding;
use gridsat_model::{Instance, Mapping, Stop, Ticks};

/// How to refute what has no direct VeriPB form: knapsacks, cases, and what SAT refuted already.
pub struct Refuter<'a> {
    /// The encoding of loads and the constraint over all hosts; its other settings are not used.
    pub encoding: &'a Encoding,
    /// The solver that writes the refutation.
    pub solver: &'a dyn SatSolver,
    /// When to give up the refutation.
    pub stop: &'a Stop,
}

/// Whether a VeriPB proof of this reason needs a solver.
pub fn needs_solver(reason: &Reason) -> bool {
    !matches!(reason, Reason::Ready { .. } | Reason::LongestTask { .. } | Reason::Weights { .. })
}

/// Why a proof could not be written.
#[derive(Debug, Error)]
pub enum VeripbError {
    /// The output could not be written.
    #[error("cannot write the proof: {0}")]
    Io(#[from] io::Error),
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The encoding has too many clauses.
    #[error(transparent)]
    OverBudget(#[from] OverBudget),
    /// The solver was stopped, or found a mapping where there should be none.
    #[error("the solver did not refute makespan {k}: it answered {answer:?}")]
    NotRefuted {
        /// The makespan asked about, in ticks.
        k: Ticks,
        /// The solver's answer.
        answer: Answer,
    },
    /// The reason has no VeriPB form.
    #[error("a bound found by SAT has a VeriPB form only when the mapping is optimal")]
    NoForm,
}

/// Writes the proof that the mapping has its makespan and that no mapping is below the bound.
pub fn write_proof(
    instance: &Instance,
    mapping: &Mapping,
    bound: &LowerBound,
    refuter: &Refuter<'_>,
    out: impl Write,
) -> Result<(), VeripbError> {
    let opb = Opb::new(instance);
    let inputs = 2 * instance.task_count() as u64 + instance.host_count() as u64;
    let mut lines = Lines::new(out, inputs)?;
    let makespan = mapping.makespan();
    let improving = lines.step(&log_solution(instance, &opb, mapping))?;
    let Some(reason) = bound.reason() else {
        return conclude(lines, Ticks(0), None, makespan);
    };
    let (k, lower_bound) = (reason.k(), bound.value());
    if lower_bound == makespan {
        let proof = Proof { instance, opb: &opb, k, makespan_is_small: improving };
        let contradiction = proof.refute(reason, &mut lines, refuter)?;
        return conclude(lines, lower_bound, Some(contradiction), makespan);
    }
    if needs_solver(reason) {
        return Err(VeripbError::NoForm);
    }
    let bits: String =
        opb.makespan_bits().map(|(value, bit)| format!("+{value} x{bit} ")).collect();
    lines.note(&format!("pbc {bits}>= {lower_bound} : subproof"))?;
    let negated = lines.implicit();
    let proof = Proof { instance, opb: &opb, k, makespan_is_small: negated };
    let contradiction = proof.refute(reason, &mut lines, refuter)?;
    let bound = lines.step(&format!("qed pbc : {contradiction}"))?;
    conclude(lines, lower_bound, Some(bound), makespan)
}

/// The mapping as an assignment of all variables of the problem.
fn log_solution(instance: &Instance, opb: &Opb<'_>, mapping: &Mapping) -> String {
    let mut line = String::from("soli");
    let mut assign = |number: u32, value: bool| {
        line.push_str(&format!(" {}x{number}", if value { "" } else { "~" }));
    };
    for task in instance.tasks() {
        for (host, _) in instance.times(task) {
            assign(opb.pair(task, host), mapping.host(task) == host);
        }
    }
    for (value, bit) in opb.makespan_bits() {
        assign(bit, mapping.makespan().0 & value != 0);
    }
    line
}

fn conclude<W: Write>(
    mut lines: Lines<W>,
    lower: Ticks,
    reason: Option<ConstraintId>,
    upper: Ticks,
) -> Result<(), VeripbError> {
    let hint = reason.map_or(String::new(), |id| format!(" : {id}"));
    lines.note("output NONE ;")?;
    lines.note(&format!("conclusion BOUNDS {lower}{hint} {upper} ;"))?;
    lines.note("end pseudo-Boolean proof ;")?;
    lines.finish()?;
    Ok(())
}
