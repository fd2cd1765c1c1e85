//! A common interface of heuristics and searches.

use thiserror::Error;

use gridsat_heuristics::search::{self, Budget, Found};
use gridsat_heuristics::{Heuristic, Heuristics};
use gridsat_model::names::{self, choices};
use gridsat_model::{Instance, Mapping, Stop};
use gridsat_outside::{is_program, named as program};

/// An algorithm that maps tasks onto hosts. User-defined heuristics can be used too.
#[derive(Clone, Copy)]
pub enum Algorithm {
    /// A heuristic: fast and deterministic.
    Fast(&'static dyn Heuristic),
    /// A search, with a seed and a budget.
    Search(search::NamedSearch),
}

/// Why a name is not that of an algorithm.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AlgorithmError {
    /// No algorithm has it.
    #[error("unknown algorithm '{}'; {}", .name.escape_debug(), choices(.name, .known))]
    Unknown {
        /// The given name.
        name: String,
        /// All accepted names.
        known: Vec<&'static str>,
    },
    /// It begins like that of a program, `cmd:`, but is none.
    #[error("{0}")]
    Program(String),
}

/// In a list of names: all heuristics.
const ALL: &str = "all";
/// In a list of names: all searches.
const SEARCHES: &str = "searches";

impl Algorithm {
    /// The algorithms of a comma-separated list, each once. `all` stands for the given heuristics,
    /// which may include user-defined ones, and `searches` for all searches.
    pub fn choose(list: &str, fast: &Heuristics) -> Result<Vec<Self>, AlgorithmError> {
        let mut chosen: Vec<Self> = Vec::new();
        for name in list.split(',').map(str::trim) {
            let more = match name {
                _ if names::is_same(name, ALL) => fast.iter().map(Self::Fast).collect(),
                _ if names::is_same(name, SEARCHES) => {
                    search::all().iter().copied().map(Self::Search).collect()
                }
                _ => vec![Self::by_name(name, fast)?],
            };
            let is_new = |one: &Self| chosen.iter().all(|other| other.name() != one.name());
            let more: Vec<_> = more.into_iter().filter(is_new).collect();
            chosen.extend(more);
        }
        Ok(chosen)
    }

    /// The algorithm with this name or title, among these heuristics and all searches, or the
    /// program of a name such as `cmd:python3 mine.py`.
    pub fn by_name(name: &str, fast: &Heuristics) -> Result<Self, AlgorithmError> {
        if is_program(name) {
            return program(name).map(Self::Fast).map_err(AlgorithmError::Program);
        }
        let found = fast.named(name).map(Self::Fast);
        found.or_else(|| search::by_name(name).map(Self::Search)).ok_or_else(|| {
            let searches = search::named().map(|entry| entry.name);
            let known = fast.names().chain([ALL, SEARCHES]).chain(searches).collect();
            AlgorithmError::Unknown { name: name.to_owned(), known }
        })
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast(heuristic) => heuristic.name(),
            Self::Search(entry) => entry.name,
        }
    }

    /// The name in tables.
    pub fn title(self) -> &'static str {
        match self {
            Self::Fast(heuristic) => heuristic.title(),
            Self::Search(entry) => entry.title,
        }
    }

    /// Whether seed and budget have an effect.
    pub fn is_search(self) -> bool {
        matches!(self, Self::Search(_))
    }

    /// Maps an instance; `None` if it was stopped before it had a mapping.
    pub fn map(
        self,
        instance: &Instance,
        seed: u64,
        budget: Budget,
        stop: &Stop,
    ) -> Option<Mapped> {
        match self {
            Self::Fast(heuristic) => {
                let mapping = heuristic.map_unless(instance, &budget.limit(stop))?;
                Some(Mapped { mapping, evaluations: None, is_cut_short: false })
            }
            Self::Search(entry) => {
                let found = search::find_unless(entry.search, instance, seed, budget, stop)?;
                let Found { mapping, evaluations, is_cut_short } = found;
                Some(Mapped { mapping, evaluations: Some(evaluations), is_cut_short })
            }
        }
    }
}

/// The result of an algorithm.
#[derive(Clone, Debug)]
pub struct Mapped {
    /// The best mapping of this run.
    pub mapping: Mapping,
    /// Number of makespans that a search computed.
    pub evaluations: Option<u64>,
    /// Whether a limit or an interrupt ended a search.
    pub is_cut_short: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_their_order_and_repeat_nobody() {
        let names = |list| {
            let chosen = Algorithm::choose(list, &Heuristics::built_in());
            chosen.map(|all| Vec::from_iter(all.iter().map(|a| a.name())))
        };
        assert_eq!(names("ga, mct,ga"), Ok(vec!["ga", "mct"]));
        let all = names("mct,all,searches").expect("known");
        assert_eq!(all.len(), Heuristics::built_in().iter().len() + search::all().len());
        assert_eq!(all[..2], ["mct", "olb"]);
        let unknown = names("mct,best").expect_err("unknown").to_string();
        assert!(unknown.contains("'best'; known: olb, met"), "{unknown}");
        assert!(unknown.contains("searches, ls-minmin"), "{unknown}");
        let unknown = names("sufferag").expect_err("unknown").to_string();
        assert!(unknown.contains("'sufferag'; did you mean 'sufferage'? known"), "{unknown}");
    }

    #[test]
    fn what_is_printed_is_accepted_and_means_one_thing() {
        let fast = Heuristics::built_in();
        for one in Algorithm::choose("All, Searches", &fast).expect("known") {
            for name in [one.name(), one.title(), &one.title().to_uppercase()] {
                let found = Algorithm::by_name(name, &fast).expect("known");
                assert_eq!(found.name(), one.name(), "{name}");
            }
        }
    }
}
