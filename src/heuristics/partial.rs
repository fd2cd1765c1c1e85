//! A mapping under construction.

use crate::model::{HostId, Instance, Mapping, TaskId, Ticks};

/// Some tasks have a host; loads count those and the ready times.
pub(super) struct Partial<'a> {
    instance: &'a Instance,
    hosts: Vec<Option<HostId>>,
    loads: Vec<Ticks>,
}

impl<'a> Partial<'a> {
    /// No task has a host yet.
    pub(super) fn new(instance: &'a Instance) -> Self {
        Self {
            instance,
            hosts: vec![None; instance.task_count()],
            loads: instance.hosts().map(|h| instance.ready(h)).collect(),
        }
    }

    /// Gives each task, in order, the host with the least `key(load, time)`, lowest index first.
    pub(super) fn in_order<K: Ord>(
        instance: &'a Instance,
        key: impl Fn(Ticks, Ticks) -> K,
    ) -> Mapping {
        let mut partial = Self::new(instance);
        for task in instance.tasks() {
            let (host, _) = instance
                .times(task)
                .min_by_key(|&(h, time)| key(partial.load(h), time))
                .expect("every task can run somewhere");
            partial.assign(task, host);
        }
        partial.finish()
    }

    pub(super) fn instance(&self) -> &'a Instance {
        self.instance
    }

    pub(super) fn load(&self, host: HostId) -> Ticks {
        self.loads[host.index()]
    }

    /// Puts a task that has no host yet on a host that can run it.
    pub(super) fn assign(&mut self, task: TaskId, host: HostId) {
        let time = self.instance.time(task, host);
        self.loads[host.index()] += time.expect("heuristics choose among the possible hosts");
        self.hosts[task.index()] = Some(host);
    }

    /// The mapping, once every task has a host.
    pub(super) fn finish(self) -> Mapping {
        let hosts: Option<Vec<HostId>> = self.hosts.into_iter().collect();
        let hosts = hosts.expect("heuristics assign every task");
        Mapping::new(self.instance, hosts).expect("every task is on a host that can run it")
    }
}
