//! A mapping under construction.

use super::{HostState, Problem};
use gridsat_model::{HostId, Instance, TaskId, Ticks};

/// A completion time and the host. Ordered by time, then host.
pub(super) type Completion = (Ticks, HostId);

/// The tasks assigned so far, and the state of the hosts with them.
pub(super) struct Partial<'a> {
    problem: &'a Problem<'a>,
    hosts: Vec<HostState>,
    /// When each host is free, if all are queues: completions are then sums, without a look at the
    /// kind of the host.
    free: Option<Vec<Ticks>>,
    made: Vec<(TaskId, HostId)>,
    latest: Ticks,
    is_monotone: bool,
}

impl<'a> Partial<'a> {
    /// No task has a host yet.
    pub(super) fn new(problem: &'a Problem<'a>) -> Self {
        let hosts = problem.hosts.clone();
        let latest = hosts.iter().map(HostState::delay).max().unwrap_or(Ticks(0));
        let is_monotone = hosts.iter().all(HostState::is_monotone);
        let free = |host: &HostState| match host {
            HostState::Queue(free) => Some(*free),
            HostState::Other(_) => None,
        };
        let free = hosts.iter().map(free).collect();
        Self { problem, hosts, free, made: Vec::new(), latest, is_monotone }
    }

    pub(super) fn problem(&self) -> &'a Problem<'a> {
        self.problem
    }

    #[inline]
    pub(super) fn instance(&self) -> &'a Instance {
        self.problem.instance
    }

    #[inline]
    pub(super) fn hosts(&self) -> &[HostState] {
        &self.hosts
    }

    /// When the host would complete a task of this base time; `Ticks::MAX` if never.
    #[inline]
    pub(super) fn completion(&self, host: HostId, time: Ticks) -> Ticks {
        match &self.free {
            Some(free) => free[host.index()].saturating_add(time),
            None => self.hosts[host.index()].completion(time),
        }
    }

    /// The task's completion time on each host that can run it.
    #[inline]
    pub(super) fn completions(&self, task: TaskId) -> impl Iterator<Item = Completion> {
        let times = self.instance().times(task);
        times.map(|(host, time)| (self.completion(host, time), host))
    }

    /// Calls a function with all of [`Partial::completions`]; faster if all hosts are queues.
    #[inline]
    pub(super) fn each_completion(&self, task: TaskId, mut call: impl FnMut(Completion)) {
        let times = self.instance().times(task);
        match &self.free {
            Some(free) => {
                times.for_each(|(host, time)| call((free[host.index()].saturating_add(time), host)))
            }
            None => self.completions(task).for_each(call),
        }
    }

    /// Whether completions never get earlier from here on.
    #[inline]
    pub(super) fn is_monotone(&self) -> bool {
        self.is_monotone
    }

    /// Whether no further task may be assigned: all hosts are busy up to the limit, or the stop is
    /// due.
    pub(super) fn is_over(&self) -> bool {
        let is_busy = |until| self.hosts.iter().all(|host| host.delay() > until);
        self.problem.until.is_some_and(is_busy) || self.is_stopped()
    }

    /// Whether the stop is due.
    pub(super) fn is_stopped(&self) -> bool {
        self.problem.stop.is_due()
    }

    /// Assigns a task that has no host yet to a host that can run it.
    pub(super) fn assign(&mut self, task: TaskId, host: HostId) {
        let time = self.instance().time(task, host);
        let time = time.expect("heuristics choose among the possible hosts");
        self.latest = self.latest.max(self.completion(host, time));
        self.hosts[host.index()].assign(time);
        if let Some(free) = &mut self.free {
            free[host.index()] = self.hosts[host.index()].delay();
        }
        self.made.push((task, host));
    }

    /// The latest completion as computed when tasks were assigned, and at least every initial
    /// delay.
    pub(super) fn latest(&self) -> Ticks {
        self.latest
    }

    /// The assignments, in order.
    pub(super) fn finish(self) -> Vec<(TaskId, HostId)> {
        self.made
    }

    /// Number of assigned tasks.
    pub(super) fn count(&self) -> usize {
        self.made.len()
    }
}
