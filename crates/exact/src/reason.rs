//! Why no mapping is shorter, in the terms of certificates from the start.
//!
//! The reasons of bounds can be checked as they are. Where a SAT solver refuted a formula there is
//! only its answer: the question takes the place of the proof, and [`crate::solve`] proves it
//! again.

use gridsat_check::formula::Encoding;
use gridsat_model::Ticks;
use gridsat_model::certificate::{Refutes, Step};
use serde::{Deserialize, Serialize};

/// A step of a certificate whose refutations are not proven yet.
pub type Reason = Step<OpenFormula, OpenCase>;

/// A formula that a solver says has no model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenFormula {
    /// The formula's models are the mappings with makespan ≤ k.
    pub k: Ticks,
    /// How the decision problem was encoded.
    pub encoding: Encoding,
}

impl Refutes for OpenFormula {
    fn k(&self) -> Ticks {
        self.k
    }
}

/// An open case whose formula has no model according to a solver, or one that is passed on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenCase {
    /// One price per task.
    pub prices: Vec<u64>,
    /// For each task the hosts that are still possible.
    pub hosts: Vec<Vec<u32>>,
}

/// No mapping has a makespan below [`LowerBound::value`], with the reason. The default is 0, which
/// needs no reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LowerBound(Option<Reason>);

impl LowerBound {
    /// A bound of this value. `reason` makes the refutation of the k one tick below it.
    pub(crate) fn new(value: Ticks, reason: impl FnOnce(Ticks) -> Reason) -> Self {
        Self(value.checked_sub(Ticks(1)).map(reason))
    }

    /// The bound in ticks.
    pub fn value(&self) -> Ticks {
        self.reason().map_or(Ticks::ZERO, |reason| reason.k() + Ticks(1))
    }

    /// The rule it rests on, as tables and progress lines name it; "nothing" if the bound is 0.
    pub fn title(&self) -> &'static str {
        self.reason().map_or("nothing", Reason::title)
    }

    /// Why no mapping is shorter; `None` if the bound is 0.
    pub fn reason(&self) -> Option<&Reason> {
        self.0.as_ref()
    }
}

impl From<Reason> for LowerBound {
    fn from(reason: Reason) -> Self {
        Self(Some(reason))
    }
}
