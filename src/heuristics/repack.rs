//! Towards a mapping with makespan ≤ k by re-packing two hosts at a time.
//!
//! What a mapping has too much is its *excess*, `Σ_h max(0, load_h − k)`. Take a host a and another
//! b, and put all their tasks on b; then move back to a the set that fits it by k and relieves b
//! most. That set is a knapsack, solved exactly, so a ends within k and b carries what excess the two
//! must have. The step is taken if that is no more than they had. Excess thus wanders from host to
//! host, never growing, until it meets a pair that can absorb it.
//!
//! When it is stuck, some tasks are thrown onto random hosts (a *kick*), and what comes of that is
//! kept if it is no worse than the best before: iterated local search.
//!
//! All choices are drawn from a seeded generator, and steps are counted, not timed.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::knapsack::{Item, pack};
use crate::model::{HostId, Instance, Mapping, TaskId, Ticks};

/// Pairs tried a host without less excess before a kick.
const PATIENCE: usize = 12;
/// Tasks thrown by a kick.
const KICK: usize = 3;
/// Steps times tasks in one call; a step takes about as long as it has tasks.
const WORK: usize = 600_000;
/// Few tasks have few mappings, and need fewer steps.
const STEPS_A_TASK: usize = 1000;
/// States looked at in one knapsack: a set that is not quite the best will do.
const EFFORT: usize = 20_000;

/// A mapping with makespan ≤ `k`, if it is found. `should_stop` is asked before every step.
pub fn repack(
    instance: &Instance,
    mapping: &Mapping,
    k: Ticks,
    seed: u64,
    should_stop: &dyn Fn() -> bool,
) -> Option<Mapping> {
    if instance.latest_ready() > k || instance.host_count() < 2 {
        return None;
    }
    let tasks = instance.task_count();
    let steps = (WORK / tasks).min(STEPS_A_TASK * tasks);
    Repacking::new(instance, mapping, k, seed).run(steps, should_stop)
}

/// The search of [`repack`], to be run in slices.
pub(super) struct Repacking<'a> {
    random: ChaCha8Rng,
    best: State<'a>,
    state: State<'a>,
    /// Steps since excess fell or tasks were thrown.
    failures: usize,
}

impl<'a> Repacking<'a> {
    /// Needs two hosts, all of them ready by `k`.
    pub(super) fn new(instance: &'a Instance, mapping: &Mapping, k: Ticks, seed: u64) -> Self {
        let best = State::new(instance, mapping, k);
        let random = ChaCha8Rng::seed_from_u64(seed);
        Self { random, state: best.clone(), best, failures: 0 }
    }

    /// Starts again from another mapping and towards another k.
    pub(super) fn restart(&mut self, mapping: &Mapping, k: Ticks) {
        self.best = State::new(self.best.instance, mapping, k);
        self.state = self.best.clone();
        self.failures = 0;
    }

    /// So many steps, or fewer if they reach k or `should_stop` says so.
    pub(super) fn run(&mut self, steps: usize, should_stop: &dyn Fn() -> bool) -> Option<Mapping> {
        for _ in 0..steps {
            if self.state.excess == 0 {
                return Mapping::new(self.state.instance, self.state.hosts.clone()).ok();
            }
            if should_stop() {
                return None;
            }
            if self.failures == PATIENCE * self.state.loads.len() {
                self.kick();
            }
            let before = self.state.excess;
            self.state.step(&mut self.random);
            self.failures = if self.state.excess < before { 0 } else { self.failures + 1 };
        }
        None
    }

    /// Throws some tasks of the best state, which may be this one.
    fn kick(&mut self) {
        if self.state.excess <= self.best.excess {
            self.best = self.state.clone();
        } else {
            self.state = self.best.clone();
        }
        (0..KICK).for_each(|_| self.state.throw(&mut self.random));
        self.failures = 0;
    }
}

#[derive(Clone)]
struct State<'a> {
    instance: &'a Instance,
    k: Ticks,
    hosts: Vec<HostId>,
    tasks: Vec<Vec<TaskId>>,
    loads: Vec<Ticks>,
    excess: Ticks,
}

impl<'a> State<'a> {
    fn new(instance: &'a Instance, mapping: &Mapping, k: Ticks) -> Self {
        let mut tasks = vec![Vec::new(); instance.host_count()];
        instance.tasks().for_each(|task| tasks[mapping.host(task).index()].push(task));
        let loads = mapping.loads().to_vec();
        let excess = loads.iter().map(|load| load.saturating_sub(k)).sum();
        Self { instance, k, hosts: mapping.hosts().to_vec(), tasks, loads, excess }
    }

    /// One pair: an overloaded host and any other, in either role; with no overloaded one, none.
    fn step(&mut self, random: &mut ChaCha8Rng) {
        let m = self.instance.host_count();
        let over: Vec<usize> = (0..m).filter(|&h| self.loads[h] > self.k).collect();
        if over.is_empty() {
            return;
        }
        let a = over[random.random_range(0..over.len())];
        let b = (a + random.random_range(1..m)) % m;
        if random.random_range(0..8) == 0 {
            self.repack(b, a);
        } else {
            self.repack(a, b);
        }
    }

    /// Throws a random task onto a random host that can run it.
    fn throw(&mut self, random: &mut ChaCha8Rng) {
        let task = TaskId(random.random_range(0..self.hosts.len()) as u32);
        let places: Vec<HostId> = self.instance.times(task).map(|(host, _)| host).collect();
        let (from, to) = (self.hosts[task.index()], places[random.random_range(0..places.len())]);
        if from == to {
            return;
        }
        let mut left = self.tasks[from.index()].clone();
        left.retain(|&other| other != task);
        let mut joined = self.tasks[to.index()].clone();
        joined.push(task);
        self.put((from.index(), left), (to.index(), joined));
    }

    /// Fills a within k so that b keeps as little as possible.
    fn repack(&mut self, a: usize, b: usize) {
        let (to, from) = (HostId(a as u32), HostId(b as u32));
        let mut room = self.k - self.instance.ready(to);
        let mut items = Vec::new();
        let (mut here, mut there) = (Vec::new(), Vec::new());
        for &task in self.tasks[a].iter().chain(&self.tasks[b]) {
            match (self.instance.time(task, to), self.instance.time(task, from)) {
                (Some(weight), Some(value)) => {
                    items.push(Item { name: task.0, value, weight });
                }
                (Some(time), None) => {
                    // It can only be on a; if that is full already, the pair cannot be re-packed.
                    let Some(rest) = room.checked_sub(time) else { return };
                    room = rest;
                    here.push(task);
                }
                _ => there.push(task),
            }
        }
        let packing = pack(&items, room, EFFORT);
        let mut is_here: Vec<u32> = packing.names;
        is_here.sort_unstable();
        for item in items {
            let is_in = is_here.binary_search(&item.name).is_ok();
            if is_in { &mut here } else { &mut there }.push(TaskId(item.name));
        }
        self.accept((a, here), (b, there));
    }

    /// Takes the new division of the two hosts' tasks unless it has more excess.
    fn accept(&mut self, (a, here): (usize, Vec<TaskId>), (b, there): (usize, Vec<TaskId>)) {
        let (load_a, load_b) = (self.load(a, &here), self.load(b, &there));
        let over = |load: Ticks| load.saturating_sub(self.k);
        let before = over(self.loads[a]) + over(self.loads[b]);
        if over(load_a) + over(load_b) <= before {
            self.put((a, here), (b, there));
        }
    }

    /// Gives the two hosts these tasks.
    fn put(&mut self, first: (usize, Vec<TaskId>), second: (usize, Vec<TaskId>)) {
        for (host, tasks) in [first, second] {
            let load = self.load(host, &tasks);
            self.excess -= self.loads[host].saturating_sub(self.k);
            self.excess += load.saturating_sub(self.k);
            self.loads[host] = load;
            tasks.iter().for_each(|task| self.hosts[task.index()] = HostId(host as u32));
            self.tasks[host] = tasks;
        }
    }

    fn load(&self, host: usize, tasks: &[TaskId]) -> Ticks {
        let host = HostId(host as u32);
        let time = |&task: &TaskId| self.instance.time(task, host).unwrap_or(0);
        self.instance.ready(host) + tasks.iter().map(time).sum::<Ticks>()
    }
}
