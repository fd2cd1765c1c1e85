//! Slow versions of the heuristics, written directly from their definitions: after every assignment
//! every pair is evaluated again.

pub mod hosts;

use gridsat_heuristics::{HostState, Problem};
use gridsat_model::{HostId, TaskId, Ticks};

pub type Assigned = Vec<(TaskId, HostId)>;

/// Hosts in their current state, and the tasks left.
pub struct Loop<'a> {
    problem: &'a Problem<'a>,
    hosts: Vec<HostState>,
    left: Vec<TaskId>,
    made: Assigned,
}

/// Completions of a task on hosts of different sites, earliest first, ties by host.
type Ends = [(Ticks, HostId)];

impl<'a> Loop<'a> {
    fn new(problem: &'a Problem<'a>) -> Self {
        let left = problem.instance.tasks().collect();
        Self { problem, hosts: problem.hosts.clone(), left, made: Vec::new() }
    }

    fn is_over(&self) -> bool {
        let least = self.hosts.iter().map(HostState::delay).min().expect("hosts");
        self.problem.until.is_some_and(|until| least > until)
    }

    fn ends(&self, task: TaskId, sites: &[u32]) -> Vec<(Ticks, HostId)> {
        let times = self.problem.instance.times(task);
        let ends = times.map(|(h, time)| (self.hosts[h.index()].completion(time), h));
        let mut ends: Vec<_> = ends.filter(|&(end, _)| end != Ticks::MAX).collect();
        ends.sort_unstable();
        let mut seen = Vec::new();
        ends.retain(|(_, h)| {
            let site = sites[h.index()];
            let is_new = !seen.contains(&site);
            seen.push(site);
            is_new
        });
        ends
    }

    fn assign(&mut self, task: TaskId, host: HostId) {
        let time = self.problem.instance.time(task, host).expect("possible");
        self.hosts[host.index()].assign(time);
        self.left.retain(|&t| t != task);
        self.made.push((task, host));
    }
}

/// The general loop: the task with the largest key goes to its best host, lower tasks first.
pub fn one_by_one<K: Ord>(
    problem: &Problem,
    sites: &[u32],
    key: impl Fn(TaskId, &Ends) -> K,
) -> Assigned {
    let mut state = Loop::new(problem);
    while !state.is_over() {
        let mut chosen: Option<(K, TaskId, HostId)> = None;
        for &task in &state.left {
            let ends = state.ends(task, sites);
            let Some(&(_, host)) = ends.first() else { continue };
            let key = key(task, &ends);
            if chosen.as_ref().is_none_or(|(largest, _, _)| key > *largest) {
                chosen = Some((key, task, host));
            }
        }
        let Some((_, task, host)) = chosen else { break };
        state.assign(task, host);
    }
    state.made
}

/// The second best site's completion minus the best one's.
pub fn suffering(ends: &Ends) -> Ticks {
    ends.get(1).map_or(Ticks::MAX, |second| second.0 - ends[0].0)
}

/// Sufferage in passes.
pub fn sufferage(problem: &Problem, sites: &[u32]) -> Assigned {
    let mut state = Loop::new(problem);
    while !state.is_over() {
        let mut holders: Vec<Option<(Ticks, TaskId)>> = vec![None; state.hosts.len()];
        for &task in &state.left {
            let ends = state.ends(task, sites);
            let Some(&(_, host)) = ends.first() else { continue };
            let holder = &mut holders[host.index()];
            if holder.is_none_or(|(held, _)| held < suffering(&ends)) {
                *holder = Some((suffering(&ends), task));
            }
        }
        let held = problem.instance.hosts().zip(holders);
        let held: Vec<_> = held.filter_map(|(host, held)| Some((held?.1, host))).collect();
        if held.is_empty() {
            break;
        }
        held.into_iter().for_each(|(task, host)| state.assign(task, host));
    }
    state.made
}
