//! The formula of an open case: pairs and prices as clauses.
//!
//! The hosts' windows ([`windows`]) are those of the open tasks and of the rooms that the placed
//! tasks leave. If the prices refute the case, they are written for a slack of 0: there is no
//! mapping then, so the formula has no model either way.

use gridsat_encodings::{AtMostOne, Budget, ClauseSink, OverBudget};

use super::{PairVars, exactly_one, windows};
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
    windows::write(instance, hosts, prices, slack, &pairs, sink, budget)?;
    Ok(pairs)
}
