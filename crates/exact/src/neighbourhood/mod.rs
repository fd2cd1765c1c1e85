//! Bounds and mappings for hundreds to thousands of tasks on many hosts: plain subgradient steps on
//! task prices, and dives over large neighbourhoods.
//!
//! With ten to sixty tasks per host on many hosts, the linear bound is too weak, the ascent with
//! bundles of packings is too slow, and exchanges of single tasks stop several percent above the
//! bound. Many cheap price steps (`market`) do better:
//!
//! * Over all pairs of task and host they give the price bound ([`PriceBound`]), with the same
//!   certificate as any other price bound.
//! * Over the few pairs that good mappings use (`core`) they guide dives (`dive`). A dive places
//!   tasks within a makespan k, a few at a time, where the packings of the hosts agree, and leaves
//!   some tasks out. The search then empties a third to three quarters of the hosts and dives
//!   again for their tasks, until no task is left out. Then it tries a smaller k ([`Search`]).
//!
//! With many tasks per host, the tasks that a dive leaves out are then fitted in by repacking small
//! groups of hosts (`fit`).
//!
//! Neighbourhoods must be this large: of a hundred hosts only a few suit a task, and a small group
//! of hosts seldom contains two of them.
//!
//! Not here: proofs beyond the price bound.

mod aim;
mod bound;
mod choose;
mod core;
mod dive;
mod fit;
mod market;
mod search;
mod state;
#[cfg(test)]
mod tests;

use gridsat_model::Instance;

pub(crate) use self::bound::PriceBound;
pub(crate) use self::search::Search;

/// The numbers of pairs of task and host for which these methods are used. With fewer pairs the
/// exact methods are quick enough; with more, the linear bound is nearly exact and one price step
/// takes too long.
const PAIRS: std::ops::Range<usize> = 30_000..1_200_000;

/// The most tasks per host for which these methods are used. With more, levelling the loads by
/// host weights is nearly optimal.
const TASKS_PER_HOST: usize = 200;

/// With at least this many tasks per host the linear bound is nearly exact. Then regrets, the
/// costs of pairs above the least of their task by the host weights, show which few pairs good
/// mappings use.
const MANY: usize = 60;

/// Whether hosts have so many tasks that host weights show where tasks belong.
pub(crate) fn has_many_tasks(instance: &Instance) -> bool {
    instance.task_count() >= MANY * instance.host_count()
}

/// Whether these methods are used for an instance of this size.
pub(crate) fn suits(instance: &Instance) -> bool {
    let (tasks, hosts) = (instance.task_count(), instance.host_count());
    PAIRS.contains(&(tasks * hosts)) && tasks <= TASKS_PER_HOST * hosts
}
