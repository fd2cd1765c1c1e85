//! The list of all searches by name.

use gridsat_model::names;

use super::{
    AStar, Annealing, Ants, Genetic, GeneticAnnealing, IteratedGreedy, Local, MultiStart, Search,
    Start, Tabu,
};

/// A search with its names.
#[derive(Clone, Copy)]
pub struct NamedSearch {
    /// The name on the command line.
    pub name: &'static str,
    /// The name in tables.
    pub title: &'static str,
    /// The search with its parameters set.
    pub search: &'static dyn Search,
}

const fn entry(
    name: &'static str,
    title: &'static str,
    search: &'static dyn Search,
) -> NamedSearch {
    NamedSearch { name, title, search }
}

static ALL: [NamedSearch; 14] = [
    entry("ls-minmin", "Min-Min + LS", &Local { start: Start::MinMin }),
    entry("ls-sufferage", "Sufferage + LS", &Local { start: Start::Sufferage }),
    entry("ls-mct", "MCT + LS", &Local { start: Start::Mct }),
    entry("ga", "GA", &Genetic::ONE_RUN),
    entry("ga-braun", "GA (Braun)", &Genetic::BRAUN),
    entry("sa", "SA", &Annealing::SLOW),
    entry("sa-braun", "SA (Braun)", &Annealing::BRAUN),
    entry("gsa", "GSA", &GeneticAnnealing::BRAUN),
    entry("tabu", "Tabu", &Tabu::FROM_MIN_MIN),
    entry("tabu-braun", "Tabu (Braun)", &Tabu::BRAUN),
    entry("astar", "A*", &AStar::BRAUN),
    entry("aco", "Ants", &Ants::TEN),
    entry("ig", "Iterated greedy", &IteratedGreedy::THOUSAND),
    entry("multistart", "Multi-start", &MultiStart::HUNDRED),
];

/// All searches, in the order of tables.
pub fn all() -> &'static [NamedSearch] {
    &ALL
}

/// The search with this name or title; see [`names::fold`].
pub fn by_name(name: &str) -> Option<NamedSearch> {
    names::find(ALL, |entry| [entry.name, entry.title], name)
}
