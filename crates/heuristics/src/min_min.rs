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
    let mut queues = queues(partial, &tasks.collect::<Vec<_>>());
    if partial.is_stopped() {
        return;
    }
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

/// The tasks a host can run, shortest first. Their times are looked up when they are offered, so
/// that large instances take 4 bytes per pair.
struct Queue {
    host: HostId,
    tasks: Vec<TaskId>,
    /// All tasks before this index have been assigned.
    next: usize,
    /// `None` if the host cannot complete any of the tasks left.
    offer: Option<Offer>,
}

/// One queue per host; none for the hosts after a stop.
fn queues(partial: &Partial, tasks: &[TaskId]) -> Vec<Queue> {
    let instance = partial.instance();
    let mut sorted: Vec<(Ticks, TaskId)> = Vec::with_capacity(tasks.len());
    let queue = |host| {
        sorted.clear();
        let times = tasks.iter().filter_map(|&task| Some((instance.time(task, host)?, task)));
        sorted.extend(times);
        sorted.sort_unstable();
        let tasks = sorted.iter().map(|&(_, task)| task).collect();
        Queue { host, tasks, next: 0, offer: None }
    };
    instance.hosts().take_while(|_| !partial.is_stopped()).map(queue).collect()
}

impl Queue {
    fn offer_next(&mut self, partial: &Partial, is_left: &[bool]) {
        let mut tasks = self.tasks[self.next..].iter();
        self.next += tasks.by_ref().take_while(|task| !is_left[task.index()]).count();
        self.offer = self.tasks.get(self.next).and_then(|&task| {
            let time = partial.instance().time(task, self.host)?;
            let completion = partial.completion(self.host, time);
            (completion != Ticks::MAX).then_some((completion, task, self.host))
        });
    }
}
