//! Improves a mapping with moves and swaps.
//!
//! A step takes a host h and moves one of its tasks to another host g, or swaps one of its tasks
//! with one of g's, such that the larger of the two loads falls, or stays while their sum falls.
//! Each step makes the sorted vector of loads lexicographically smaller, so the search ends; the
//! makespan never grows. Hosts are tried from the most loaded down, because relieving a less loaded
//! host can make room for the most loaded one. Of the steps off one host, the one with the smallest
//! larger load is taken or, if host weights are given, the one with the smallest weighted cost. A
//! step is evaluated in O(1), and host h, with n_h tasks, has O(n_h·(n + m)) of them.
//!
//! Not here: methods that accept a worse mapping on the way to a better one.

use std::cmp::Reverse;

use gridsat_model::{HostId, Instance, Mapping, Stop, TaskId, Ticks};

/// Most steps per task. At 512 tasks on 16 hosts about one per task is usual.
const STEPS_PER_TASK: usize = 4;

/// Improves the mapping until no single move or swap helps, the limit of steps is reached, or it is
/// stopped. Deterministic unless stopped.
pub fn improve(instance: &Instance, mapping: Mapping, stop: &Stop) -> Mapping {
    run(instance, mapping, Taste::Balance, Ticks::ZERO, stop, &mut || true)
}

/// Like [`improve`], but also ends once the makespan is at most `goal` or this many steps have been
/// evaluated.
pub fn improve_to(
    instance: &Instance,
    mapping: Mapping,
    goal: Ticks,
    mut evaluations: u64,
    stop: &Stop,
) -> Mapping {
    let mut may_judge = || {
        evaluations = evaluations.saturating_sub(1);
        evaluations > 0
    };
    run(instance, mapping, Taste::Balance, goal, stop, &mut may_judge)
}

/// Like [`improve`], but calls `may_judge` before it evaluates a step, and ends at the first
/// `false`. With a counter in that function the work is bounded exactly.
pub fn improve_while(
    instance: &Instance,
    mapping: Mapping,
    may_judge: &mut impl FnMut() -> bool,
) -> Mapping {
    run(instance, mapping, Taste::Balance, Ticks::ZERO, &Stop::never(), may_judge)
}

/// Like [`improve`], but prefers steps of the smallest cost by host weights, one per host, such as
/// those of a linear lower bound.
///
/// # Panics
///
/// If there are fewer weights than hosts.
pub fn improve_by_weights(
    instance: &Instance,
    mapping: Mapping,
    weights: &[u64],
    stop: &Stop,
) -> Mapping {
    run(instance, mapping, Taste::Weights(weights), Ticks::ZERO, stop, &mut || true)
}

fn run(
    instance: &Instance,
    mapping: Mapping,
    taste: Taste,
    goal: Ticks,
    stop: &Stop,
    may_judge: &mut impl FnMut() -> bool,
) -> Mapping {
    let mut search = Descent::new(instance, &mapping, taste);
    // From a poor start there are many steps, and another start is better than following them.
    for _ in 0..STEPS_PER_TASK * instance.task_count() {
        if search.loads.iter().all(|&load| load <= goal) {
            break;
        }
        let Some(step) = search.best_step(stop, may_judge) else { break };
        search.take(step);
    }
    Mapping::new(instance, search.hosts).expect("steps use possible pairs only")
}

/// `task` moves from its host to `to`; `back`, if any, moves the other way.
#[derive(Clone, Copy)]
struct Move {
    task: TaskId,
    to: HostId,
    back: Option<TaskId>,
}

/// The order in which steps off a host are preferred.
#[derive(Clone, Copy)]
enum Taste<'a> {
    /// The smallest larger load, then the smallest sum.
    Balance,
    /// The smallest increase of `Σ_h w_h·load_h`, then as above.
    Weights(&'a [u64]),
}

/// The larger of two loads, then their sum.
type Outcome = (Ticks, Ticks);

type Best = Option<((i128, Outcome), Move)>;

struct Descent<'a> {
    instance: &'a Instance,
    taste: Taste<'a>,
    hosts: Vec<HostId>,
    loads: Vec<Ticks>,
    /// Time of each task on its current host.
    current: Vec<Ticks>,
}

impl<'a> Descent<'a> {
    fn new(instance: &'a Instance, mapping: &Mapping, taste: Taste<'a>) -> Self {
        let time = |task| instance.time(task, mapping.host(task));
        Self {
            instance,
            taste,
            hosts: mapping.hosts().to_vec(),
            loads: mapping.loads().to_vec(),
            current: instance
                .tasks()
                .map(|task| time(task).expect("mappings use possible pairs only"))
                .collect(),
        }
    }

    /// The best step off the most loaded host that has one.
    fn best_step(&self, stop: &Stop, may_judge: &mut impl FnMut() -> bool) -> Option<Move> {
        let mut order: Vec<HostId> = self.instance.hosts().collect();
        order.sort_by_key(|host| Reverse(self.loads[host.index()]));
        let mut hosts = order.into_iter().take_while(|_| !stop.is_due());
        hosts.find_map(|host| self.best_step_off(host, stop, may_judge))
    }

    fn best_step_off(
        &self,
        from: HostId,
        stop: &Stop,
        may_judge: &mut impl FnMut() -> bool,
    ) -> Option<Move> {
        let times_here: Vec<Option<Ticks>> =
            self.instance.tasks().map(|task| self.instance.time(task, from)).collect();
        let mut best = None;
        let mut leavers = self.instance.tasks().filter(|t| self.hosts[t.index()] == from);
        // Ends early only when no further step may be evaluated.
        leavers.all(|task| {
            !stop.is_due()
                && self.try_moves(task, from, &mut best, may_judge)
                && self.try_swaps(task, from, &times_here, &mut best, may_judge)
        });
        best.map(|(_, step)| step)
    }

    /// False once no further step may be evaluated.
    fn try_moves(
        &self,
        task: TaskId,
        from: HostId,
        best: &mut Best,
        may_judge: &mut impl FnMut() -> bool,
    ) -> bool {
        let here = self.loads[from.index()] - self.current[task.index()];
        for (to, time) in self.instance.times(task).filter(|&(to, _)| to != from) {
            if !may_judge() {
                return false;
            }
            let there = self.loads[to.index()] + time;
            let back = None;
            self.judge(Move { task, to, back }, (from, here), (to, there), best);
        }
        true
    }

    /// False once no further step may be evaluated.
    fn try_swaps(
        &self,
        task: TaskId,
        from: HostId,
        times_here: &[Option<Ticks>],
        best: &mut Best,
        may_judge: &mut impl FnMut() -> bool,
    ) -> bool {
        let left = self.loads[from.index()] - self.current[task.index()];
        for (back, &time_here) in self.instance.tasks().zip(times_here) {
            let to = self.hosts[back.index()];
            let Some(here) = time_here.filter(|_| to != from).map(|time| left + time) else {
                continue;
            };
            if !may_judge() {
                return false;
            }
            // Most swaps fail on this host alone; the other one needs another look-up.
            if here > self.now(from, to).0 {
                continue;
            }
            if let Some(time_there) = self.instance.time(task, to) {
                let there = self.loads[to.index()] - self.current[back.index()] + time_there;
                let back = Some(back);
                self.judge(Move { task, to, back }, (from, here), (to, there), best);
            }
        }
        true
    }

    /// Keeps the step if it helps and is better than the best. Hosts come with their new loads.
    fn judge(&self, step: Move, from: (HostId, Ticks), to: (HostId, Ticks), best: &mut Best) {
        let outcome = outcome(from.1, to.1);
        if outcome >= self.now(from.0, to.0) {
            return;
        }
        let rank = (self.cost(from) + self.cost(to), outcome);
        if best.is_none_or(|(least, _)| rank < least) {
            *best = Some((rank, step));
        }
    }

    /// The change of the weighted sum through the new load of the host.
    fn cost(&self, (host, load): (HostId, Ticks)) -> i128 {
        match self.taste {
            Taste::Balance => 0,
            Taste::Weights(weights) => {
                let more = i128::from(load) - i128::from(self.loads[host.index()]);
                i128::from(weights[host.index()]) * more
            }
        }
    }

    /// The loads of the two hosts that a step must improve on.
    fn now(&self, from: HostId, to: HostId) -> Outcome {
        outcome(self.loads[from.index()], self.loads[to.index()])
    }

    fn take(&mut self, step: Move) {
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
