//! The list of heuristics, the one place that knows them all.

use super::{Duplex, Heuristic, MaxMin, Mct, Met, MinMin, Olb, Sufferage};

static ALL: [&dyn Heuristic; 7] = [&Olb, &Met, &Mct, &MinMin, &MaxMin, &Sufferage, &Duplex];

/// All heuristics, simplest first.
pub fn all() -> &'static [&'static dyn Heuristic] {
    &ALL
}

/// The heuristic with this command-line name.
pub fn by_name(name: &str) -> Option<&'static dyn Heuristic> {
    ALL.into_iter().find(|heuristic| heuristic.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_each_by_its_own_name() {
        let names: Vec<_> = all().iter().map(|heuristic| heuristic.name()).collect();
        assert_eq!(names, ["olb", "met", "mct", "minmin", "maxmin", "sufferage", "duplex"]);
        for heuristic in all() {
            let found = by_name(heuristic.name()).expect("listed");
            assert_eq!(found.title(), heuristic.title());
        }
        assert!(by_name("Min-Min").is_none());
    }
}
