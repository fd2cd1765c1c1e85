//! Selects, among mappings with the same makespan, one that frees the hosts as early as possible.
//!
//! Tasks are moved one at a time to the host where the sum of the squared loads becomes smallest,
//! as long as no load exceeds the makespan. The solver's mapping and, if they have the same
//! makespan, those of Min-Min and Sufferage are all smoothed, and the one with the smallest sum is
//! chosen.

use gridsat_heuristics::{Heuristic, MinMin, Sufferage};
use gridsat_model::{HostId, Instance, Mapping, TaskId, Ticks};

/// Largest number of passes over all tasks.
const PASSES: usize = 20;

/// A smoother mapping with at most the makespan of this one.
pub(super) fn best(instance: &Instance, mapping: &Mapping) -> Mapping {
    let makespan = mapping.makespan();
    let others = [MinMin.map(instance), Sufferage.map(instance)];
    let others = others.into_iter().filter(|other| other.makespan() <= makespan);
    let smooth = |mapping| smoothed(instance, &mapping, makespan);
    let all = std::iter::once(mapping.clone()).chain(others).map(smooth);
    all.min_by_key(squares).expect("there is at least the one given")
}

fn squares(mapping: &Mapping) -> u128 {
    mapping.loads().iter().map(|&load| square(load)).sum()
}

/// Below 2^124. The total load of an instance is below 2^62, so the sum of squares is below 2^124
/// too.
fn square(load: Ticks) -> u128 {
    u128::from(load) * u128::from(load)
}

pub(super) fn smoothed(instance: &Instance, mapping: &Mapping, makespan: Ticks) -> Mapping {
    let mut hosts = mapping.hosts().to_vec();
    let mut loads = mapping.loads().to_vec();
    for _ in 0..PASSES {
        let moved = instance
            .tasks()
            .filter(|&task| relocate(instance, task, &mut hosts, &mut loads, makespan));
        if moved.count() == 0 {
            break;
        }
    }
    Mapping::new(instance, hosts).expect("tasks moved to hosts that can run them")
}

/// Moves the task if that reduces the sum of squares.
fn relocate(
    instance: &Instance,
    task: TaskId,
    hosts: &mut [HostId],
    loads: &mut [Ticks],
    makespan: Ticks,
) -> bool {
    let here = hosts[task.index()];
    let time = instance.time(task, here).expect("mapped to hosts that can run it");
    let load = loads[here.index()];
    let gain = square(load) - square(load - time);
    let cost = |&(host, time): &(HostId, Ticks)| {
        let load = loads[host.index()];
        square(load + time) - square(load)
    };
    let others = instance
        .times(task)
        .filter(|&(host, time)| host != here && loads[host.index()] + time <= makespan);
    let Some((there, longer)) = others.min_by_key(cost).filter(|pair| cost(pair) < gain) else {
        return false;
    };
    loads[here.index()] -= time;
    loads[there.index()] += longer;
    hosts[task.index()] = there;
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_model::InstanceParts;

    /// The first host is busy until 100 in any case, so every mapping that ends by then is optimal;
    /// the task should go to the fast host.
    #[test]
    fn takes_the_fast_host_though_the_slow_one_would_do() {
        let etc = vec![vec![Some(Ticks(50)), Some(Ticks(90)), Some(Ticks(10))]];
        let parts = InstanceParts {
            etc,
            ready: vec![Ticks(100), Ticks(0), Ticks(0)],
            ..InstanceParts::default()
        };
        let instance = Instance::new(parts).expect("valid");
        let lazy = Mapping::new(&instance, vec![HostId(1)]).expect("valid");
        assert_eq!(lazy.makespan(), Ticks(100));
        assert_eq!(best(&instance, &lazy).hosts(), [HostId(2)]);
    }
}
