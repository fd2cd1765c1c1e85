//! The second stage: among the mappings that end by k, one of least total time, or with the fewest
//! tasks moved.
//!
//! Every host offers the time until k, and every pair of task and host has a cost: the generalised
//! assignment problem. `improve` makes a mapping cheaper by small changes, `prices` bounds the cost
//! of all of them, `search` branches until both meet. The bound is computed with exact integers,
//! but there is no certificate for it: what the certificate proves is the makespan.

mod improve;
mod objective;
mod prices;
mod search;
#[cfg(test)]
mod tests;

pub use objective::Then;
use search::Search;

use crate::knapsack;
use gridsat_model::{Instance, Mapping, Stop, TaskId, Ticks};

/// States of knapsacks visited if there is no time limit: some ten seconds.
const MOST_WORK: u64 = 2_000_000_000;

/// What the second stage found, in ticks or as a number of tasks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Second {
    /// What was made small.
    pub then: Then,
    /// The cost of the mapping of the first stage.
    pub before: u64,
    /// The cost of the mapping chosen.
    pub value: u64,
    /// No mapping with at most the makespan of the first stage costs less.
    pub lower_bound: u64,
}

impl Second {
    /// Whether no mapping with at most the makespan of the first stage costs less.
    pub fn is_optimal(&self) -> bool {
        self.value == self.lower_bound
    }
}

/// The cheapest mapping found among those that end no later than the given one.
pub(crate) fn choose(
    instance: &Instance,
    mapping: &Mapping,
    then: Then,
    stop: &Stop,
) -> (Mapping, Second) {
    let limited = match stop.is_limited() {
        true => stop.clone(),
        false => stop.within_work(knapsack::work, MOST_WORK),
    };
    let before = then.value(instance, mapping);
    let low = cheapest(instance, &then, mapping.makespan());
    let mut search = Search::new(instance, &then, mapping, &limited);
    let lower_bound = if search.value > low { search.run(low) } else { low };
    let (best, value) = (search.best, search.value);
    (best, Second { then, before, value, lower_bound })
}

/// The sum of the least costs of all tasks, whatever else is on the hosts.
fn cheapest(instance: &Instance, then: &Then, k: Ticks) -> u64 {
    let least = |task: TaskId| {
        let fits = instance.times(task).filter(|&(host, time)| instance.ready(host) + time <= k);
        fits.map(|(host, _)| then.cost(instance, task, host)).min().unwrap_or(0)
    };
    instance.tasks().map(least).sum()
}
