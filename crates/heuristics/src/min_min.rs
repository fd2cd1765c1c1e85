//! Min-Min: repeatedly, of all tasks left, the one that can be completed first goes to the host
//! that completes it first.
//!
//! The textbook loop evaluates every pair again for every assignment, O(n²·m). But on one host
//! tasks are completed in the order of their base times, whatever else the host has. So each host
//! sorts the tasks once and offers the first one left. The offer with the least completion, then
//! task, then host is chosen. This changes only the offers of the same host and of the same task:
//! O(n·m·log n), nearly all of it sorting. Nothing is assumed about how completions change.

use super::{Heuristic, Partial, Problem, heuristic::named};
use gridsat_model::{HostId, TaskId, Ticks};

/// The heuristic Min-Min.
pub struct MinMin;

impl Heuristic for MinMin {
    named!("minmin", "Min-Min");

    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)> {
        run(problem).finish()
    }
}

/// Assigns all tasks by Min-Min.
pub(super) fn run<'a>(problem: &'a Problem<'a>) -> Partial<'a> {
    let mut partial = Partial::new(problem);
    assign_some(&mut partial, problem.instance.tasks());
    partial
}

/// Assigns these tasks by Min-Min, after those that have hosts already.
pub(super) fn assign_some(partial: &mut Partial, tasks: impl Iterator<Item = TaskId>) {
    if partial.is_over() {
        return;
    }
    let mut is_left = vec![true; partial.instance().task_count()];
    let mut queues = queues(partial, tasks);
    queues.iter_mut().for_each(|queue| queue.offer_next(partial, &is_left));
    while let Some((_, task, host)) = queues.iter().filter_map(|queue| queue.offer).min() {
        partial.assign(task, host);
        is_left[task.index()] = false;
        if partial.is_over() {
            return;
        }
        let is_stale = |offer: Offer| offer.1 == task || offer.2 == host;
        let stale = queues.iter_mut().filter(|queue| queue.offer.is_some_and(is_stale));
        stale.for_each(|queue| queue.offer_next(partial, &is_left));
    }
}

/// Completion time, task and host of a possible assignment.
type Offer = (Ticks, TaskId, HostId);

/// The tasks a host can run, shortest first.
struct Queue {
    host: HostId,
    tasks: Vec<(Ticks, TaskId)>,
    /// All tasks before this index have been assigned.
    next: usize,
    /// `None` if the host cannot complete any of the tasks left.
    offer: Option<Offer>,
}

fn queues(partial: &Partial, tasks: impl Iterator<Item = TaskId>) -> Vec<Queue> {
    let instance = partial.instance();
    let empty = |host| Queue { host, tasks: Vec::new(), next: 0, offer: None };
    let mut queues: Vec<Queue> = instance.hosts().map(empty).collect();
    for task in tasks {
        instance.times(task).for_each(|(h, time)| queues[h.index()].tasks.push((time, task)));
    }
    queues.iter_mut().for_each(|queue| queue.tasks.sort_unstable());
    queues
}

impl Queue {
    fn offer_next(&mut self, partial: &Partial, is_left: &[bool]) {
        let mut tasks = self.tasks[self.next..].iter();
        self.next += tasks.by_ref().take_while(|(_, task)| !is_left[task.index()]).count();
        self.offer = self.tasks.get(self.next).and_then(|&(time, task)| {
            let completion = partial.completion(self.host, time);
            (completion != Ticks::MAX).then_some((completion, task, self.host))
        });
    }
}
