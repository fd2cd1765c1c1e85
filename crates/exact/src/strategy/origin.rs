//! Who found a mapping.

use std::fmt;

use gridsat_heuristics::Heuristic;

/// Who found a mapping: [`Origin::id`] for programs, its `Display` for people.
///
/// ```
/// let origin = gridsat_exact::strategy::Origin::Sat;
/// assert_eq!((origin.id(), origin.to_string()), ("sat".to_owned(), "SAT".to_owned()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The mapping that the search was given to start from.
    Given,
    /// A heuristic.
    Heuristic {
        /// As `gridsat map --algorithm` takes it.
        name: &'static str,
        /// As the literature calls it.
        title: &'static str,
        /// Whether a local search made it better.
        is_improved: bool,
    },
    /// Local search from the mapping before it.
    LocalSearch,
    /// The weights of the linear relaxation.
    LpWeights,
    /// Weights of the hosts, for large instances.
    HostWeights,
    /// A dive along the prices of the tasks.
    Dive,
    /// Few hosts at a time, packed anew.
    Repacking,
    /// A proof by cases that came across it.
    Cases,
    /// The model of a SAT solver.
    Sat,
    /// Yes/no questions to a SAT solver.
    Oracle,
}

impl Origin {
    /// A heuristic, as it is.
    pub fn of(heuristic: &dyn Heuristic) -> Self {
        let (name, title) = (heuristic.name(), heuristic.title());
        Self::Heuristic { name, title, is_improved: false }
    }

    /// The id and the words. Ids are a contract: they are in JSON output.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Given => ("given", "given"),
            Self::Heuristic { name, title, .. } => (name, title),
            Self::LocalSearch => ("local-search", "local search"),
            Self::LpWeights => ("lp-weights", "LP weights"),
            Self::HostWeights => ("host-weights", "host weights"),
            Self::Dive => ("dive", "dive"),
            Self::Repacking => ("re-packing", "re-packing"),
            Self::Cases => ("cases", "cases"),
            Self::Sat => ("sat", "SAT"),
            Self::Oracle => ("oracle", "oracle extraction"),
        }
    }

    fn is_improved(self) -> bool {
        matches!(self, Self::Heuristic { is_improved: true, .. })
    }

    /// A name that stays: that of the heuristic, with `+local-search` where that made it better.
    pub fn id(self) -> String {
        let improved = if self.is_improved() { "+local-search" } else { "" };
        format!("{}{improved}", self.names().0)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let improved = if self.is_improved() { " + local search" } else { "" };
        write!(f, "{}{improved}", self.names().1)
    }
}
