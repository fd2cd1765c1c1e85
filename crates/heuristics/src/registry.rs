//! The built-in heuristics by name. One of a caller's own needs no entry here: whatever takes
//! heuristics takes them as values.

use super::{Duplex, Heuristic, List, MaxMin, Mct, Met, MinMin, Olb, Qgmm, Sufferage, XSufferage};

static BUILT_IN: [&dyn Heuristic; 14] = [
    &Olb,
    &Met,
    &Mct,
    &MinMin,
    &MaxMin,
    &Sufferage,
    &Duplex,
    &XSufferage,
    &Qgmm,
    &List::Fcfs,
    &List::Fjfr,
    &List::Fjbr,
    &List::MinMax,
    &List::MaxMax,
];

static STARTS: [&dyn Heuristic; 6] = [&Olb, &Met, &Mct, &MinMin, &MaxMin, &Sufferage];

/// All built-in heuristics.
pub fn all() -> &'static [&'static dyn Heuristic] {
    &BUILT_IN
}

/// Those a search for the optimum starts from, simplest first: different enough that each is the
/// best somewhere. Duplex adds nothing to its halves, and the others, made for grids with sites,
/// levels of service or idle hosts, have nothing of that to go by.
pub fn starts() -> &'static [&'static dyn Heuristic] {
    &STARTS
}

/// The heuristic with this command-line name.
pub fn by_name(name: &str) -> Option<&'static dyn Heuristic> {
    all().iter().copied().find(|heuristic| heuristic.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_each_by_its_own_name() {
        let names: Vec<_> = all().iter().map(|heuristic| heuristic.name()).collect();
        let classics = ["olb", "met", "mct", "minmin", "maxmin", "sufferage", "duplex"];
        let others = ["xsufferage", "qgmm", "fcfs", "fjfr", "fjbr", "minmax", "maxmax"];
        assert_eq!(names, [classics, others].concat());
        for heuristic in all() {
            let found = by_name(heuristic.name()).expect("listed");
            assert_eq!(found.title(), heuristic.title());
        }
        assert!(by_name("Min-Min").is_none());
    }
}
