//! The list of all searches by name.
//!
//! Local search exists for every built-in heuristic, as `ls-` and its name. Three of these are in
//! [`all`], the list that tables show; the others are found by name only.

use gridsat_model::names;

use super::{
    AStar, Annealing, Ants, Genetic, GeneticAnnealing, IteratedGreedy, Local, MultiStart, Search,
    Start, Tabu,
};
use crate::{
    Duplex, List, MaxMin, MinMin, OnLine, Qgmm, Sufferage, SufferageRounds, XSufferage,
    XSufferagePasses,
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

static ALL: [NamedSearch; 15] = [
    LOCAL[3],
    LOCAL[5],
    LOCAL[2],
    entry("ga", "GA", &Genetic::ONE_RUN),
    entry("ga-fitness", "GA (fitness)", &Genetic::BY_FITNESS),
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

macro_rules! local {
    ($name:literal, $title:literal, $heuristic:expr) => {
        entry(
            concat!("ls-", $name),
            concat!($title, " + LS"),
            &Local { start: Start::By(&$heuristic) },
        )
    };
}

/// One per built-in heuristic, in their order.
const LOCAL: [NamedSearch; 16] = [
    local!("olb", "OLB", OnLine::Olb),
    local!("met", "MET", OnLine::Met),
    local!("mct", "MCT", OnLine::Mct),
    local!("minmin", "Min-Min", MinMin),
    local!("maxmin", "Max-Min", MaxMin),
    local!("sufferage", "Sufferage", Sufferage),
    local!("duplex", "Duplex", Duplex),
    local!("sufferage-rounds", "Sufferage in rounds", SufferageRounds),
    local!("xsufferage", "XSufferage", XSufferage),
    local!("xsufferage-passes", "XSufferage in passes", XSufferagePasses),
    local!("qgmm", "QoS-guided Min-Min", Qgmm),
    local!("fcfs", "FCFS", List::Fcfs),
    local!("fjfr", "FJFR", List::Fjfr),
    local!("fjbr", "FJBR", List::Fjbr),
    local!("minmax", "MinMax", List::MinMax),
    local!("maxmax", "MaxMax", List::MaxMax),
];

/// All searches, in the order of tables, with local search from three of the heuristics.
pub fn all() -> &'static [NamedSearch] {
    &ALL
}

/// The searches of [`all`], then local search from the other heuristics.
pub fn named() -> impl Iterator<Item = NamedSearch> {
    let is_listed = |one: &NamedSearch| ALL.iter().any(|other| other.name == one.name);
    ALL.into_iter().chain(LOCAL.into_iter().filter(move |one| !is_listed(one)))
}

/// The search with this name or title; see [`names::fold`].
pub fn by_name(name: &str) -> Option<NamedSearch> {
    names::find(named(), |entry| [entry.name, entry.title], name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Heuristics;

    #[test]
    fn there_is_local_search_on_every_heuristic() {
        let heuristics = Heuristics::built_in();
        assert_eq!(LOCAL.len(), heuristics.iter().len());
        for (local, heuristic) in LOCAL.iter().zip(heuristics.iter()) {
            assert_eq!(local.name, format!("ls-{}", heuristic.name()));
            assert_eq!(local.title, format!("{} + LS", heuristic.title()));
            assert_eq!(local.search.start(), Start::By(heuristic), "{}", local.name);
        }
        let first: Vec<&str> = ALL[..3].iter().map(|one| one.name).collect();
        assert_eq!(first, ["ls-minmin", "ls-sufferage", "ls-mct"]);
        assert_eq!(named().count(), ALL.len() + LOCAL.len() - 3);
    }
}
