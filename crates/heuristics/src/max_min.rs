//! Max-Min: like Min-Min, but of all tasks left the one whose earliest completion is *latest* goes
//! first, so that long tasks do not come last.
//!
//! Each task remembers a host that was once best for it. Its completion there is an upper bound on
//! its earliest completion, and among the tasks that remember one host the bounds are in the order
//! of base times, whatever else the host has. So each host keeps these tasks in a heap. Only the
//! task with the largest bound of all is evaluated: if it really completes that late it is chosen,
//! otherwise it moves to the heap of its best host. The other tasks cost nothing. An evaluation
//! costs O(m), or much less where completions only grow ([`Shortlist`]).
//!
//! Consistent matrices need the most evaluations, because there all tasks compete for the same
//! hosts.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Heuristic, Partial, Problem, heuristic::named, shortlist::Shortlist};
use gridsat_model::{HostId, TaskId, Ticks};

/// The heuristic Max-Min.
pub struct MaxMin;

impl Heuristic for MaxMin {
    named!("maxmin", "Max-Min");

    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)> {
        run(problem).finish()
    }
}

/// Assigns all tasks by Max-Min.
pub(super) fn run<'a>(problem: &'a Problem<'a>) -> Partial<'a> {
    let mut partial = Partial::new(problem);
    let sites: Vec<u32> = problem.instance.hosts().map(|host| host.0).collect();
    let mut lists = Shortlist::of_all_tasks(&partial, &sites);
    let mut groups = Groups::new(&partial);
    for list in lists.iter().filter(|list| list.is_somewhere()) {
        groups.put(&partial, list.task, list.best.1);
    }
    while !partial.is_over() {
        let Some((bound, task)) = groups.pop_latest(&partial) else { break };
        let list = &mut lists[task.index()];
        list.refresh_best(&partial, &sites);
        match list.best {
            (completion, host) if completion == bound => {
                partial.assign(task, host);
                groups.update(&partial, host);
            }
            (_, host) if list.is_somewhere() => groups.put(&partial, task, host),
            _ => {}
        }
    }
    partial
}

/// The tasks that remember each host.
struct Groups {
    /// Longest first; of equal times the lowest task first.
    tasks: Vec<BinaryHeap<(Ticks, Reverse<TaskId>)>>,
    /// The bound of each heap's first task.
    tops: Vec<Bound>,
    /// The host from which the last task was removed.
    leader: HostId,
    /// At least the bounds of the first tasks of all other hosts.
    others: Bound,
}

type Bound = (Ticks, Reverse<TaskId>);

/// Smaller than the bound of any task.
const EMPTY: Bound = (Ticks(0), Reverse(TaskId(u32::MAX)));

impl Groups {
    fn new(partial: &Partial) -> Self {
        let m = partial.instance().host_count();
        let (leader, others) = (HostId(0), EMPTY);
        Self { tasks: vec![BinaryHeap::new(); m], tops: vec![EMPTY; m], leader, others }
    }

    fn put(&mut self, partial: &Partial, task: TaskId, host: HostId) {
        let time = partial.instance().time(task, host).expect("a host that completes the task");
        self.tasks[host.index()].push((time, Reverse(task)));
        self.update(partial, host);
    }

    /// Call this when the host or its heap has changed.
    fn update(&mut self, partial: &Partial, host: HostId) {
        let first = self.tasks[host.index()].peek();
        let bound = |&(time, task)| (partial.completion(host, time), task);
        let top = first.map_or(EMPTY, bound);
        self.tops[host.index()] = top;
        if host != self.leader {
            self.others = self.others.max(top);
        }
    }

    /// Removes the task with the largest bound; of equal bounds the lowest task.
    fn pop_latest(&mut self, partial: &Partial) -> Option<(Ticks, TaskId)> {
        if self.tops[self.leader.index()] <= self.others {
            self.find_leader(partial);
        }
        let (bound, Reverse(task)) = self.tops[self.leader.index()];
        self.tasks[self.leader.index()].pop()?;
        self.update(partial, self.leader);
        Some((bound, task))
    }
    /// Many tasks in turn leave a host that has got a task, so this is seldom needed.
    fn find_leader(&mut self, partial: &Partial) {
        let tops = || self.tops.iter().copied().zip(partial.instance().hosts());
        let (_, leader) = tops().max_by_key(|&(top, _)| top).expect("there is a host");
        self.leader = leader;
        let others = tops().filter(|&(_, host)| host != leader).map(|(top, _)| top);
        self.others = others.max().unwrap_or(EMPTY);
    }
}
