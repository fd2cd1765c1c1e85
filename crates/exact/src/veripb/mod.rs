//! Optimality proofs for the independent checker VeriPB (version 3 of its format).
//!
//! The statement is the instance as OPB ([`Opb`]), the proof is one file that `veripb` accepts with
//! `VERIFIED BOUNDS`. A logged mapping gives the upper bound. For the lower bound a variable is
//! defined that says "the makespan exceeds k", and the reason derives it: `case` has the possible
//! pairs of a case, `prices` and `fixing` the rules for prices, `table` and `states` their
//! knapsacks, `trim` what is needed of a tree, `tree` the proof by cases, `part` the rule for equal
//! hosts, `windows` and `refute` what a solver refutes. The encoder's clauses are derived one by
//! one, the solver's by unit propagation with its own hints, so neither needs to be trusted.
//!
//! Only `part` puts hosts in an order, which the dominance rule allows; formulas for a solver have
//! no order of equal tasks or hosts.

mod case;
mod derive;
mod fixing;
mod lines;
mod part;
mod prices;
mod refute;
mod solver_steps;
mod states;
mod table;
mod tree;
mod trim;
mod windows;

use std::io::{self, Write};

use gridsat_encodings::OverBudget;
use thiserror::Error;

use self::case::Problem;
use self::lines::{ConstraintId, Lines, Literal, Weighted};
use crate::export::opb::Opb;
use crate::reason::LowerBound;
use crate::sat::{Answer, SatSolver, SolverError};
use gridsat_check::formula::Encoding;
use gridsat_model::{Instance, Mapping, Stop, Ticks};

/// How to refute what a solver refuted already, and what has no form of its own: fillings that no
/// prices can replace.
pub struct Refuter<'a> {
    /// Chooses the encoding of loads and the constraint over all hosts, if a solver is needed; its
    /// other settings are not used.
    pub encoding: &'a dyn Fn() -> Encoding,
    /// The solver that writes the refutation.
    pub solver: &'a dyn SatSolver,
    /// When to give up the refutation.
    pub stop: &'a Stop,
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
    /// The stop was due, or the solver gave up.
    #[error("stopped before the proof was finished")]
    Stopped,
    /// A step of the reason could not be derived.
    #[error("the VeriPB proof takes too many states of a knapsack")]
    NotShown,
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
    let mut lines = Lines::new(out, inputs, refuter.stop.clone())?;
    let makespan = mapping.makespan();
    lines.step(log_solution(instance, &opb, mapping))?;
    let Some(reason) = bound.reason() else {
        return conclude(lines, Ticks(0), None, makespan);
    };
    let lower = bound.value();
    let bits = opb.makespan_bits().map(|(value, bit)| (Literal::problem(bit), value));
    let over = lines.define(&bits.collect::<Vec<Weighted>>(), u128::from(lower.0))?;
    let problem = Problem { instance, opb: &opb };
    let refuted = refute::refute(problem, over, reason, &mut lines, refuter)?;
    let shown = lines.sum(&[(over.when_true, 1), (refuted.0, u128::from(lower.0))])?;
    conclude(lines, lower, Some(shown), makespan)
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
    lines.note(format_args!("conclusion BOUNDS {lower}{hint} {upper} ;"))?;
    lines.note("end pseudo-Boolean proof ;")?;
    lines.finish()?;
    Ok(())
}
