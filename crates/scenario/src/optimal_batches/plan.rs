//! The previous plan for jobs that were not sent.
//!
//! Under a time limit most of a batch waits and is mapped again shortly after. If nothing
//! unexpected happened, the old plan still has the makespan it had, so its remainder is a starting
//! mapping that is often good enough. Jobs that arrived since are added where they complete first,
//! the longest first.

use std::cmp::Reverse;
use std::collections::HashMap;

use gridsat_model::{HostId, Instance, Mapping, TaskId, Ticks};

/// The target of each job, by job number.
#[derive(Default)]
pub(super) struct Plan(HashMap<u64, HostId>);

impl Plan {
    /// The plan for these jobs on these PEs as a mapping; `None` if it contains none of them.
    pub(super) fn start(
        &self,
        instance: &Instance,
        numbers: &[u64],
        seats: &[(HostId, Ticks)],
    ) -> Option<Mapping> {
        if !numbers.iter().any(|number| self.0.contains_key(number)) {
            return None;
        }
        let mut loads: Vec<Ticks> = seats.iter().map(|&(_, ready)| ready).collect();
        let mut hosts = vec![HostId(0); numbers.len()];
        let mut tasks: Vec<TaskId> = instance.tasks().collect();
        let target = |task: TaskId| self.0.get(&numbers[task.index()]);
        tasks.sort_by_key(|&task| (target(task).is_none(), Reverse(instance.shortest(task))));
        for task in tasks {
            let end = |&(host, time): &(HostId, Ticks)| loads[host.index()] + time;
            let planned = |&(host, _): &(HostId, Ticks)| {
                target(task).is_some_and(|&target| seats[host.index()].0 == target)
            };
            let there = instance.times(task).filter(planned).min_by_key(end);
            let (host, time) = there.or_else(|| instance.times(task).min_by_key(end))?;
            loads[host.index()] += time;
            hosts[task.index()] = host;
        }
        Mapping::new(instance, hosts).ok()
    }

    /// Replaces the plan by this one.
    pub(super) fn keep(&mut self, mapping: &Mapping, numbers: &[u64], seats: &[(HostId, Ticks)]) {
        let targets = mapping.hosts().iter().map(|host| seats[host.index()].0);
        self.0 = numbers.iter().copied().zip(targets).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_model::InstanceParts;

    /// Two PEs of target 5 and one of target 8.
    #[test]
    fn planned_jobs_stay_and_new_ones_go_where_they_end_first() {
        let seats = [(HostId(5), Ticks(0)), (HostId(5), Ticks(10)), (HostId(8), Ticks(0))];
        let etc =
            vec![vec![Some(Ticks(20)); 3], vec![Some(Ticks(30)); 3], vec![Some(Ticks(25)); 3]];
        let ready = seats.iter().map(|&(_, ready)| ready).collect();
        let parts = InstanceParts { etc, ready, ..InstanceParts::default() };
        let instance = Instance::new(parts).expect("valid");
        let mut plan = Plan::default();
        assert_eq!(plan.start(&instance, &[1, 2, 3], &seats), None);
        let mapping = Mapping::new(&instance, vec![HostId(0); 3]).expect("valid");
        plan.keep(&mapping, &[2, 1, 7], &seats);
        // Both are planned for target 5, the longer one first; the new one gets target 8.
        let start = plan.start(&instance, &[1, 2, 3], &seats).expect("planned");
        assert_eq!(start.hosts(), [HostId(1), HostId(0), HostId(2)]);
        assert_eq!(plan.start(&instance, &[4, 5, 6], &seats), None);
    }
}
