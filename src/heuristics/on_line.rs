//! The three heuristics that look at one task at a time, and so serve tasks as they arrive.
//!
//! Each takes the host with the least key; of equals the one that comes first. Hosts that would
//! never complete the task are left out.

use super::{HostState, Partial, Problem};
use crate::model::{HostId, TaskId, Ticks};

/// A rule for the host of one task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnLine {
    /// Opportunistic Load Balancing: the host that can start it first.
    Olb,
    /// Minimum Execution Time: the host with the least base time.
    Met,
    /// Minimum Completion Time.
    Mct,
}

impl OnLine {
    /// The host for a task with these base times; `None` if no host would ever complete it.
    pub fn choose(
        self,
        times: impl Iterator<Item = (HostId, Ticks)>,
        hosts: &[HostState],
    ) -> Option<HostId> {
        match self {
            Self::Olb => least(times, hosts, |state, _| state.delay()),
            Self::Met => least(times, hosts, |_, time| time),
            Self::Mct => least(times, hosts, HostState::completion),
        }
    }

    /// Each task in order.
    pub(super) fn assign(self, problem: &Problem) -> Vec<(TaskId, HostId)> {
        let mut partial = Partial::new(problem);
        for task in problem.instance.tasks() {
            if partial.is_over() {
                break;
            }
            if let Some(host) = self.choose(problem.instance.times(task), partial.hosts()) {
                partial.assign(task, host);
            }
        }
        partial.finish()
    }
}

fn least(
    times: impl Iterator<Item = (HostId, Ticks)>,
    hosts: &[HostState],
    key: impl Fn(&HostState, Ticks) -> Ticks,
) -> Option<HostId> {
    let (mut least, mut best) = (Ticks::MAX, None);
    for (host, time) in times {
        let state = &hosts[host.index()];
        let key = key(state, time);
        if key < least && state.completion(time) != Ticks::MAX {
            (least, best) = (key, Some(host));
        }
    }
    best
}
