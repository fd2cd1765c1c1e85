//! Pairs that prices rule out.
//!
//! Let s = Σ_h KP_h − Σ u ≥ 0 be the slack, what the prices lack to refute the domain. A
//! packing of host h that is worth δ less than KP_h uses up δ of that slack. With t on h, host h
//! loses `in(t, h) = KP_h − KP_h(t in)`, and every other host g, which must do without t, loses
//! `out(t, g) = KP_g − KP_g(t out)`: the pair is impossible if
//! `in(t, h) + Σ_{g≠h} out(t, g) > s`. If a task must be on a host, all its other pairs turn out
//! to be impossible.
//!
//! Values may be replaced by upper bounds, and thus losses by lower bounds: then fewer pairs are
//! ruled out, but all of them rightly.

use crate::bounds::{Ascent, Contradiction, Domain, EFFORT};
use crate::knapsack::Packer;
use gridsat_model::{HostId, Stop, TaskId};

/// The result of fixing.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fixing {
    /// The domain contains no mapping.
    Refuted,
    /// This many pairs were removed.
    Fixed(usize),
}

/// Fixing is repeated while it removes at least one pair in this many.
pub(super) const WORTHWHILE: usize = 20;

/// Removes the pairs that prices rule out, alternating between ascent and fixing.
pub fn shrink(
    domain: &mut Domain,
    ascent: &mut Ascent,
    steps: (usize, usize),
    stop: &Stop,
) -> Result<(), Contradiction> {
    let mut now = steps.0;
    while domain.unplaced() > 0 {
        ascent.climb(domain, now, stop);
        let before = domain.pairs();
        if fix(domain, &rounded(&ascent.prices(), domain))? == Fixing::Refuted {
            return Err(Contradiction);
        }
        if (before - domain.pairs()) * WORTHWHILE < before || stop.is_due() {
            break;
        }
        now = steps.1;
    }
    Ok(())
}

/// Integers in the same proportion; 0 for placed tasks.
pub(super) fn rounded(prices: &[u64], domain: &Domain) -> Vec<u64> {
    let sum = domain.unplaced_total(prices).max(1) as u128;
    let total = u128::from(domain.price_total());
    let scale = |task: TaskId| match domain.placed(task) {
        Some(_) => 0,
        None => (u128::from(prices[task.index()]) * total / sum) as u64,
    };
    domain.instance().tasks().map(scale).collect()
}

/// Removes all pairs that the prices rule out.
pub(super) fn fix(domain: &mut Domain, prices: &[u64]) -> Result<Fixing, Contradiction> {
    let mut packer = Packer::default();
    let mut pack =
        |host| packer.pack(&domain.items(host, prices), domain.room(host).0, EFFORT).at_most;
    let best: Vec<u64> = domain.instance().hosts().map(&mut pack).collect();
    let packed: i128 = best.iter().map(|&value| i128::from(value)).sum();
    let slack = packed - domain.unplaced_total(prices);
    let Ok(slack) = u64::try_from(slack) else { return Ok(Fixing::Refuted) };
    let gone = impossible(domain, prices, (&best, slack), &mut packer);
    gone.iter().for_each(|&(task, host)| domain.forbid(task, host));
    domain.settle()?;
    Ok(Fixing::Fixed(gone.len()))
}

/// The pairs whose losses exceed the slack.
fn impossible(
    domain: &Domain,
    prices: &[u64],
    (best, slack): (&[u64], u64),
    packer: &mut Packer,
) -> Vec<(TaskId, HostId)> {
    let mut lost = vec![0_u64; prices.len()];
    let mut losses: Vec<(TaskId, HostId, u64, u64)> = Vec::with_capacity(domain.pairs());
    for (host, &best) in domain.instance().hosts().zip(best) {
        let items = domain.items(host, prices);
        let threshold = best.saturating_sub(slack);
        let (_, forced) = packer.forced(&items, domain.room(host).0, threshold, EFFORT);
        for (&(task, _), values) in domain.open(host).iter().zip(forced) {
            let without = best.saturating_sub(values.without);
            lost[task.index()] += without;
            losses.push((task, host, best.saturating_sub(values.with), without));
        }
    }
    let is_out = |&&(task, _, with, without): &&(TaskId, HostId, u64, u64)| {
        with + (lost[task.index()] - without) > slack
    };
    losses.iter().filter(is_out).map(|&(task, host, ..)| (task, host)).collect()
}
