//! The list of heuristics, the one place that knows them all; a program may add its own when it starts.

use std::sync::OnceLock;

use thiserror::Error;

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

/// Fixed when it is first used, so that nobody sees two lists.
static ALL: OnceLock<Vec<&'static dyn Heuristic>> = OnceLock::new();

/// Why heuristics cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AddError {
    /// Another one is called so.
    #[error("there are two heuristics called '{0}'")]
    Name(&'static str),
    /// Somebody has already looked at the list.
    #[error("heuristics can be added only before any is used")]
    Late,
}

/// Adds heuristics of one's own, once and before anything else: commands, policies of schedulers and
/// benchmarks then know them by their names. `examples/own_heuristic` is a program that does this.
pub fn add(own: &[&'static dyn Heuristic]) -> Result<(), AddError> {
    let all = [&BUILT_IN[..], own].concat();
    let is_again = |&(index, one): &(usize, &&'static dyn Heuristic)| {
        all[..index].iter().any(|other| other.name() == one.name())
    };
    if let Some((_, again)) = all.iter().enumerate().find(is_again) {
        return Err(AddError::Name(again.name()));
    }
    ALL.set(all).map_err(|_| AddError::Late)
}

/// All heuristics.
pub fn all() -> &'static [&'static dyn Heuristic] {
    ALL.get_or_init(|| BUILT_IN.to_vec())
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
        assert_eq!(add(&[&Olb]), Err(AddError::Name("olb")));
        assert_eq!(add(&[]), Err(AddError::Late));
    }
}
