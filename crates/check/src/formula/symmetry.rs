//! Breaks symmetries: equal tasks and equal hosts are put in order.
//!
//! Exchanging two tasks with the same times, or two hosts with the same times and ready time,
//! changes nothing. Of all mappings that differ only by such exchanges, keep those whose 0/1 matrix
//! `x[t,h]`, read row by row, is lexicographically largest under each exchange of neighbours in a
//! class:
//!
//! * equal tasks t < t′: host(t) ≤ host(t′);
//! * equal hosts h < h′: the first task on either of them is on h.
//!
//! Each condition is implied by "largest under all exchanges", and every class of equivalent
//! mappings has a largest matrix, so all conditions together leave at least one mapping per class.

use gridsat_encodings::{Budget, ClauseSink, OverBudget, Var};

use super::PairVars;
use gridsat_model::{HostId, Instance, TaskId, Ticks};

pub(super) fn encode(
    instance: &Instance,
    pairs: &PairVars,
    sink: &mut dyn ClauseSink,
    budget: &mut Budget,
) -> Result<(), OverBudget> {
    for (task, next) in neighbours(instance.tasks().collect(), |t| row(instance, pairs, t)) {
        budget.charge(instance.host_count() as u64, true)?;
        order_tasks(pairs, task, next, sink);
    }
    for (host, next) in neighbours(instance.hosts().collect(), |h| column(instance, pairs, h)) {
        budget.charge(2 * instance.task_count() as u64, true)?;
        order_hosts(instance, pairs, host, next, sink);
    }
    Ok(())
}

/// Pairs of items with equal keys that are neighbours in their class.
fn neighbours<T: Copy + Ord, K: Ord>(mut items: Vec<T>, key: impl Fn(T) -> K) -> Vec<(T, T)> {
    items.sort_by_cached_key(|&item| (key(item), item));
    let equal = items.windows(2).filter(|pair| key(pair[0]) == key(pair[1]));
    let mut pairs: Vec<_> = equal.map(|pair| (pair[0], pair[1])).collect();
    pairs.sort_unstable();
    pairs
}

/// The task's times on the hosts where it may run.
fn row(instance: &Instance, pairs: &PairVars, task: TaskId) -> Vec<(HostId, Ticks)> {
    instance.times(task).filter(|&(host, _)| pairs.get(task, host).is_some()).collect()
}

/// The host's ready time, and the times of the tasks it may run.
fn column(
    instance: &Instance,
    pairs: &PairVars,
    host: HostId,
) -> (Ticks, Vec<(TaskId, Option<Ticks>)>) {
    let tasks = instance.tasks().filter(|&task| pairs.get(task, host).is_some());
    (instance.ready(host), tasks.map(|task| (task, instance.time(task, host))).collect())
}

/// If the later task runs on h, the earlier one runs on h or on a host before it.
fn order_tasks(pairs: &PairVars, task: TaskId, next: TaskId, sink: &mut dyn ClauseSink) {
    let mut clause = Vec::new();
    for ((_, var), (_, next_var)) in pairs.of_task(task).zip(pairs.of_task(next)) {
        clause.push(var.positive());
        clause.push(next_var.negative());
        sink.add_clause(&clause);
        clause.pop();
    }
}

/// If task t runs on the later host, some task before t runs on the earlier host: `used` is true
/// only if one of the tasks so far does.
fn order_hosts(
    instance: &Instance,
    pairs: &PairVars,
    host: HostId,
    next: HostId,
    sink: &mut dyn ClauseSink,
) {
    let mut used: Option<Var> = None;
    for task in instance.tasks() {
        let (Some(here), Some(there)) = (pairs.get(task, host), pairs.get(task, next)) else {
            continue;
        };
        let now_used = sink.new_var();
        let mut reason = vec![now_used.negative(), here.positive()];
        let mut needs = vec![there.negative()];
        if let Some(before) = used {
            reason.push(before.positive());
            needs.push(before.positive());
        }
        sink.add_clause(&needs);
        sink.add_clause(&reason);
        used = Some(now_used);
    }
}
