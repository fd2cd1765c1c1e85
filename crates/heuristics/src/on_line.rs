//! The three heuristics that consider one task at a time, so that they can serve tasks as they
//! arrive. O(n·m).
//!
//! Each takes the host with the least key; ties go to the first host. Hosts that would never
//! complete the task are left out.

use std::borrow::Borrow;

use super::{Heuristic, HostState, Partial, Problem};
use gridsat_model::{HostId, TaskId, Ticks};

/// A rule for the host of one task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnLine {
    /// Opportunistic Load Balancing: the host that can start the task first, however slow it is.
    Olb,
    /// Minimum Execution Time: the host with the least base time, however loaded.
    Met,
    /// Minimum Completion Time: the host that would complete the task first.
    Mct,
}

impl OnLine {
    /// The host for a task, among hosts given with its base time there and their state; `None` if
    /// none would ever complete it.
    pub fn choose<S: Borrow<HostState>>(
        self,
        hosts: impl Iterator<Item = (HostId, Ticks, S)>,
    ) -> Option<HostId> {
        match self {
            Self::Olb => least(hosts, |state, _| state.delay()),
            Self::Met => least(hosts, |_, time| time),
            Self::Mct => least(hosts, HostState::completion),
        }
    }
}

impl Heuristic for OnLine {
    fn name(&self) -> &'static str {
        match self {
            Self::Olb => "olb",
            Self::Met => "met",
            Self::Mct => "mct",
        }
    }

    fn title(&self) -> &'static str {
        match self {
            Self::Olb => "OLB",
            Self::Met => "MET",
            Self::Mct => "MCT",
        }
    }

    /// Assigns each task in order, after those before it.
    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)> {
        let mut partial = Partial::new(problem);
        for task in problem.instance.tasks() {
            if partial.is_over() {
                break;
            }
            let times = problem.instance.times(task);
            let states = partial.hosts();
            let hosts = times.map(|(host, time)| (host, time, &states[host.index()]));
            if let Some(host) = self.choose(hosts) {
                partial.assign(task, host);
            }
        }
        partial.finish()
    }
}

fn least<S: Borrow<HostState>>(
    hosts: impl Iterator<Item = (HostId, Ticks, S)>,
    key: impl Fn(&HostState, Ticks) -> Ticks,
) -> Option<HostId> {
    // A fold rather than a loop, because the compiler fuses chained iterators only then.
    let (_, best) = hosts.fold((Ticks::MAX, None), |best, (host, time, state)| {
        let state = state.borrow();
        let key = key(state, time);
        let is_better = key < best.0 && state.completion(time) != Ticks::MAX;
        if is_better { (key, Some(host)) } else { best }
    });
    best
}
