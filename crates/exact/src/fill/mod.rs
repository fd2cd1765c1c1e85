//! A search for a mapping with makespan ≤ k that fills one host after the other.
//!
//! With host weights w of the linear bound, a task costs at least `min_h w_h·p_th`, and the room
//! of all hosts until k is worth `Σ_h w_h·(k − ready_h)`. The difference is the *budget*: what
//! a mapping may waste by leaving room empty or by placing tasks on dearer hosts. At the last tick
//! the budget is less than a tick or two per host, so that in a mapping nearly every host is full.
//!
//! Such a set of tasks for one host is the solution of a knapsack, and there are many of them. The
//! difficulty is that they share tasks: the last hosts get what is left. So the search keeps hosts
//! that are filled with little waste, which leaves nearly all of the budget to the others. A step
//! empties some hosts, wasteful ones rather than others, and fills them and those still empty again
//! in random order, with a beam of partial fillings (`beam`). States are compared by an *energy*:
//! the waste of filled hosts and what the tasks that are left are likely to waste (`soft`), less a
//! fixed worth for every filled host. A new state may have a little more energy than the old one.
//!
//! Tables of knapsacks have one entry per tick, so this is for small makespans ([`Fill::new`]). It
//! is the method for times that depend on the task far more than on the host, where walks
//! ([`crate::walk`]) find the last tick seldom.

mod beam;
mod costs;
mod soft;
#[cfg(test)]
mod tests;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use self::beam::{Beam, Task};
use self::costs::Costs;
use crate::walk::Times;
use gridsat_model::{HostId, Instance, Mapping, Stop, Ticks};

/// The largest room of a host, in ticks: the length of a table.
const MOST_ROOM: usize = 4096;
/// Filled hosts emptied in one step: at least and at most.
const EMPTIED: (usize, usize) = (5, 14);
/// What a filled host is worth, compared with the worth at which the state without filled hosts has
/// as much energy as one that wastes the whole budget.
const WORTH: f64 = 1.6;
/// The mean energy that a step may add, in ticks of mean weight times β.
const HEAT: f64 = 0.5;
/// What a host that wastes nothing counts for in the choice of hosts, in ticks of waste.
const THRIFTY: f64 = 0.5;
/// What a host that shares no task with an empty one counts for, in shared tasks.
const STRANGER: f64 = 0.3;

/// The hosts filled so far, and what is left.
pub(crate) struct Fill<'a> {
    instance: &'a Instance,
    costs: Costs,
    /// The tasks of each host; `None` if it is empty. Tasks of no host are left over.
    filled: Vec<Option<Vec<usize>>>,
    /// Of the present state.
    energy: i64,
    /// Of the soft regrets, per tick.
    beta: f64,
    /// What a filled host is worth.
    worth: i64,
    beam: Beam,
    random: ChaCha8Rng,
}

impl<'a> Fill<'a> {
    /// Starts with empty hosts. `None` if a host has too much room for tables, or is not ready by
    /// k, or if the weights show that there is no such mapping.
    pub fn new(
        (instance, times): (&'a Instance, &Times),
        k: Ticks,
        weights: &[f64],
        seed: u64,
    ) -> Option<Self> {
        let room = |host| usize::try_from(instance.capacity(host, k)?.0).ok();
        let rooms: Option<Vec<usize>> = instance.hosts().map(room).collect();
        let rooms = rooms.filter(|rooms| rooms.iter().all(|&room| room <= MOST_ROOM))?;
        let filled = vec![None; rooms.len()];
        let costs = Costs::new(times, rooms, weights)?;
        let (energy, beta) = (i64::MAX, soft::beta(&costs));
        let worth = worth(&costs, beta);
        let (beam, random) = (Beam::default(), ChaCha8Rng::seed_from_u64(seed));
        Some(Self { instance, costs, filled, energy, beta, worth, beam, random })
    }

    /// Takes steps until the tables have had about `effort` entries. Returns a mapping if all hosts
    /// are filled.
    pub fn go(&mut self, effort: u64, stop: &Stop) -> Option<Mapping> {
        let end = self.beam.effort + effort;
        while self.beam.effort < end && !stop.is_due() {
            self.step(stop);
            if self.filled.iter().all(Option::is_some) {
                return self.mapping();
            }
        }
        None
    }

    /// Empties some hosts and fills them and the empty ones again.
    fn step(&mut self, stop: &Stop) {
        let empty: Vec<usize> = self.hosts(Option::is_none);
        let pool = self.pool(&empty);
        let mut order = empty.clone();
        order.extend(self.chosen(&empty, &pool));
        order.shuffle(&mut self.random);
        let pool = self.pool(&order);
        let filled = (0..self.filled.len()).filter(|host| !order.contains(host));
        let wasted: i64 = filled.map(|host| self.waste(host)).sum();
        let task = Task {
            costs: &self.costs,
            order: &order,
            pool: &pool,
            budget: self.costs.budget - wasted,
            beta: self.beta,
            worth: self.worth,
        };
        let Some(found) = self.beam.fill(&task, &mut self.random, stop) else { return };
        let kept = (self.filled.len() - order.len()) as i64;
        let energy = found.energy + wasted - kept * self.worth;
        let luck = -self.random.random_range(f64::MIN_POSITIVE..1.0).ln();
        let is_full = found.columns.len() == order.len();
        let most = self.energy.saturating_add(Costs::of_ticks(HEAT * luck / self.beta));
        if energy > most && !is_full {
            return;
        }
        self.energy = energy;
        order.iter().for_each(|&host| self.filled[host] = None);
        for (host, tasks) in order.into_iter().zip(found.columns) {
            self.filled[host] = Some(tasks);
        }
    }

    fn hosts(&self, is_wanted: impl Fn(&Option<Vec<usize>>) -> bool) -> Vec<usize> {
        (0..self.filled.len()).filter(|&host| is_wanted(&self.filled[host])).collect()
    }

    /// The tasks of these hosts and of none, in ascending order.
    fn pool(&self, hosts: &[usize]) -> Vec<usize> {
        let mut is_placed = vec![false; self.costs.task_count()];
        let kept = self.filled.iter().enumerate().filter(|(host, _)| !hosts.contains(host));
        for &task in kept.filter_map(|(_, tasks)| tasks.as_ref()).flatten() {
            is_placed[task] = true;
        }
        (0..is_placed.len()).filter(|&task| !is_placed[task]).collect()
    }

    fn waste(&self, host: usize) -> i64 {
        self.filled[host].as_ref().map_or(0, |tasks| self.costs.waste(host, tasks))
    }

    /// Some filled hosts to empty, drawn in proportion to their waste and to the number of tasks
    /// that they could exchange with the empty ones, whose tasks are `pool`.
    fn chosen(&mut self, empty: &[usize], pool: &[usize]) -> Vec<usize> {
        let count = self.random.random_range(EMPTIED.0..=EMPTIED.1);
        let mut drawn: Vec<(f64, usize)> = Vec::new();
        for host in self.hosts(Option::is_some) {
            let waste = self.costs.ticks(self.waste(host)) + THRIFTY;
            let weight = waste * (self.exchanges(host, empty, pool) as f64 + STRANGER);
            // The least of exponential variables with these rates is a draw in proportion.
            let luck = -self.random.random_range(f64::MIN_POSITIVE..1.0).ln();
            drawn.push((luck / weight, host));
        }
        drawn.sort_by(|one, other| one.0.total_cmp(&other.0));
        drawn.into_iter().take(count).map(|(_, host)| host).collect()
    }

    /// How many tasks could change between this host and the empty ones without much regret.
    fn exchanges(&self, host: usize, empty: &[usize], pool: &[usize]) -> usize {
        let costs = &self.costs;
        let comes = pool.iter().filter(|&&task| costs.is_near(task, host)).count();
        let tasks = self.filled[host].iter().flatten();
        let goes = |&task: &usize| empty.iter().filter(|&&to| costs.is_near(task, to)).count();
        comes + tasks.map(goes).sum::<usize>()
    }

    fn mapping(&self) -> Option<Mapping> {
        let mut hosts = vec![None; self.costs.task_count()];
        for (host, tasks) in self.filled.iter().enumerate() {
            tasks.iter().flatten().for_each(|&task| hosts[task] = Some(HostId(host as u32)));
        }
        let hosts: Option<Vec<HostId>> = hosts.into_iter().collect();
        Mapping::new(self.instance, hosts?).ok()
    }
}

/// The worth of a filled host.
fn worth(costs: &Costs, beta: f64) -> i64 {
    let hosts: Vec<usize> = (0..costs.rooms.len()).collect();
    let tasks: Vec<usize> = (0..costs.task_count()).collect();
    let regrets = soft::regrets(costs, &hosts, &tasks, (beta, costs.budget));
    let start: i64 = regrets[0].iter().sum();
    ((costs.budget - start) as f64 / hosts.len() as f64 * WORTH) as i64
}
