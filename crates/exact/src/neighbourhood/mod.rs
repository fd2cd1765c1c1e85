//! Hundreds to thousands of tasks on many hosts: prices by plain steps, and mappings by price dives
//! over large neighbourhoods.
//!
//! With ten to sixty tasks on each of many hosts, the linear bound is too weak, bundles of packings
//! are too slow, and exchanges of single tasks end percents above the bound. What works are many
//! cheap steps of prices (`market`):
//!
//! * over all pairs they give the price bound ([`PriceBound`]), certified as any other;
//! * over the pairs worth a look (`core`) they guide dives (`dive`). A dive at a makespan k leaves
//!   a few tasks out; then a third to three quarters of the hosts are emptied and dived for again,
//!   until none is left out, and a smaller k is tried ([`Search`]).
//!
//! Neighbourhoods must be that large: a task has few useful hosts among a hundred, and a small
//! group of hosts seldom has two of them.
//!
//! Not here: proofs beyond the price bound.

mod aim;
mod bound;
mod choose;
mod core;
mod dive;
mod market;
mod search;
mod state;
#[cfg(test)]
mod tests;

use gridsat_model::Instance;

pub(crate) use self::bound::PriceBound;
pub(crate) use self::search::Search;

/// Fewest and most pairs: below, exact means are quick enough; above, the linear bound is nearly
/// exact and a step takes too long.
const PAIRS: std::ops::Range<usize> = 30_000..1_200_000;

/// With more tasks a host than this, levelling by weights is nearly perfect.
const TASKS_A_HOST: usize = 200;

/// Whether this is the way for an instance of this size.
pub(crate) fn suits(instance: &Instance) -> bool {
    let (tasks, hosts) = (instance.task_count(), instance.host_count());
    PAIRS.contains(&(tasks * hosts)) && tasks <= TASKS_A_HOST * hosts
}
