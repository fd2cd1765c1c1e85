//! Implied constraints from task prices: how much of the total price each host must carry.
//!
//! For prices u let `KP_h` be the largest total price of tasks that fit the room of host h, and
//! s = Σ_h KP_h − Σ u the slack. Every task is on some host, so the prices on all hosts add up
//! to Σ u. Hence the amounts by which hosts stay below their `KP_h` add up to exactly s, and no
//! host carries less than `KP_h − s`. Together with the room that is a *window* ([`window`]),
//! usually a narrow one, and much stronger than the room alone. A set that fits the window fits the
//! room, so windows take the place of the limits on loads.
//!
//! This holds for any prices and every k: `KP_h` is computed here, with exact integers. If s < 0
//! there is no mapping, and the formula contains the empty clause.

use gridsat_encodings::window::{self, Item};
use gridsat_encodings::{Budget, ClauseSink, OverBudget};

use super::{CaseHost, PairVars};
use crate::knapsack::{self, Knapsack, TooLarge};
use gridsat_model::{HostId, Instance, TaskId, Ticks};

/// One price per task. They add up to less than 2^64.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TaskPrices(Vec<u64>);

impl TaskPrices {
    /// `None` if there is not one price per task, or if they add up to 2^64 or more.
    pub fn new(instance: &Instance, prices: Vec<u64>) -> Option<Self> {
        let total = prices.iter().try_fold(0_u64, |sum, &price| sum.checked_add(price));
        (prices.len() == instance.task_count() && total.is_some()).then_some(Self(prices))
    }

    /// One price per task.
    pub fn as_slice(&self) -> &[u64] {
        &self.0
    }
}

/// Writes the windows of all hosts at k. Without prices they limit loads only.
pub(super) fn encode(
    instance: &Instance,
    k: Ticks,
    prices: Option<&TaskPrices>,
    pairs: &PairVars,
    sink: &mut dyn ClauseSink,
    budget: &mut Budget,
) -> Result<(), OverBudget> {
    let none = vec![0; instance.task_count()];
    let prices = prices.map_or(&none[..], TaskPrices::as_slice);
    let mut hosts = Vec::with_capacity(instance.host_count());
    for host in instance.hosts() {
        // A host that is ready only after k has made the formula unsatisfiable already.
        let Some(room) = instance.capacity(host, k) else { return Ok(()) };
        hosts.push(packed(instance, host, room, prices, pairs)?);
    }
    let best: u128 = hosts.iter().map(|host| u128::from(host.best)).sum();
    let total: u128 = prices.iter().map(|&price| u128::from(price)).sum();
    let Some(slack) = best.checked_sub(total) else {
        sink.add_clause(&[]);
        return Ok(());
    };
    let slack = u64::try_from(slack).unwrap_or(u64::MAX);
    write(instance, &hosts, prices, slack, pairs, sink, budget)
}

/// The host with its tasks and its best packing.
fn packed(
    instance: &Instance,
    host: HostId,
    room: Ticks,
    prices: &[u64],
    pairs: &PairVars,
) -> Result<CaseHost, OverBudget> {
    let task = |task| pairs.get(task, host).and_then(|_| Some((task, instance.time(task, host)?)));
    let tasks: Vec<(TaskId, Ticks)> = instance.tasks().filter_map(task).collect();
    let item =
        |&(task, time): &(TaskId, Ticks)| knapsack::Item { price: prices[task.index()], time };
    let knapsack = Knapsack::new(tasks.iter().map(item).collect(), room);
    let best = knapsack.map_err(too_large)?.best;
    Ok(CaseHost { room, tasks, best })
}

/// Where even the list of best packings is too long, no diagram is tried.
fn too_large(TooLarge(entries): TooLarge) -> OverBudget {
    OverBudget::TooMany { needed: entries, at_least: true, allowed: entries.saturating_sub(1) }
}

/// Writes the window of each host for this slack.
pub(super) fn write(
    instance: &Instance,
    hosts: &[CaseHost],
    prices: &[u64],
    slack: u64,
    pairs: &PairVars,
    sink: &mut dyn ClauseSink,
    budget: &mut Budget,
) -> Result<(), OverBudget> {
    for (id, host) in instance.hosts().zip(hosts) {
        let item = |&(task, weight): &(TaskId, Ticks)| {
            let lit = pairs.get(task, id)?.positive();
            Some(Item { lit, weight: weight.0, worth: prices[task.index()] })
        };
        let items: Vec<Item> = host.tasks.iter().filter_map(item).collect();
        window::encode(&items, host.room.0, host.best.saturating_sub(slack), sink, budget)?;
    }
    Ok(())
}
