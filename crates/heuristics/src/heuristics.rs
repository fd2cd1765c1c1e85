//! Collections of heuristics: the built-in ones, and those that a caller adds.

use std::borrow::Cow;

use gridsat_model::names;
use thiserror::Error;

use super::{
    Duplex, Heuristic, List, MaxMin, MinMin, OnLine, Qgmm, Sufferage, SufferageRounds, XSufferage,
    XSufferagePasses,
};

/// Heuristics in order, found by name.
///
/// ```
/// use gridsat_heuristics::{Heuristics, List, MaxMin};
///
/// let few = Heuristics::built_in().choose("olb, minmin")?.with(&MaxMin);
/// assert_eq!(few.names().collect::<Vec<_>>(), ["olb", "minmin", "maxmin"]);
/// assert_eq!(few.named("minmin").map(|found| found.title()), Some("Min-Min"));
/// assert!(few.named("mct").is_none());
/// # Ok::<(), gridsat_heuristics::UnknownHeuristic>(())
/// ```
#[derive(Clone)]
pub struct Heuristics(Cow<'static, [&'static dyn Heuristic]>);

/// There is no heuristic with this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown algorithm '{}'; {}, all", .name.escape_debug(), names::choices(.name, .known))]
pub struct UnknownHeuristic {
    /// The unknown name.
    pub name: String,
    /// All names that would be valid.
    pub known: Vec<&'static str>,
}

static BUILT_IN: [&dyn Heuristic; 16] = [
    &OnLine::Olb,
    &OnLine::Met,
    &OnLine::Mct,
    &MinMin,
    &MaxMin,
    &Sufferage,
    &Duplex,
    &SufferageRounds,
    &XSufferage,
    &XSufferagePasses,
    &Qgmm,
    &List::Fcfs,
    &List::Fjfr,
    &List::Fjbr,
    &List::MinMax,
    &List::MaxMax,
];

/// Number of heuristics in `starts`: the first six, up to Sufferage.
const STARTS: usize = 6;

impl Heuristics {
    /// All heuristics that come with the library.
    pub const fn built_in() -> Self {
        Self(Cow::Borrowed(&BUILT_IN))
    }

    /// The heuristics that start a search for the optimum, simplest first; each is best on some
    /// instances. Duplex adds nothing to its two parts, and the others are made for grids with
    /// sites, levels of service or idle hosts, which a static instance does not have.
    pub fn starts() -> Self {
        Self(Cow::Borrowed(&BUILT_IN[..STARTS]))
    }

    /// Adds a heuristic at the end; it replaces one with the same name.
    pub fn with(&self, own: &'static dyn Heuristic) -> Self {
        let others = self.iter().filter(|other| other.name() != own.name());
        Self(others.chain([own]).collect())
    }

    /// The heuristics in a comma-separated list of names, in its order; `all` means all of them.
    pub fn choose(&self, names: &str) -> Result<Self, UnknownHeuristic> {
        if names::is_same(names, "all") {
            return Ok(self.clone());
        }
        let unknown =
            |name: &str| UnknownHeuristic { name: name.to_owned(), known: self.names().collect() };
        let find = |name| self.named(name).ok_or_else(|| unknown(name));
        names.split(',').map(|name| find(name.trim())).collect::<Result<_, _>>().map(Self)
    }

    /// The heuristic with this name or title, if there is one; see [`names::fold`].
    pub fn named(&self, name: &str) -> Option<&'static dyn Heuristic> {
        names::find(self.iter(), |heuristic| [heuristic.name(), heuristic.title()], name)
    }

    /// All heuristics, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'static dyn Heuristic> {
        self.0.iter().copied()
    }

    /// The names of all heuristics, in order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.iter().map(|heuristic| heuristic.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_each_by_its_own_name() {
        let all = Heuristics::built_in();
        let classics = ["olb", "met", "mct", "minmin", "maxmin", "sufferage", "duplex"];
        let suffering = ["sufferage-rounds", "xsufferage", "xsufferage-passes"];
        let others = ["qgmm", "fcfs", "fjfr", "fjbr", "minmax", "maxmax"];
        let names = [&classics[..], &suffering, &others].concat();
        assert_eq!(all.names().collect::<Vec<_>>(), names);
        for heuristic in all.iter() {
            let found = all.named(heuristic.name()).expect("listed");
            assert_eq!(found.title(), heuristic.title());
            let found = all.named(heuristic.title()).expect("what is printed is accepted");
            assert_eq!(found.name(), heuristic.name());
        }
        for name in ["Min-Min", "min-min", "MinMin"] {
            assert_eq!(all.named(name).map(|found| found.name()), Some("minmin"), "{name}");
        }
        assert!(all.named("minminmin").is_none());
        assert_eq!(Heuristics::starts().names().last(), Some("sufferage"));
    }

    #[test]
    fn lists_keep_their_order_and_name_what_is_unknown() {
        let all = Heuristics::built_in();
        let names = |list| all.choose(list).map(|few| few.names().collect::<Vec<_>>());
        assert_eq!(names("mct, olb,mct"), Ok(vec!["mct", "olb", "mct"]));
        assert_eq!(names("all").map(|names| names.len()), Ok(16));
        let error = names("mct,best").expect_err("unknown").to_string();
        assert!(error.starts_with("unknown algorithm 'best'; known: olb, met, "), "{error}");
        assert!(error.ends_with("maxmax, all"), "{error}");
        let error = names("Min-Mn").expect_err("unknown").to_string();
        assert!(error.contains("'Min-Mn'; did you mean 'minmin'? known: olb"), "{error}");
    }

    #[test]
    fn ones_own_replaces_its_namesake() {
        let renewed = Heuristics::built_in().with(&MinMin);
        assert_eq!((renewed.iter().len(), renewed.names().last()), (16, Some("minmin")));
    }
}
