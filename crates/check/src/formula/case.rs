//! The formula of an open case: pairs and prices as clauses.
//!
//! Let `KP_h` be the largest total price of open tasks that fits the room left on host h, and s =
//! Σ_h KP_h − Σ u. Every open task must be on some host, so the prices on all hosts add up to
//! Σ u. Hence the amounts by which hosts stay below their `KP_h` add up to exactly s, and no host
//! carries less than `KP_h − s`. Together with the room that is a window ([`window`]), usually a
//! narrow one, and much stronger than the room alone.
//!
//! If s < 0 there is no mapping. The formula is then written for s = 0 and may be satisfiable or
//! not.

use gridsat_encodings::window::{self, Item};
use gridsat_encodings::{AtMostOne, Budget, ClauseSink, OverBudget};

use super::{PairVars, exactly_one};
use gridsat_model::{Instance, TaskId, Ticks};

/// A host in an open case.
#[derive(Clone, Debug)]
pub struct CaseHost {
    /// Room left beside the tasks that are already placed, in ticks.
    pub room: Ticks,
    /// The open tasks it may get, with their times there.
    pub tasks: Vec<(TaskId, Ticks)>,
    /// The largest total price of tasks that fit.
    pub best: u64,
}

/// Writes that every open task is on exactly one host and that every host stays within its window.
/// Returns the variable of each pair; pairs that are not open have none.
pub fn encode_case(
    instance: &Instance,
    hosts: &[CaseHost],
    prices: &[u64],
    sink: &mut dyn ClauseSink,
    budget: &mut Budget,
) -> Result<PairVars, OverBudget> {
    let pairs = PairVars::of_hosts(instance, hosts.iter().map(|host| &host.tasks[..]), sink);
    let mut total = 0_u128;
    for task in instance.tasks() {
        let lits = pairs.literals(task);
        if lits.is_empty() {
            continue;
        }
        total += u128::from(prices[task.index()]);
        exactly_one(&lits, AtMostOne::Pairwise, sink, budget)?;
    }
    let packed: u128 = hosts.iter().map(|host| u128::from(host.best)).sum();
    let slack = u64::try_from(packed.saturating_sub(total)).unwrap_or(u64::MAX);
    for (id, host) in instance.hosts().zip(hosts) {
        let item = |&(task, weight): &(TaskId, Ticks)| {
            let lit = pairs.get(task, id)?.positive();
            Some(Item { lit, weight: weight.0, worth: prices[task.index()] })
        };
        let items: Vec<Item> = host.tasks.iter().filter_map(item).collect();
        window::encode(&items, host.room.0, host.best.saturating_sub(slack), sink, budget)?;
    }
    Ok(pairs)
}
