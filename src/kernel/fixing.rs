//! Pairs that prices rule out.
//!
//! Let s = Σ_h KP_h − Σ u ≥ 0 be what the prices lack to refute the domain. A packing of host h that
//! is worth δ less than KP_h uses up δ of that slack, so
//!
//! * with t on h, host h loses `in(t, h) = KP_h − KP_h(t in)` and every other host g, which must do
//!   without t, `out(t, g) = KP_g − KP_g(t out)`: the pair is impossible if
//!   `in(t, h) + Σ_{g≠h} out(t, g) > s`;
//! * with t elsewhere, host h loses `out(t, h)`: t must be on h if `out(t, h) > s`. The first rule
//!   finds this too, as it then rules out all other hosts.

use crate::bounds::{Contradiction, Domain};
use super::forced::forced;
use crate::knapsack::Item;
use crate::model::HostId;

/// States looked at in a knapsack.
const EFFORT: usize = 20_000;

/// What the prices say.
pub(super) enum Fixing {
    /// There is no mapping in the domain.
    Refuted,
    /// So many pairs were taken away.
    Fixed(usize),
}

/// Takes away all pairs the prices rule out.
pub(super) fn fix(domain: &mut Domain, prices: &[u64]) -> Result<Fixing, Contradiction> {
    let instance = domain.instance();
    let (n, m) = (instance.task_count(), instance.host_count());
    let open = instance.tasks().filter(|&t| domain.placed(t).is_none());
    let total: i128 = open.map(|t| i128::from(prices[t.index()])).sum();
    let mut with = vec![i128::MAX; n * m];
    let mut without = vec![0_i128; n * m];
    let mut lost = vec![0_i128; n];
    let mut packed: i128 = 0;
    for host in instance.hosts() {
        let items = items(domain, prices, host);
        let values = forced(&items, domain.room(host), EFFORT);
        packed += i128::from(values.best);
        for (item, (value_in, value_out)) in items.iter().zip(values.each) {
            let at = item.name as usize * m + host.index();
            with[at] = i128::from(values.best) - i128::from(value_in);
            without[at] = i128::from(values.best) - i128::from(value_out);
            lost[item.name as usize] += without[at];
        }
    }
    let slack = packed - total;
    if slack < 0 {
        return Ok(Fixing::Refuted);
    }
    let mut fixed = 0;
    for host in instance.hosts() {
        for (task, _) in domain.open(host).to_vec() {
            let at = task.index() * m + host.index();
            if with[at] + lost[task.index()] - without[at] > slack {
                domain.forbid(task, host);
                fixed += 1;
            }
        }
    }
    domain.settle()?;
    Ok(Fixing::Fixed(fixed))
}

fn items(domain: &Domain, prices: &[u64], host: HostId) -> Vec<Item> {
    let item = |&(task, weight): &(crate::model::TaskId, u64)| Item {
        name: task.0,
        value: prices[task.index()],
        weight,
    };
    domain.open(host).iter().map(item).collect()
}
