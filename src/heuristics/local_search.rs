//! Polishing a mapping with moves and swaps.
//!
//! A step takes a host h and moves one of its tasks to another host g, or swaps one of its tasks
//! with one of g's, such that the larger of the two loads falls, or stays while their sum falls.
//! Each step makes the sorted vector of loads lexicographically smaller, so the search ends; the
//! makespan never grows. Hosts are tried from the most loaded down, because relieving a lesser host
//! can make room for the most loaded one. Of the steps off one host the one with the lowest larger
//! load, then the lowest sum, is taken. A step costs O(1) to judge and a host has O(n_h·(n + m)).
//!
//! Not here: anything that accepts a worse mapping on the way to a better one.

use std::cmp::Reverse;

use crate::model::{HostId, Instance, Mapping, TaskId, Ticks};

/// Improves the mapping until no single move or swap helps or `should_stop` says so.
/// Deterministic unless stopped.
pub fn improve(instance: &Instance, mapping: Mapping, should_stop: &dyn Fn() -> bool) -> Mapping {
    let mut search = Search::new(instance, &mapping);
    while let Some(step) = search.best_step(should_stop) {
        search.take(step);
    }
    Mapping::new(instance, search.hosts).expect("steps use possible pairs only")
}

/// `task` leaves its host for `to`; `back`, if any, comes from there in exchange.
#[derive(Clone, Copy)]
struct Step {
    task: TaskId,
    to: HostId,
    back: Option<TaskId>,
}

/// What a step leads to, best first: the larger of the two loads, then their sum.
type Outcome = (Ticks, Ticks);

struct Search<'a> {
    instance: &'a Instance,
    hosts: Vec<HostId>,
    loads: Vec<Ticks>,
    /// Time of each task where it is now.
    current: Vec<Ticks>,
}

impl<'a> Search<'a> {
    fn new(instance: &'a Instance, mapping: &Mapping) -> Self {
        let time = |task| instance.time(task, mapping.host(task));
        Self {
            instance,
            hosts: mapping.hosts().to_vec(),
            loads: mapping.loads().to_vec(),
            current: instance
                .tasks()
                .map(|task| time(task).expect("mappings use possible pairs only"))
                .collect(),
        }
    }

    /// The best step off the most loaded host that has one.
    fn best_step(&self, should_stop: &dyn Fn() -> bool) -> Option<Step> {
        let mut order: Vec<HostId> = self.instance.hosts().collect();
        order.sort_by_key(|host| Reverse(self.loads[host.index()]));
        order.into_iter().take_while(|_| !should_stop()).find_map(|host| self.best_step_off(host))
    }

    fn best_step_off(&self, from: HostId) -> Option<Step> {
        let times_here: Vec<Option<Ticks>> =
            self.instance.tasks().map(|task| self.instance.time(task, from)).collect();
        let mut best = ((Ticks::MAX, Ticks::MAX), None);
        let leavers = self.instance.tasks().filter(|t| self.hosts[t.index()] == from);
        for task in leavers {
            self.try_moves(task, from, &mut best);
            self.try_swaps(task, from, &times_here, &mut best);
        }
        best.1
    }

    fn try_moves(&self, task: TaskId, from: HostId, best: &mut (Outcome, Option<Step>)) {
        let left = self.loads[from.index()] - self.current[task.index()];
        for (to, time) in self.instance.times(task).filter(|&(to, _)| to != from) {
            let outcome = outcome(left, self.loads[to.index()] + time);
            if outcome < best.0.min(self.now(from, to)) {
                let back = None;
                *best = (outcome, Some(Step { task, to, back }));
            }
        }
    }

    fn try_swaps(
        &self,
        task: TaskId,
        from: HostId,
        times_here: &[Option<Ticks>],
        best: &mut (Outcome, Option<Step>),
    ) {
        let left = self.loads[from.index()] - self.current[task.index()];
        for (back, &time_here) in self.instance.tasks().zip(times_here) {
            let to = self.hosts[back.index()];
            let Some(here) = time_here.filter(|_| to != from).map(|time| left + time) else {
                continue;
            };
            let limit = best.0.min(self.now(from, to));
            // Most swaps fail on this side alone; the other needs another look-up.
            if here > limit.0 {
                continue;
            }
            if let Some(time_there) = self.instance.time(task, to) {
                let there = self.loads[to.index()] - self.current[back.index()] + time_there;
                let outcome = outcome(here, there);
                if outcome < limit {
                    let back = Some(back);
                    *best = (outcome, Some(Step { task, to, back }));
                }
            }
        }
    }

    /// What a step between the hosts must beat.
    fn now(&self, from: HostId, to: HostId) -> Outcome {
        outcome(self.loads[from.index()], self.loads[to.index()])
    }

    fn take(&mut self, step: Step) {
        let from = self.hosts[step.task.index()];
        self.put(step.task, step.to);
        if let Some(back) = step.back {
            self.put(back, from);
        }
    }

    fn put(&mut self, task: TaskId, host: HostId) {
        let t = task.index();
        self.loads[self.hosts[t].index()] -= self.current[t];
        self.current[t] = self.instance.time(task, host).expect("a possible pair");
        self.loads[host.index()] += self.current[t];
        self.hosts[t] = host;
    }
}

fn outcome(one: Ticks, other: Ticks) -> Outcome {
    (one.max(other), one + other)
}
