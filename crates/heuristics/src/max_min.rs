//! Max-Min: like Min-Min, but of all tasks left the one whose earliest completion is *latest* goes
//! first, so that long tasks do not come last.
//!
//! Each task remembers a host that was once best for it. Its completion there is an upper bound on
//! its earliest completion, and among the tasks that remember one host the bounds are in the order
//! of base times, whatever else the host has. So each host keeps these tasks in a heap. Only the
//! task with the largest bound of all is evaluated on all hosts: if it really completes that late
//! it is chosen, otherwise it moves to the heap of its best host. An evaluation costs O(m); the
//! other tasks cost nothing. Nothing is assumed about how completions change.
//!
//! Consistent matrices need the most evaluations, because there all tasks compete for the same
//! hosts.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Heuristic, Partial, Problem, heuristic::named, partial::Completion};
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
    let mut groups = Groups::new(&partial);
    for task in problem.instance.tasks() {
        if let Some((_, host)) = best(&partial, task) {
            groups.put(&partial, task, host);
        }
    }
    while !partial.is_over() {
        let Some((bound, task)) = groups.pop_latest(&partial) else { break };
        match best(&partial, task) {
            Some((completion, host)) if completion == bound => {
                partial.assign(task, host);
                groups.update(&partial, host);
            }
            Some((_, host)) => groups.put(&partial, task, host),
            None => {}
        }
    }
    partial
}

/// The task's earliest completion; `None` if no host completes it.
fn best(partial: &Partial, task: TaskId) -> Option<Completion> {
    // Of equal completions the first has the lowest host.
    let first = partial.completions(task).min_by_key(|&(completion, _)| completion);
    first.filter(|&(completion, _)| completion != Ticks::MAX)
}

/// The tasks that remember each host.
struct Groups {
    /// Longest first; of equal times the lowest task first.
    tasks: Vec<BinaryHeap<(Ticks, Reverse<TaskId>)>>,
    /// The bound of each heap's first task.
    tops: Vec<(Ticks, Reverse<TaskId>)>,
}

/// Smaller than the bound of any task.
const EMPTY: (Ticks, Reverse<TaskId>) = (Ticks(0), Reverse(TaskId(u32::MAX)));

impl Groups {
    fn new(partial: &Partial) -> Self {
        let m = partial.instance().host_count();
        Self { tasks: vec![BinaryHeap::new(); m], tops: vec![EMPTY; m] }
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
        self.tops[host.index()] = first.map_or(EMPTY, bound);
    }

    /// Removes the task with the largest bound; of equal bounds the lowest task.
    fn pop_latest(&mut self, partial: &Partial) -> Option<(Ticks, TaskId)> {
        let hosts = partial.instance().hosts();
        let (&(bound, Reverse(task)), host) =
            self.tops.iter().zip(hosts).max_by_key(|&(top, _)| top)?;
        self.tasks[host.index()].pop()?;
        self.update(partial, host);
        Some((bound, task))
    }
}
