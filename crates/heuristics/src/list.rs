//! List scheduling onto free hosts: the five schedulers of DSiDE (Chtepen et al. 2006).
//!
//! Tasks are taken one after another from a list, in order of arrival, or shortest or longest first
//! by their least time. A task goes to a free host: of the hosts that can run it, one with the
//! least delay. So if none of the hosts that are free now can run it, it waits for those that
//! become free next. Of several free hosts it gets the first, the one idle for longest, or the one
//! that runs it fastest; ties go to the first.
//!
//! Under a time limit only hosts with a delay within it are free; a task for which there is none
//! stays unassigned and does not delay the tasks behind it. With a limit of 0, as in a simulation,
//! only hosts that are idle now get tasks.
//!
//! In the static problem FCFS and FJFR are OLB: there a host that is free earlier has the smaller
//! delay, and hosts of equal delay have been idle equally long.

use std::cmp::Reverse;

use super::{Heuristic, Partial, Problem};
use gridsat_model::{HostId, TaskId, Ticks};

/// List scheduling onto free hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// First Come First Served: the first task, the host idle for longest.
    Fcfs,
    /// First Job First Resource: the first task, the first free host.
    Fjfr,
    /// First Job Best Resource: the first task, the free host that runs it fastest.
    Fjbr,
    /// The shortest task, the free host that runs it fastest.
    MinMax,
    /// The longest task, the free host that runs it fastest.
    MaxMax,
}

impl Heuristic for List {
    fn name(&self) -> &'static str {
        match self {
            Self::Fcfs => "fcfs",
            Self::Fjfr => "fjfr",
            Self::Fjbr => "fjbr",
            Self::MinMax => "minmax",
            Self::MaxMax => "maxmax",
        }
    }

    fn title(&self) -> &'static str {
        match self {
            Self::Fcfs => "FCFS",
            Self::Fjfr => "FJFR",
            Self::Fjbr => "FJBR",
            Self::MinMax => "MinMax",
            Self::MaxMax => "MaxMax",
        }
    }

    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)> {
        let mut partial = Partial::new(problem);
        for task in self.order(problem) {
            if partial.is_over() {
                break;
            }
            if let Some(host) = self.choose(&partial, task) {
                partial.assign(task, host);
            }
        }
        partial.finish()
    }
}

impl List {
    fn order(self, problem: &Problem) -> Vec<TaskId> {
        let mut tasks: Vec<TaskId> = problem.instance.tasks().collect();
        let shortest = |&task: &TaskId| problem.instance.shortest(task);
        match self {
            Self::Fcfs | Self::Fjfr | Self::Fjbr => {}
            Self::MinMax => tasks.sort_by_cached_key(shortest),
            Self::MaxMax => tasks.sort_by_cached_key(|task| Reverse(shortest(task))),
        }
        tasks
    }

    fn choose(self, partial: &Partial, task: TaskId) -> Option<HostId> {
        let problem = partial.problem();
        let times = problem.instance.times(task).filter_map(|(host, time)| {
            let state = &partial.hosts()[host.index()];
            let delay = state.delay();
            let is_free = problem.until.is_none_or(|until| delay <= until);
            (is_free && state.completion(time) != Ticks::MAX).then_some((delay, host, time))
        });
        let best = times.min_by_key(|&(delay, host, time)| match self {
            Self::Fcfs => (delay, Ticks::MAX - problem.idle[host.index()]),
            Self::Fjfr => (delay, Ticks::ZERO),
            Self::Fjbr | Self::MinMax | Self::MaxMax => (delay, time),
        });
        best.map(|(_, host, _)| host)
    }
}
