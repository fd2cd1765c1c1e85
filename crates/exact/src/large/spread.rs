//! A mapping in one pass over the matrix: tasks that few hosts can run first, of these the longest
//! first, each where it ends first. Where tasks differ mainly in the hosts that can run them, as
//! with levels of service, loads are then even but for one task each.

use std::cmp::Reverse;

use gridsat_model::{HostId, Instance, Mapping, TaskId, Ticks};

pub(crate) fn spread(instance: &Instance) -> Mapping {
    let mut tasks: Vec<TaskId> = instance.tasks().collect();
    let rank = |&task: &TaskId| (instance.times(task).count(), Reverse(instance.shortest(task)));
    tasks.sort_by_cached_key(rank);
    let mut loads: Vec<Ticks> = instance.hosts().map(|host| instance.ready(host)).collect();
    let mut hosts = vec![HostId(0); tasks.len()];
    for task in tasks {
        let ends = instance.times(task).map(|(host, time)| (loads[host.index()] + time, host));
        let (end, host) = ends.min().expect("every task can run somewhere");
        loads[host.index()] = end;
        hosts[task.index()] = host;
    }
    Mapping::new(instance, hosts).expect("possible pairs only")
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_model::InstanceParts;

    /// Four tasks for any of two hosts, and one of 4 ticks for the first host only, which is free
    /// at 1. In order of the tasks, the second host would end at 4 and the first at 8.
    #[test]
    fn tasks_without_a_choice_come_first() {
        let both = |time| vec![Some(Ticks(time)); 2];
        let etc = vec![both(3), both(1), both(2), both(1), vec![Some(Ticks(4)), None]];
        let parts =
            InstanceParts { etc, ready: vec![Ticks(1), Ticks(0)], ..InstanceParts::default() };
        let instance = Instance::new(parts).expect("valid");
        let mapping = spread(&instance);
        assert_eq!(mapping.hosts(), [1, 0, 1, 1, 0].map(HostId));
        assert_eq!(mapping.loads(), [Ticks(6), Ticks(6)]);
    }
}
