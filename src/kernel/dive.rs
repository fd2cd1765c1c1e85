//! A mapping by following the prices: place the tasks the averaged packings agree on, price the rest
//! anew, and so on.
//!
//! A dive that runs into a contradiction takes its last placement back and rules it out; after a few
//! of those it gives up.

use crate::bounds::{Ascent, Climb, Contradiction, Domain};
use crate::model::{HostId, Mapping, TaskId};

/// Steps of the ascent between placements.
const STEPS: usize = 20;
/// One in so many open tasks is placed at a time …
const SHARE: usize = 12;
/// … if the packings agree on it so far; the first one in any case.
const AGREED: f64 = 0.8;

/// A mapping in the domain, if the dive finds one.
pub fn dive(
    domain: Domain,
    ascent: Ascent,
    patience: usize,
    should_stop: &dyn Fn() -> bool,
) -> Option<Mapping> {
    let mut decisions: Vec<(Domain, Ascent, TaskId, HostId)> = Vec::new();
    let (mut domain, mut ascent) = (domain, ascent);
    for _ in 0..patience {
        loop {
            if should_stop() {
                return None;
            }
            if let Some(mapping) = domain.mapping() {
                return Some(mapping);
            }
            let climb = ascent.climb(&domain, STEPS, should_stop);
            if climb.refuted {
                break;
            }
            let Some(pair) = favourites(&domain, &climb).first().copied() else { break };
            decisions.push((domain.clone(), ascent.clone(), pair.0, pair.1));
            if place(&mut domain, &climb).is_err() {
                break;
            }
        }
        loop {
            let (before, prices, task, host) = decisions.pop()?;
            (domain, ascent) = (before, prices);
            domain.forbid(task, host);
            if domain.settle().is_ok() {
                break;
            }
        }
    }
    None
}

/// Places the tasks most agreed on. Those that no longer fit are ruled out on the way.
fn place(domain: &mut Domain, climb: &Climb) -> Result<(), Contradiction> {
    let count = domain.unplaced().div_ceil(SHARE);
    for (task, host) in favourites(domain, climb).into_iter().take(count) {
        if domain.placed(task).is_some() {
            continue;
        }
        let mut with = domain.clone();
        with.force(task, host);
        if with.settle().is_ok() {
            *domain = with;
        } else {
            domain.forbid(task, host);
            domain.settle()?;
        }
    }
    Ok(())
}

/// Pairs in order of agreement: those agreed on, and the best of all.
fn favourites(domain: &Domain, climb: &Climb) -> Vec<(TaskId, HostId)> {
    let m = domain.instance().host_count();
    let mut pairs: Vec<(f64, TaskId, HostId)> = Vec::new();
    for host in domain.instance().hosts() {
        for &(task, _) in domain.open(host) {
            pairs.push((climb.average[task.index() * m + host.index()], task, host));
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let agreed = pairs.iter().take_while(|pair| pair.0 >= AGREED).count().max(1);
    pairs.into_iter().take(agreed).map(|(_, task, host)| (task, host)).collect()
}
