//! Tabu search with short and long hops (Braun et al. 2001).
//!
//! A short hop gives one task, or two at once, new hosts such that the makespan falls; the first
//! such change found is taken. If there is none the mapping is a local minimum. It is added to the
//! tabu list, and a long hop leads to a random mapping that differs from every mapping on the list
//! in at least half of its tasks. The search ends after `hops` hops of both kinds.
//!
//! A pair of tasks of which neither is on the most loaded host cannot lower the makespan, so such
//! pairs are skipped; that changes no result. After a short hop the scan continues with the same
//! task rather than with the first: it ends when all tasks in turn have given no improvement. With
//! n_h tasks on the most loaded host a whole scan costs O(n·n_h·m²).

use rand_chacha::ChaCha8Rng;

use super::{Run, Search, Start, State};
use gridsat_model::{HostId, TaskId};

/// Draws of a long hop before a mapping that is too close is taken: with few hosts there may be no
/// other.
const DRAWS: u32 = 100;

/// Tabu search and its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tabu {
    /// The mapping it starts from.
    pub start: Start,
    /// Number of short and long hops together.
    pub hops: u64,
}

impl Tabu {
    /// Starts from the mapping of Min-Min.
    pub const FROM_MIN_MIN: Self = Self { start: Start::MIN_MIN, hops: 1200 };

    /// Starts from a random mapping, as in Braun et al. 2001.
    pub const BRAUN: Self = Self { start: Start::Random, ..Self::FROM_MIN_MIN };
}

impl Search for Tabu {
    fn start(&self) -> Start {
        self.start
    }

    fn search(&self, run: &mut Run) {
        let mut random = run.random(0);
        let mut state = State::new(run.instance(), &run.best());
        let mut list: Vec<Vec<HostId>> = Vec::new();
        let mut hops = 0;
        loop {
            hops += short_hops(&mut state, self.hops - hops, run);
            if hops >= self.hops || run.is_over() || !run.may_evaluate(state.hosts().len()) {
                return;
            }
            list.push(state.hosts().to_vec());
            state = long_hop(&state, &list, &mut random);
            run.offer(&state);
            hops += 1;
        }
    }
}

/// Takes short hops down to a local minimum, at most `allowed`; returns their number.
fn short_hops(state: &mut State, allowed: u64, run: &mut Run) -> u64 {
    let n = state.hosts().len();
    let mut critical = critical_tasks(state);
    let (mut hops, mut idle, mut t) = (0, 0, 0);
    while idle < n && hops < allowed {
        match short_hop(state, TaskId(t), &critical, run) {
            Some((one, other)) => {
                state.take(one.0, one.1);
                other.into_iter().for_each(|(task, host)| state.take(task, host));
                run.offer(state);
                critical = critical_tasks(state);
                (hops, idle) = (hops + 1, 0);
            }
            None if run.is_over() => break,
            None => {
                idle += 1;
                t = (t + 1) % n as u32;
            }
        }
    }
    hops
}

/// The tasks on the most loaded host, in order.
fn critical_tasks(state: &State) -> Vec<TaskId> {
    let tasks = state.instance().tasks();
    tasks.filter(|&task| state.host(task) == state.most_loaded()).collect()
}

type Hop = ((TaskId, HostId), Option<(TaskId, HostId)>);

/// The first change of this task, alone or with a later one, that lowers the makespan.
fn short_hop(state: &State, task: TaskId, critical: &[TaskId], run: &mut Run) -> Option<Hop> {
    if state.host(task) == state.most_loaded() {
        let later = (task.0 + 1..state.hosts().len() as u32).map(TaskId);
        hop_alone(state, task, run).or_else(|| hop_with(state, task, later, run))
    } else {
        let later = &critical[critical.partition_point(|&other| other <= task)..];
        hop_with(state, task, later.iter().copied(), run)
    }
}

fn hop_alone(state: &State, task: TaskId, run: &mut Run) -> Option<Hop> {
    let makespan = state.makespan();
    let mut hosts = state.instance().times(task).map(|(host, _)| host);
    let is_better = |host: &HostId| {
        run.may_evaluate(1) && state.after_move(task, *host).is_some_and(|after| after < makespan)
    };
    hosts.find(is_better).map(|host| ((task, host), None))
}

fn hop_with(
    state: &State,
    task: TaskId,
    others: impl Iterator<Item = TaskId>,
    run: &mut Run,
) -> Option<Hop> {
    let (instance, makespan) = (state.instance(), state.makespan());
    for other in others {
        for (host, _) in instance.times(task) {
            let one = (task, host);
            for (host, _) in instance.times(other) {
                if !run.may_evaluate(1) {
                    return None;
                }
                let other = (other, host);
                if state.after_two(one, other).is_some_and(|after| after < makespan) {
                    return Some((one, Some(other)));
                }
            }
        }
    }
    None
}

fn long_hop<'a>(state: &State<'a>, list: &[Vec<HostId>], random: &mut ChaCha8Rng) -> State<'a> {
    let instance = state.instance();
    let is_far = |mapping: &[HostId]| {
        list.iter().all(|tabu| {
            let changed = tabu.iter().zip(mapping).filter(|(a, b)| a != b).count();
            2 * changed >= mapping.len()
        })
    };
    let mut mapping = Start::Random.map(instance, random);
    for _ in 0..DRAWS {
        if is_far(mapping.hosts()) {
            break;
        }
        mapping = Start::Random.map(instance, random);
    }
    State::new(instance, &mapping)
}
