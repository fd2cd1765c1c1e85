//! The input of a heuristic: an instance, and the state that only a simulated grid has.

use super::HostState;
use gridsat_model::{Instance, Stop, Ticks};

/// Tasks to assign to hosts in a given state.
pub struct Problem<'a> {
    /// Tasks, hosts and base times. Its ready times are ignored; `hosts` replaces them.
    pub instance: &'a Instance,
    /// The state of each host.
    pub hosts: Vec<HostState>,
    /// How long each host has been idle: among free hosts FCFS prefers the longest idle.
    pub idle: Vec<Ticks>,
    /// The site of each host, for sufferage between sites.
    pub sites: Vec<u32>,
    /// The level of service each task requires; higher levels are served first by QGMM.
    pub levels: Vec<u32>,
    /// Time limit: no task is assigned once the delay of every host exceeds this, because then all
    /// are busy until the next decision (Rhodes' thesis, figures 4.2 and 4.3).
    pub until: Option<Ticks>,
    /// When due, the heuristic returns at once and leaves the remaining tasks unassigned.
    pub stop: Stop,
}

impl<'a> Problem<'a> {
    /// The static problem: hosts are queues from their ready times on, each host is a separate
    /// site, and there is no limit.
    ///
    /// The levels of service are those of the instance. Without any: hard levels are nested, and a
    /// task that requires more can run on fewer hosts. So a task's level is then the number of
    /// hosts on which it cannot run.
    pub fn of(instance: &'a Instance) -> Self {
        let m = instance.host_count();
        let level = |task| (m - instance.times(task).count()) as u32;
        Self {
            instance,
            hosts: instance.hosts().map(|host| HostState::Queue(instance.ready(host))).collect(),
            idle: vec![Ticks(0); m],
            sites: instance.hosts().map(|host| host.0).collect(),
            levels: match instance.levels() {
                Some(levels) => levels.tasks.clone(),
                None => instance.tasks().map(level).collect(),
            },
            until: None,
            stop: Stop::never(),
        }
    }
    /// Sites of which each is one host.
    pub(super) fn each_host_a_site(&self) -> Vec<u32> {
        self.instance.hosts().map(|host| host.0).collect()
    }
}
