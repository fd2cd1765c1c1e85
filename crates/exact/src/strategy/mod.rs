//! The smallest makespan by search over k.
//!
//! Heuristics give a mapping, bounds say what no mapping can beat, and decisions "makespan ≤ k?",
//! by SAT or by [`crate::cases`], close the gap between them. The search returns what it found *and
//! why* nothing shorter exists; the reason is turned into a certificate by [`crate::solve`], not
//! here.

mod bisection;
mod decide;
mod encoding_choice;
mod extract;
mod origin;
mod race;
mod thesis;

use std::time::Duration;

use gridsat_encodings::{Budget, OverBudget};
use thiserror::Error;

use decide::Decider;

pub use decide::decide_once;
pub use encoding_choice::EncodingChoice;
pub use origin::Origin;

use crate::reason::LowerBound;
use crate::sat::{Answer, SolverChoice, SolverError};
use gridsat_check::formula::Encoding;
use gridsat_model::{Instance, Mapping, Stop, Ticks};

/// Which means are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Everything: all bounds, dives, and proofs by cases with SAT where little is left open.
    Auto,
    /// SAT decisions between the heuristics' makespan and the counting bounds.
    Sat,
    /// Chapter 5 of the thesis: literal encoding, binary search from half of MCT's makespan.
    Thesis,
}

/// The order in which values of k are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Halve the interval between the bounds.
    Bisect,
    /// Ask for one tick less than the best mapping until there is none.
    Descend,
}

/// How a mapping is got from an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extract {
    /// Read from the solver's model.
    Model,
    /// By further yes/no questions, pair by pair, as in the thesis.
    Oracle,
}

/// What to do and when to stop.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which means are allowed.
    pub strategy: Strategy,
    /// How the decision problem becomes clauses.
    pub encoding: EncodingChoice,
    /// Who decides them.
    pub solver: SolverChoice,
    /// In which order.
    pub order: Order,
    /// How the mapping is got.
    pub extract: Extract,
    /// Stop when `(makespan − lower bound) / makespan` is at most this.
    pub gap: f64,
    /// Where the randomness of the search for mappings starts.
    pub seed: u64,
    /// How many threads search; with one the outcome is the same every time.
    pub threads: usize,
    /// Room for clauses.
    pub budget: Budget<'static>,
    /// A mapping that is perhaps good already. Strategy `auto` looks for others only if it is not.
    pub start: Option<Mapping>,
    /// Strategy `auto`: at most this many rounds of dives and proofs by cases, and none where each
    /// takes long. A limit that does not depend on the speed of the computer.
    pub rounds: Option<usize>,
}

impl Default for Options {
    /// Everything, to the proven optimum.
    fn default() -> Self {
        Self {
            strategy: Strategy::Auto,
            encoding: EncodingChoice::default(),
            solver: SolverChoice::Varisat,
            order: Order::Bisect,
            extract: Extract::Model,
            gap: 0.0,
            seed: 1,
            threads: 1,
            budget: Budget::default(),
            start: None,
            rounds: None,
        }
    }
}

/// One SAT decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// "Makespan ≤ k?"
    pub k: Ticks,
    /// The answer.
    pub answer: Answer,
    /// How long it took.
    pub time: Duration,
    /// Solver and encoding.
    pub by: String,
}

/// Something the user may want to watch.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// A better mapping.
    Mapping {
        /// Its makespan.
        makespan: Ticks,
        /// Who found it.
        by: Origin,
    },
    /// A better lower bound.
    Bound {
        /// Its value.
        value: Ticks,
        /// Who found it.
        by: &'a str,
    },
    /// A decision begins.
    Deciding {
        /// The value of k.
        k: Ticks,
    },
    /// A decision ended.
    Decided(&'a Decision),
    /// The search is over; the reason is being written down.
    Certifying {
        /// The value of k refuted.
        k: Ticks,
    },
}

/// What the search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The best mapping.
    pub mapping: Mapping,
    /// Who found it.
    pub mapping_by: Origin,
    /// No makespan is below this, by the word of the search.
    pub lower_bound: LowerBound,
    /// How the decision problem became clauses.
    pub encoding: Encoding,
    /// The best lower bound that needs no solver.
    pub static_bound: LowerBound,
    /// All values of k decided, by SAT or by cases.
    pub decisions: Vec<Decision>,
    /// Yes/no questions asked to extract the mapping.
    pub oracle_calls: usize,
    /// Why the search ended early, if it did and not by time or interrupt.
    pub note: Option<String>,
}

impl Found {
    /// A mapping to begin with, and no bound yet.
    pub(crate) fn start(mapping: Mapping, mapping_by: Origin, encoding: Encoding) -> Self {
        Self {
            mapping,
            mapping_by,
            lower_bound: LowerBound::default(),
            encoding,
            static_bound: LowerBound::default(),
            decisions: Vec::new(),
            oracle_calls: 0,
            note: None,
        }
    }

    /// Keeps only the lower bound that needs no solver.
    pub fn fall_back(&mut self) {
        self.lower_bound = self.static_bound.clone();
    }

    /// Whether the bounds meet, by the word of the search: nothing has been checked.
    pub fn is_closed(&self) -> bool {
        self.lower_bound.value() == self.mapping.makespan()
    }
}

/// The search could not go on.
#[derive(Debug, Error)]
pub enum StrategyError {
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// A formula is too large.
    #[error("encoding '{encoding}' at k = {k} {source}")]
    OverBudget {
        /// The encoding.
        encoding: String,
        /// The value of k.
        k: Ticks,
        /// How large.
        source: OverBudget,
    },
    /// A model that is no mapping: an encoder or solver is wrong.
    #[error("the solver's model for k = {k} is not a mapping with that makespan")]
    BadModel {
        /// The value of k.
        k: Ticks,
    },
}

impl StrategyError {
    /// A formula too large, in words; `None` inside if the time was up while it was written.
    fn note(self) -> Result<Option<String>, Self> {
        match self {
            Self::OverBudget { source: OverBudget::Stopped, .. } => Ok(None),
            Self::OverBudget { .. } => Ok(Some(self.to_string())),
            other => Err(other),
        }
    }
}

/// Searches until optimal, within the gap, or stopped. Always returns the best mapping known.
pub fn run(
    instance: &Instance,
    options: &Options,
    stop: &Stop,
    watch: &mut dyn FnMut(&Event<'_>),
) -> Result<Found, StrategyError> {
    match options.strategy {
        Strategy::Thesis => thesis::run(instance, options, stop, watch),
        Strategy::Auto | Strategy::Sat => bisection::run(instance, options, stop, watch),
    }
}
