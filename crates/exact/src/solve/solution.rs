//! The result of solving: never "optimal" without a certificate that the checker has accepted.

use std::time::Duration;

use super::{Certificate, CertifyError};
use crate::reason::{LowerBound, Reason};
use crate::strategy::{Decision, Origin};
use crate::then::Second;
use gridsat_check::formula::Encoding;
use gridsat_model::{Mapping, Names, Scale, Ticks, Time};

/// What is proven about the mapping.
#[derive(Debug)]
pub enum Outcome {
    /// No mapping is shorter.
    #[non_exhaustive]
    Optimal {
        /// The best mapping.
        mapping: Mapping,
        /// The proof, accepted by the checker.
        certificate: Certificate,
    },
    /// The search ended before the optimum was proven.
    #[non_exhaustive]
    Bounded {
        /// The best mapping found.
        mapping: Mapping,
        /// No makespan is below this, in ticks.
        lower: Ticks,
        /// The proof of the lower bound, accepted by the checker.
        certificate: Certificate,
    },
}

impl Outcome {
    /// Optimal only if the checker says so, whatever the search claimed.
    pub(super) fn new(mapping: Mapping, certificate: Certificate) -> Self {
        let accepted = certificate.accepted();
        if accepted.is_optimal() {
            return Self::Optimal { mapping, certificate };
        }
        Self::Bounded { mapping, lower: accepted.lower_bound(), certificate }
    }
}

/// The best mapping found and what is proven about it.
///
/// ```
/// let instance = gridsat_model::Instance::from_rows([[3.5, 5.0], [2.0, 2.5]])?;
/// let solution = gridsat_exact::solve::Solver::new().solve(&instance)?;
/// assert_eq!(solution.makespan().to_string(), "3.5");
/// assert_eq!(solution.assignment().last(), Some(("t1", "h1")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Solution {
    pub(super) outcome: Outcome,
    pub(super) scale: Scale,
    pub(super) names: Names,
    pub(super) bound: LowerBound,
    /// The algorithm that found the mapping.
    pub found_by: Origin,
    /// The makespan of a shorter mapping that was met while this one was judged:
    /// [`Solver::judge`](super::Solver::judge).
    pub better: Option<Time>,
    /// The second stage, if [`Solver::then`](super::Solver::then) asked for one.
    pub second: Option<Second>,
    /// The encoding of the decision problem; `None` if the search did not need one.
    pub encoding: Option<Encoding>,
    /// All values of k decided, by SAT or by cases, in order.
    pub decisions: Vec<Decision>,
    /// Number of yes/no questions asked to extract the mapping.
    pub oracle_calls: usize,
    /// Why the search ended early, if the cause was neither time nor an interrupt.
    pub note: Option<String>,
    /// Why the bound of the search could not be certified. The certificate then has a weaker bound.
    pub failure: Option<CertifyError>,
    /// Wall-clock time of the search, the proof and its check together.
    pub time: Duration,
}

impl Solution {
    /// What is proven about the mapping.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// Whether the mapping is proven optimal.
    pub fn is_optimal(&self) -> bool {
        matches!(self.outcome, Outcome::Optimal { .. })
    }

    /// The best mapping found.
    pub fn mapping(&self) -> &Mapping {
        let (Outcome::Optimal { mapping, .. } | Outcome::Bounded { mapping, .. }) = &self.outcome;
        mapping
    }

    /// The names of each task and its host, in order of tasks.
    pub fn assignment(&self) -> impl Iterator<Item = (&str, &str)> {
        self.names.of(self.mapping())
    }

    /// The completion time of the last host, in the instance's time unit.
    pub fn makespan(&self) -> Time {
        self.scale.display(self.mapping().makespan())
    }

    /// No mapping has a makespan below this; the makespan itself if the mapping is optimal.
    pub fn lower_bound(&self) -> Time {
        self.scale.display(self.certificate().accepted().lower_bound())
    }

    /// `(makespan − lower bound) / makespan`, from 0 to 1; 0 if the mapping is optimal.
    pub fn gap(&self) -> f64 {
        gridsat_model::gap(self.lower_bound().ticks(), self.makespan().ticks())
    }

    /// The kind of reason for the lower bound, in words.
    pub fn bound_by(&self) -> &'static str {
        self.bound.title()
    }

    /// The certificate rule that proves the lower bound, by its name in the file; `None` for the
    /// bound 0.
    pub fn bound_rule(&self) -> Option<&'static str> {
        self.bound.reason().map(Reason::rule)
    }

    /// The proof alone.
    pub fn into_certificate(self) -> Certificate {
        let (Outcome::Optimal { certificate, .. } | Outcome::Bounded { certificate, .. }) =
            self.outcome;
        certificate
    }

    /// The proof of the lower bound.
    pub fn certificate(&self) -> &Certificate {
        let (Outcome::Optimal { certificate, .. } | Outcome::Bounded { certificate, .. }) =
            &self.outcome;
        certificate
    }
}
