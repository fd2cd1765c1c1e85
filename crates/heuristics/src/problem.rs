//! What a heuristic is asked: an instance, and what only a simulated grid adds to it.

use super::HostState;
use gridsat_model::{Instance, Stop, Ticks};

/// Tasks to assign to hosts in a given state.
pub struct Problem<'a> {
    /// Tasks, hosts and base times. Its ready times do not count, `hosts` does.
    pub instance: &'a Instance,
    /// The state of each host.
    pub hosts: Vec<HostState>,
    /// How long each host has been idle: among hosts that are free FCFS prefers the largest.
    pub idle: Vec<Ticks>,
    /// The site of each host.
    pub sites: Vec<u32>,
    /// The level of service each task asks for; a higher number is served first.
    pub levels: Vec<u32>,
    /// Time limit: no task is assigned once the delay of every host is greater than this, since
    /// then all are busy until the next decision (thesis, figures 4.2 and 4.3).
    pub until: Option<Ticks>,
    /// When due, what is assigned is handed back at once and the rest stays unassigned.
    pub stop: Stop,
}

impl<'a> Problem<'a> {
    /// The static problem: hosts are queues from their ready times on, each a site of its own, and
    /// there is no limit.
    ///
    /// Hard levels of service nest, a task that asks for more can run on fewer hosts. So a task's
    /// level is the number of hosts it cannot run on.
    pub fn of(instance: &'a Instance) -> Self {
        let m = instance.host_count();
        let level = |task| (m - instance.times(task).count()) as u32;
        Self {
            instance,
            hosts: instance.hosts().map(|host| HostState::Queue(instance.ready(host))).collect(),
            idle: vec![Ticks(0); m],
            sites: instance.hosts().map(|host| host.0).collect(),
            levels: instance.tasks().map(level).collect(),
            until: None,
            stop: Stop::never(),
        }
    }
}
