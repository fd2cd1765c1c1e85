//! Towards a mapping with makespan ≤ k by re-packing two hosts at a time.
//!
//! What a mapping has too much is its *excess*, `Σ_h max(0, load_h − k)`. Take a host a and another
//! b, and put all their tasks on b; then move back to a the set that fits it by k and relieves b
//! most. That set is a knapsack, solved exactly, so a ends within k and b carries what excess the two
//! must have. The step is taken if that is no more than they had. Excess thus wanders from host to
//! host, never growing, until it meets a pair that can absorb it.
//!
//! Hosts are drawn from a seeded generator; nothing else is random.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::knapsack::{Item, pack};
use crate::model::{HostId, Instance, Mapping, TaskId, Ticks};

/// Tries so many pairs a host in a row without less excess before it gives up.
const PATIENCE: usize = 400;

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
    let mut search = Search::new(instance, mapping, k, seed);
    let mut failures = 0;
    while search.excess > 0 {
        if failures >= PATIENCE * instance.host_count() || should_stop() {
            return None;
        }
        let before = search.excess;
        search.step();
        failures = if search.excess < before { 0 } else { failures + 1 };
    }
    Mapping::new(instance, search.hosts).ok()
}

struct Search<'a> {
    instance: &'a Instance,
    k: Ticks,
    random: ChaCha8Rng,
    hosts: Vec<HostId>,
    tasks: Vec<Vec<TaskId>>,
    loads: Vec<Ticks>,
    excess: Ticks,
}

impl<'a> Search<'a> {
    fn new(instance: &'a Instance, mapping: &Mapping, k: Ticks, seed: u64) -> Self {
        let mut tasks = vec![Vec::new(); instance.host_count()];
        instance.tasks().for_each(|task| tasks[mapping.host(task).index()].push(task));
        let loads = mapping.loads().to_vec();
        let excess = loads.iter().map(|load| load.saturating_sub(k)).sum();
        let (hosts, random) = (mapping.hosts().to_vec(), ChaCha8Rng::seed_from_u64(seed));
        Self { instance, k, random, hosts, tasks, loads, excess }
    }

    /// One pair: an overloaded host and any other, in either role.
    fn step(&mut self) {
        let m = self.instance.host_count();
        let over: Vec<usize> = (0..m).filter(|&h| self.loads[h] > self.k).collect();
        let a = over[self.random.random_range(0..over.len())];
        let b = (a + self.random.random_range(1..m)) % m;
        if self.random.random_range(0..8) == 0 {
            self.repack(b, a);
        } else {
            self.repack(a, b);
        }
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
        let packing = pack(&mut items.clone(), room, EFFORT);
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
        let after = over(load_a) + over(load_b);
        if after > before {
            return;
        }
        self.excess = self.excess - before + after;
        (self.loads[a], self.loads[b]) = (load_a, load_b);
        here.iter().for_each(|task| self.hosts[task.index()] = HostId(a as u32));
        there.iter().for_each(|task| self.hosts[task.index()] = HostId(b as u32));
        (self.tasks[a], self.tasks[b]) = (here, there);
    }

    fn load(&self, host: usize, tasks: &[TaskId]) -> Ticks {
        let host = HostId(host as u32);
        let time = |&task: &TaskId| self.instance.time(task, host).unwrap_or(0);
        self.instance.ready(host) + tasks.iter().map(time).sum::<Ticks>()
    }
}
