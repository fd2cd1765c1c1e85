//! Multi-start: local search from many mappings; the best result counts.
//!
//! The first start is Min-Min. Each further one is MCT over the tasks in a random order: different
//! enough to lead to another local minimum and, unlike a random mapping, close to a good mapping.
//! (Rhodes' thesis, section 2.4.2.3, recommends restarts for every search that stagnates.)

use rand::seq::SliceRandom;

use super::local::descend;
use super::{Run, Search};
use gridsat_model::{HostId, Instance, Mapping, TaskId, Ticks};

/// The multi-start search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MultiStart {
    /// Number of starts, including Min-Min. Our choice.
    pub starts: u64,
}

impl MultiStart {
    /// A hundred starts.
    pub const HUNDRED: Self = Self { starts: 100 };
}

impl Search for MultiStart {
    fn search(&self, run: &mut Run) {
        let instance = run.instance();
        let mut random = run.random(0);
        let mut tasks: Vec<TaskId> = instance.tasks().collect();
        descend(run.best(), run);
        for _ in 1..self.starts {
            if !run.may_evaluate(instance.task_count() * instance.host_count()) {
                return;
            }
            tasks.shuffle(&mut random);
            descend(earliest_completion(instance, &tasks), run);
        }
    }
}

fn earliest_completion(instance: &Instance, order: &[TaskId]) -> Mapping {
    let mut hosts = vec![HostId(0); instance.task_count()];
    let mut loads: Vec<Ticks> = instance.hosts().map(|host| instance.ready(host)).collect();
    insert(instance, order, &mut hosts, &mut loads);
    Mapping::new(instance, hosts).expect("possible pairs")
}

/// Assigns each of the tasks, in order, to the host that completes it first; ties go to the first.
pub(super) fn insert(
    instance: &Instance,
    order: &[TaskId],
    hosts: &mut [HostId],
    loads: &mut [Ticks],
) {
    for &task in order {
        let ends = instance.times(task).map(|(host, time)| (loads[host.index()] + time, host));
        let (end, host) = ends.min().expect("every task can run somewhere");
        hosts[task.index()] = host;
        loads[host.index()] = end;
    }
}
