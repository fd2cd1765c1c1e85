//! Multi-start: local search from many mappings, the best result counts.
//!
//! The first start is Min-Min; each further one is MCT over the tasks in a random order, which is
//! different enough to end elsewhere and, unlike a random mapping, near enough to a good one to get
//! there soon. (The thesis, 2.4.2.3, recommends restarts for every search that gets stuck.)

use rand::seq::SliceRandom;

use super::local::descend;
use super::{Run, Search};
use gridsat_model::{HostId, Instance, Mapping, TaskId, Ticks};

/// Multi-start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MultiStart {
    /// Starts, Min-Min's included. Own choice.
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

/// Puts each of the tasks, in order, where it is completed first. Of equal hosts the first.
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
