//! Which method found a mapping.

use std::fmt;

use gridsat_heuristics::Heuristic;

/// Which method found a mapping: [`Origin::id`] for programs, its `Display` for people.
///
/// ```
/// let origin = gridsat_exact::strategy::Origin::Sat;
/// assert_eq!((origin.id(), origin.to_string()), ("sat".to_owned(), "SAT".to_owned()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The mapping that the search was given to start from.
    Given,
    /// A mapping heuristic.
    Heuristic {
        /// Its name as `gridsat map --algorithm` takes it.
        name: &'static str,
        /// Its name in the literature.
        title: &'static str,
        /// Whether local search improved the mapping.
        is_improved: bool,
    },
    /// Local search from the best mapping so far.
    LocalSearch,
    /// Host weights: each task goes where its weighted time is smallest, then loads are levelled.
    Weights,
    /// A dive along the prices of the tasks.
    Dive,
    /// Dives over a few hosts at a time.
    Repacking,
    /// Filling one host after the other.
    Filling,
    /// Packing hosts, equal or of several speeds, by sums of times.
    Packing,
    /// Dives over many hosts at a time.
    Neighbourhood,
    /// A branch-and-bound tree, in one of its nodes.
    Tree,
    /// The model of a SAT solver.
    Sat,
    /// Extraction by yes/no questions to a SAT solver.
    Oracle,
}

impl Origin {
    /// The mapping of a heuristic without local search.
    pub fn of(heuristic: &dyn Heuristic) -> Self {
        let (name, title) = (heuristic.name(), heuristic.title());
        Self::Heuristic { name, title, is_improved: false }
    }

    /// The id and the words. Ids occur in JSON output and must not change.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Given => ("given", "given mapping"),
            Self::Heuristic { name, title, .. } => (name, title),
            Self::LocalSearch => ("local-search", "local search"),
            Self::Weights => ("weights", "host weights"),
            Self::Dive => ("dive", "dive"),
            Self::Repacking => ("re-packing", "re-packing"),
            Self::Filling => ("filling", "filling hosts"),
            Self::Packing => ("packing", "packing"),
            Self::Neighbourhood => ("neighbourhood", "large neighbourhoods"),
            Self::Tree => ("tree", "branch-and-bound tree"),
            Self::Sat => ("sat", "SAT"),
            Self::Oracle => ("oracle", "oracle extraction"),
        }
    }

    fn is_improved(self) -> bool {
        matches!(self, Self::Heuristic { is_improved: true, .. })
    }

    /// A stable name: that of the heuristic, with `+local-search` if local search improved the
    /// mapping.
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
