//! A mapping from the host weights of a linear lower bound.
//!
//! In an optimal solution of the relaxation a task runs only where its weighted time `w_h·p_th` is
//! least, and all but m − 1 tasks run on one host. So each task goes where its weighted time is
//! least, and a local search that prefers steps of little weighted time then evens out the loads.
//! On the twelve HCSP instances of 512 tasks this ends within 1.4 % of the bound.
//!
//! If hosts differ in speed only, weights are proportional to speeds, and a task's weighted time is
//! the same on all hosts up to rounding. So of the hosts where it is *about* least, the one that
//! completes the task first is taken, long tasks first.
//!
//! Not in the list of heuristics, because it needs the weights of a bound.

use std::cmp::Reverse;

use super::improve_by_weights;
use gridsat_model::{HostId, Instance, Mapping, Stop, TaskId, Ticks};

/// A weighted time counts as least if it exceeds the least by at most the part 2^-`NEARNESS`.
const NEARNESS: u32 = 16;

/// Maps by weights, one per host, then improves by local search until nothing helps or it is
/// stopped.
///
/// # Panics
///
/// If there are fewer weights than hosts.
pub fn map_by_weights(instance: &Instance, weights: &[u64], stop: &Stop) -> Mapping {
    let mut tasks: Vec<TaskId> = instance.tasks().collect();
    tasks.sort_by_key(|&task| Reverse(instance.shortest(task)));
    let mut loads: Vec<Ticks> = instance.hosts().map(|host| instance.ready(host)).collect();
    let mut hosts = vec![HostId(0); instance.task_count()];
    for task in tasks {
        let (host, time) = host_by_weights(instance, weights, &loads, task);
        loads[host.index()] += time;
        hosts[task.index()] = host;
    }
    let mapping = Mapping::new(instance, hosts).expect("possible pairs only");
    improve_by_weights(instance, mapping, weights, stop)
}

fn host_by_weights(
    instance: &Instance,
    weights: &[u64],
    loads: &[Ticks],
    task: TaskId,
) -> (HostId, Ticks) {
    let cost = |host: HostId, time| u128::from(weights[host.index()]) * u128::from(time);
    let costs = instance.times(task).map(|(host, time)| cost(host, time));
    let least = costs.min().expect("every task can run somewhere");
    let about_least = least + (least >> NEARNESS);
    let near = instance.times(task).filter(|&(host, time)| cost(host, time) <= about_least);
    near.min_by_key(|&(host, time)| loads[host.index()] + time).expect("the least is near")
}
