//! The decision problem in one call: is there a mapping with makespan at most k?

use gridsat_encodings::Budget;

use crate::bounds;
use crate::sat::{Answer, SolverChoice};
use crate::strategy::{EncodingChoice, StrategyError, decide_once};
use gridsat_model::{Instance, Mapping, Stop, Ticks};

/// The answer to "is there a mapping with makespan at most k?".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decided {
    /// Yes, for example this one.
    Yes(Mapping),
    /// No, according to the SAT solver. [`Solver`](super::Solver) gives a certificate.
    No,
    /// Stopped before there was an answer.
    Unknown,
}

/// Decides one k, in ticks, by a SAT solver with the default encoding.
///
/// ```
/// use gridsat_exact::solve::{Decided, decide};
/// use gridsat_model::{Stop, Ticks};
///
/// let instance = gridsat_model::Instance::from_rows([[2, 3]; 3])?;
/// assert_eq!(decide(&instance, Ticks(3), &Stop::never())?, Decided::No);
/// let Decided::Yes(mapping) = decide(&instance, Ticks(4), &Stop::never())? else {
///     return Err("there is one".into());
/// };
/// assert_eq!(mapping.makespan(), Ticks(4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn decide(instance: &Instance, k: Ticks, stop: &Stop) -> Result<Decided, StrategyError> {
    let weights = bounds::linear(instance, stop).weights;
    let encoding = EncodingChoice::default().at(instance, k, &weights, stop);
    let (solver, budget) = (SolverChoice::Varisat, Budget::default());
    let (decision, mapping) = decide_once(instance, k, &encoding, &solver, budget, stop)?;
    Ok(match (decision.answer, mapping) {
        (Answer::Sat, Some(mapping)) => Decided::Yes(mapping),
        (Answer::Unsat, _) => Decided::No,
        _ => Decided::Unknown,
    })
}
