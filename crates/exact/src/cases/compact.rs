//! A tree with few cases, for proofs in which the prices of a case are expensive to check.
//!
//! Unlike the search ([`super::case`]) it removes pairs by prices at the root only, takes many
//! steps of the ascent in each case, and tries several branches before it takes the one whose cases
//! are closest to being refuted. It finds no mappings.

use super::case::candidates;
use super::fixing::{Fixing, WORTHWHILE, fix, rounded};
use crate::bounds::{Ascent, Domain};
use crate::reason::OpenCase;
use gridsat_model::certificate::Node;
use gridsat_model::{HostId, Instance, Stop, TaskId, Ticks};

/// Steps of the ascent per case.
const STEPS: usize = 200;
/// Branches that are tried.
const TRIED: usize = 50;
/// Steps of the ascent in each case of a branch that is tried.
const TRIAL: usize = 5;

/// A case with good prices; `None` if some task has no host.
type Case<'a> = (Option<Domain<'a>>, Ascent);

/// A tree that refutes k, starting from these prices. `None` if it has more than `most` nodes with
/// prices, or if a stop was requested.
pub fn compact(
    instance: &Instance,
    k: Ticks,
    prices: &[u64],
    most: usize,
    stop: &Stop,
) -> Option<Vec<Node<OpenCase>>> {
    let mut ascent = Ascent::from_prices(prices.iter().map(|&price| price as f64).collect());
    let mut nodes = Vec::new();
    let mut domain = Domain::new(instance, k).ok()?;
    shrink(&mut domain, &mut ascent, &mut nodes, stop)?;
    let mut open = vec![(Some(domain), ascent)];
    let mut count = nodes.len();
    while let Some((domain, mut ascent)) = open.pop() {
        let Some(domain) = domain else {
            nodes.push(Node::Nowhere);
            continue;
        };
        let average = ascent.climb(&domain, STEPS, stop).average;
        let prices = rounded(&ascent.prices(), &domain);
        if refutes(&domain, &prices) {
            count += 1;
            nodes.push(Node::Prices { prices });
            continue;
        }
        if count + open.len() > most || stop.is_due() {
            return None;
        }
        let (pair, cases) = branch(&domain, &ascent, &average, stop)?;
        nodes.push(Node::Branch { task: pair.0.0, host: pair.1.0 });
        open.extend(cases.into_iter().rev());
    }
    Some(nodes)
}

/// Removes pairs as long as prices remove many.
fn shrink(
    domain: &mut Domain,
    ascent: &mut Ascent,
    nodes: &mut Vec<Node<OpenCase>>,
    stop: &Stop,
) -> Option<()> {
    loop {
        ascent.climb(domain, STEPS, stop);
        let (prices, before) = (rounded(&ascent.prices(), domain), domain.pairs());
        match fix(domain, &prices).ok()? {
            Fixing::Refuted | Fixing::Fixed(0) => return Some(()),
            Fixing::Fixed(_) => nodes.push(Node::Fix { prices }),
        }
        if (before - domain.pairs()) * WORTHWHILE < before {
            return Some(());
        }
    }
}

fn refutes(domain: &Domain, prices: &[u64]) -> bool {
    matches!(fix(&mut domain.clone(), prices), Ok(Fixing::Refuted))
}

/// Of some branches the one whose cases are closest to being refuted.
fn branch<'a>(
    domain: &Domain<'a>,
    ascent: &Ascent,
    average: &[f64],
    stop: &Stop,
) -> Option<((TaskId, HostId), [Case<'a>; 2])> {
    let mut best: Option<(f64, (TaskId, HostId), [Case<'a>; 2])> = None;
    let before = ascent.clone().climb(domain, 0, stop).gap;
    for pair in candidates(domain, ascent, average, TRIED) {
        let mut gain = [0.0; 2];
        let mut cases = split(domain, ascent, pair);
        for ((domain, ascent), gain) in cases.iter_mut().zip(&mut gain) {
            *gain = match domain {
                Some(domain) => (ascent.climb(domain, TRIAL, stop).gap.min(0.0) - before).max(1e-9),
                None => -before,
            };
        }
        let score = gain[0] * gain[1];
        if best.as_ref().is_none_or(|(most, ..)| score > *most) {
            best = Some((score, pair, cases));
        }
    }
    best.map(|(_, pair, cases)| (pair, cases))
}

fn split<'a>(
    domain: &Domain<'a>,
    ascent: &Ascent,
    (task, host): (TaskId, HostId),
) -> [Case<'a>; 2] {
    let (mut on, mut off) = (domain.clone(), domain.clone());
    on.force(task, host);
    off.forbid(task, host);
    [on, off].map(|mut case| (case.settle().is_ok().then_some(case), ascent.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::Solver;

    #[test]
    fn a_tree_ends_where_prices_refute_all_cases() {
        let row = |t: u64| [5 + t % 5, 6 + t * t % 5, 7 + t % 3];
        let instance = Instance::from_rows((0..13).map(row)).expect("valid");
        let solution = Solver::new().solve(&instance).expect("solved");
        assert!(solution.is_optimal());
        let (best, stop) = (solution.mapping().makespan(), Stop::never());
        let tree = |k: Ticks, most| compact(&instance, k, &[1; 13], most, &stop);
        let nodes = tree(best - Ticks(1), 1000).expect("few cases");
        let mut cases = 1;
        for node in &nodes {
            assert!(cases > 0);
            match node {
                Node::Fix { .. } => {}
                Node::Branch { .. } => cases += 1,
                Node::Prices { .. } | Node::Unsat(_) | Node::Nowhere => cases -= 1,
            }
        }
        assert_eq!(cases, 0);
        assert!(tree(best, 1000).is_none(), "there is a mapping");
        let priced = nodes.iter().filter(|node| matches!(node, Node::Prices { .. })).count();
        assert!(priced > 1 && tree(best - Ticks(1), 1).is_none(), "{priced}");
    }
}
