//! Iterated greedy (Ruiz and Stützle 2007; for unrelated hosts Fanjul-Peyro and Ruiz 2010).
//!
//! Each round removes some tasks, inserts them again one by one where they are completed first, and
//! improves the mapping by local search. The result replaces the mapping if it is not worse, or,
//! with a worse makespan, with probability `exp(-(new - old) / T)` at a constant T.

use libm::exp;
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::local::descend;
use super::multi_start::insert;
use super::start::random_task;
use super::{Run, Search};
use gridsat_model::{Instance, Mapping, TaskId, Ticks};
use gridsat_statistics::random::unit;

/// Iterated greedy. The parameters are our choice, not tuned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IteratedGreedy {
    /// Rounds of removal and insertion.
    pub rounds: u64,
    /// Tasks removed per round; all tasks if there are fewer.
    pub removed: usize,
    /// T, as a share of the makespan.
    pub temperature: f64,
}

impl IteratedGreedy {
    /// A thousand rounds, 8 tasks each.
    pub const THOUSAND: Self = Self { rounds: 1000, removed: 8, temperature: 1e-4 };

    fn accepts(&self, old: Ticks, new: Ticks, random: &mut ChaCha8Rng) -> bool {
        let temperature = self.temperature * old.as_f64();
        new <= old || unit(random) < exp(-(new - old).as_f64() / temperature)
    }
}

impl Search for IteratedGreedy {
    fn search(&self, run: &mut Run) {
        let instance = run.instance();
        let mut random = run.random(0);
        let mut mapping = descend(run.best(), run);
        for _ in 0..self.rounds {
            if !run.may_evaluate(instance.task_count()) {
                return;
            }
            let rebuilt = rebuild(instance, &mapping, self.removed, &mut random);
            let improved = descend(rebuilt, run);
            if self.accepts(mapping.makespan(), improved.makespan(), &mut random) {
                mapping = improved;
            }
        }
    }
}

/// Removes tasks and inserts them in random order. The first one comes from the most loaded host.
fn rebuild(
    instance: &Instance,
    mapping: &Mapping,
    removed: usize,
    random: &mut ChaCha8Rng,
) -> Mapping {
    let mut tasks = choose(instance, mapping, removed.min(instance.task_count()), random);
    let (mut hosts, mut loads) = (mapping.hosts().to_vec(), mapping.loads().to_vec());
    for &task in &tasks {
        let host = mapping.host(task);
        loads[host.index()] -= instance.time(task, host).expect("mappings use possible pairs");
    }
    tasks.shuffle(random);
    insert(instance, &tasks, &mut hosts, &mut loads);
    Mapping::new(instance, hosts).expect("possible pairs")
}

/// This many different tasks, at random.
fn choose(
    instance: &Instance,
    mapping: &Mapping,
    count: usize,
    random: &mut ChaCha8Rng,
) -> Vec<TaskId> {
    let makespan = mapping.makespan();
    let is_last = |task: &TaskId| mapping.loads()[mapping.host(*task).index()] == makespan;
    let last: Vec<TaskId> = instance.tasks().filter(is_last).collect();
    let mut chosen = Vec::with_capacity(count);
    // The list is empty if a host without tasks is ready later than all others end.
    if !last.is_empty() && count > 0 {
        chosen.push(last[random.random_range(0..last.len())]);
    }
    while chosen.len() < count {
        let task = random_task(instance, random);
        if !chosen.contains(&task) {
            chosen.push(task);
        }
    }
    chosen
}
