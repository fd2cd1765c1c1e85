//! Searches for the smallest makespan over values of k.
//!
//! Heuristics give a mapping, bounds say what no mapping can beat, and decisions "makespan ≤ k?",
//! by SAT or by [`crate::cases`], close the gap between them. The search returns what it found *and
//! why* nothing shorter exists; [`crate::solve`] turns the reason into a certificate.

mod bisection;
mod decide;
mod encoding_choice;
mod extract;
mod origin;
mod prices;
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

/// Which methods the search may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// All bounds, dives, and proofs by cases with SAT where little is left open.
    Auto,
    /// SAT decisions between the heuristics' makespan and the counting bounds.
    Sat,
    /// Chapter 5 of Rhodes' thesis: its literal encoding, binary search from half of MCT's
    /// makespan.
    Thesis,
}

/// The order in which SAT decisions try values of k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Halve the interval between the bounds.
    Bisect,
    /// Ask for one tick less than the best mapping until there is none.
    Descend,
}

/// How a mapping is extracted from a solver's answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extract {
    /// Read it from the solver's model.
    Model,
    /// Ask further yes/no questions, pair by pair, as in Rhodes' thesis.
    Oracle,
}

/// Options of the search.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which methods the search may use.
    pub strategy: Strategy,
    /// The encoding of the decision problem.
    pub encoding: EncodingChoice,
    /// The SAT solver for decisions.
    pub solver: SolverChoice,
    /// The order of SAT decisions.
    pub order: Order,
    /// How the mapping is extracted.
    pub extract: Extract,
    /// Stop when `(makespan − lower bound) / makespan` is at most this.
    pub gap: f64,
    /// Seed of the random search for mappings.
    pub seed: u64,
    /// Number of threads; with one thread the result is the same every time.
    pub threads: usize,
    /// Largest formula, in clauses.
    pub budget: Budget<'static>,
    /// A mapping to start from. Strategy `auto` looks for others only if it is not good enough.
    pub start: Option<Mapping>,
    /// Strategy `auto`: at most this many rounds of dives and proofs by cases, and none on
    /// instances where one takes long; on large ones it also limits the work on prices. Unlike a
    /// time limit it does not depend on the speed of the computer.
    pub rounds: Option<usize>,
}

impl Default for Options {
    /// Strategy `auto` without limits, to the proven optimum.
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

/// One decision "makespan ≤ k?".
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The makespan asked about, in ticks.
    pub k: Ticks,
    /// Whether there is such a mapping.
    pub answer: Answer,
    /// Wall-clock time of the decision.
    pub time: Duration,
    /// The solver and the encoding, in words.
    pub by: String,
}

/// Progress of the search.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// A better mapping was found.
    Mapping {
        /// Its makespan in ticks.
        makespan: Ticks,
        /// The method that found it.
        by: Origin,
    },
    /// A better lower bound was found.
    Bound {
        /// The bound in ticks.
        value: Ticks,
        /// The rule it rests on, as tables name it: [`LowerBound::title`].
        by: &'static str,
    },
    /// A decision has begun.
    Deciding {
        /// The makespan asked about, in ticks.
        k: Ticks,
    },
    /// A decision has ended.
    Decided(&'a Decision),
    /// The search is over; the certificate is being written.
    Certifying {
        /// The largest k that was refuted.
        k: Ticks,
    },
}

/// The result of the search.
#[derive(Clone, Debug)]
pub struct Found {
    /// The best mapping.
    pub mapping: Mapping,
    /// The method that found it.
    pub mapping_by: Origin,
    /// No makespan is below this, according to the search; not checked yet.
    pub lower_bound: LowerBound,
    /// The encoding of the decision problem; `None` if the search did not need one.
    pub encoding: Option<Encoding>,
    /// The best lower bound that needs no solver.
    pub static_bound: LowerBound,
    /// All values of k decided, by SAT or by cases, in order.
    pub decisions: Vec<Decision>,
    /// Number of yes/no questions asked to extract the mapping.
    pub oracle_calls: usize,
    /// Why the search ended early, if the cause was neither time nor an interrupt.
    pub note: Option<String>,
}

impl Found {
    /// A result with a mapping and no bound yet.
    pub(crate) fn start(mapping: Mapping, mapping_by: Origin) -> Self {
        Self {
            mapping,
            mapping_by,
            lower_bound: LowerBound::default(),
            encoding: None,
            static_bound: LowerBound::default(),
            decisions: Vec::new(),
            oracle_calls: 0,
            note: None,
        }
    }

    /// Replaces the lower bound by the best one that needs no solver.
    pub fn fall_back(&mut self) {
        self.lower_bound = self.static_bound.clone();
    }

    /// Whether the bounds meet according to the search; nothing has been checked yet.
    pub fn is_closed(&self) -> bool {
        self.lower_bound.value() == self.mapping.makespan()
    }
}

/// Why the search failed.
#[derive(Debug, Error)]
pub enum StrategyError {
    /// The solver failed.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// A formula has too many clauses.
    #[error("encoding '{encoding}' at k = {k} {source}")]
    OverBudget {
        /// The encoding, in words.
        encoding: String,
        /// The makespan asked about, in ticks.
        k: Ticks,
        /// The limit that was exceeded.
        source: OverBudget,
    },
    /// A model is not a mapping: a bug in an encoder or a solver.
    #[error("the solver's model for k = {k} is not a mapping with that makespan")]
    BadModel {
        /// The makespan asked about, in ticks.
        k: Ticks,
    },
}

impl StrategyError {
    /// A formula that is too large as a note in words; no note if the stop was due while it was
    /// written.
    fn note(self) -> Result<Option<String>, Self> {
        match self {
            Self::OverBudget { source: OverBudget::Stopped, .. } => Ok(None),
            Self::OverBudget { .. } => Ok(Some(self.to_string())),
            other => Err(other),
        }
    }
}

/// Searches until optimal, within the gap, or stopped. Returns the best mapping found.
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
