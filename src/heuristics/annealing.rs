//! Simulated annealing over moves and swaps (Kirkpatrick et al., 1983), guided by host weights.
//!
//! With an aim k a little below the best makespan the cost of a mapping is
//!
//! ```text
//! Σ_h w_h·(load_h − k)   where load_h > k,     β·Σ_h w_h·(load_h − k)   elsewhere (no more than 0)
//! ```
//!
//! With the weights of the linear bound, `Σ_h w_h·load_h` is a constant plus the *waste*: how much
//! more than at its cheapest host each task costs. So β = 0 asks for nothing but loads within k, and
//! β > 0 also for little waste, which leaves room to repair what is still above. Cycles alternate
//! between both. A pair that alone wastes more than k leaves room for is in no mapping that ends by
//! k, and is not tried.
//!
//! A step is judged in O(1) from the two loads it changes. Floats steer, integers count: loads and
//! makespans are exact. Random numbers and temperatures need no library function that could differ
//! between machines.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::model::{HostId, Instance, Mapping, TaskId, Ticks};

/// Temperatures of a cycle.
const STAGES: u64 = 64;
/// From one to the next: 64 of them cool to a fortieth.
const COOLING: f64 = 0.944;
/// The first temperature as a part of the slack.
const HOT: f64 = 0.02;
/// Temperatures below this many ticks freeze everything.
const COLDEST: f64 = 0.15;
/// Steps of the first cycle and of the longest; a cycle that finds nothing is followed by one half
/// as long again.
const CYCLE: u64 = 300_000;
const LONGEST: u64 = 30_000_000;
/// β of every other cycle.
const THRIFT: f64 = 0.3;
/// Aims go below the best makespan by this part of what is known to be possible.
const AIM: Ticks = 16;
/// A host without weight still must not be overloaded.
const LEAST_WEIGHT: f64 = 0.01;

/// A load and what it costs.
#[derive(Clone, Copy)]
struct Load {
    ticks: Ticks,
    cost: f64,
}

pub(super) struct Annealing<'a> {
    instance: &'a Instance,
    /// One a host, one on average.
    weights: Vec<f64>,
    random: ChaCha8Rng,
    hosts: Vec<HostId>,
    loads: Vec<Load>,
    /// The best makespan, which a mapping must stay below to count.
    limit: Ticks,
    /// Hosts with a load not below the limit.
    above: usize,
    aim: Ticks,
    thrift: f64,
    /// Where each task may go, and who may come to each host.
    places: Vec<Vec<HostId>>,
    comers: Vec<Vec<TaskId>>,
    temperature: f64,
    cycle: u64,
    /// Steps left in this cycle.
    left: u64,
    has_improved: bool,
}

impl<'a> Annealing<'a> {
    pub(super) fn new(
        instance: &'a Instance,
        mapping: &Mapping,
        weights: &[u64],
        seed: u64,
    ) -> Self {
        let mut annealing = Self {
            instance,
            weights: on_average_one(weights, instance.host_count()),
            random: ChaCha8Rng::seed_from_u64(seed),
            hosts: Vec::new(),
            loads: Vec::new(),
            limit: mapping.makespan(),
            above: 0,
            aim: mapping.makespan(),
            thrift: THRIFT,
            places: Vec::new(),
            comers: Vec::new(),
            temperature: 0.0,
            cycle: CYCLE,
            left: 0,
            has_improved: true,
        };
        annealing.start_from(mapping);
        annealing
    }

    /// Goes on from this mapping.
    pub(super) fn start_from(&mut self, mapping: &Mapping) {
        self.hosts = mapping.hosts().to_vec();
        self.loads = mapping.loads().iter().map(|&ticks| Load { ticks, cost: 0.0 }).collect();
        self.judge_all();
    }

    /// From now on only makespans below `limit` count.
    pub(super) fn must_beat(&mut self, limit: Ticks) {
        self.limit = limit;
        self.has_improved = true;
        self.judge_all();
    }

    /// So many steps, or fewer if they find a makespan below the limit.
    pub(super) fn run(&mut self, goal: Ticks, steps: u64) -> Option<Mapping> {
        for _ in 0..steps {
            if self.left == 0 {
                self.start_cycle(goal);
            }
            if self.left.is_multiple_of((self.cycle / STAGES).max(1)) {
                self.temperature = (self.temperature * COOLING).max(COLDEST);
            }
            self.left -= 1;
            self.step();
            if self.above == 0 {
                return Mapping::new(self.instance, self.hosts.clone()).ok();
            }
        }
        None
    }

    fn start_cycle(&mut self, goal: Ticks) {
        if !self.has_improved {
            self.cycle = (self.cycle + self.cycle / 2).min(LONGEST);
        }
        self.has_improved = false;
        self.thrift = THRIFT - self.thrift;
        self.left = self.cycle;
        let missing = self.limit.saturating_sub(goal);
        self.aim = self.limit.saturating_sub((missing / AIM).max(1));
        let slack = self.choose_pairs();
        self.temperature = (HOT * slack).max(1.0);
        self.judge_all();
    }

    /// Keeps the pairs that a mapping within the aim can have, and returns the weighted room that
    /// the cheapest hosts leave.
    fn choose_pairs(&mut self) -> f64 {
        let rows: Vec<_> = self.instance.tasks().map(|task| self.costs(task)).collect();
        let least = |row: &[(HostId, f64)]| row.iter().map(|r| r.1).fold(f64::INFINITY, f64::min);
        let room = |h: HostId| self.instance.capacity(h, self.aim).unwrap_or(0) as f64;
        let room: f64 = self.instance.hosts().map(|h| self.weights[h.index()] * room(h)).sum();
        let slack = (room - rows.iter().map(|row| least(row)).sum::<f64>()).max(0.0);
        self.comers = vec![Vec::new(); self.instance.host_count()];
        self.places.clear();
        for (task, row) in self.instance.tasks().zip(&rows) {
            let most = least(row) + slack;
            let places = row.iter().filter(|&&(_, cost)| cost <= most).map(|&(host, _)| host);
            let places: Vec<HostId> = places.collect();
            places.iter().for_each(|host| self.comers[host.index()].push(task));
            self.places.push(places);
        }
        slack
    }

    /// The weighted times of a task where it ends within the aim; of all if it does so nowhere.
    fn costs(&self, task: TaskId) -> Vec<(HostId, f64)> {
        let all = self.instance.times(task);
        let all = all.map(|(h, time)| (h, time, self.weights[h.index()] * time as f64));
        let fits = |&(h, time, _): &(HostId, Ticks, f64)| self.instance.ready(h) + time <= self.aim;
        let (within, beyond): (Vec<_>, Vec<_>) = all.partition(fits);
        let row = if within.is_empty() { beyond } else { within };
        row.into_iter().map(|(host, _, cost)| (host, cost)).collect()
    }

    /// A random task moves, or, three times in four, is swapped.
    fn step(&mut self) {
        let task = TaskId(self.below(self.hosts.len()) as u32);
        if self.random.random::<u32>().is_multiple_of(4) {
            self.try_move(task);
        } else {
            self.try_swap(task);
        }
    }

    fn try_move(&mut self, task: TaskId) {
        let from = self.hosts[task.index()];
        let place = self.below(self.places[task.index()].len());
        let to = self.places[task.index()][place];
        let (Some(here), Some(there)) = (self.time(task, from), self.time(task, to)) else {
            return;
        };
        if from == to {
            return;
        }
        let left = self.loads[from.index()].ticks - here;
        let joined = self.loads[to.index()].ticks + there;
        if self.accept((from, left), (to, joined)) {
            self.hosts[task.index()] = to;
        }
    }

    /// With a task that may come to this one's host.
    fn try_swap(&mut self, task: TaskId) {
        let from = self.hosts[task.index()];
        let comers = self.comers[from.index()].len();
        if comers == 0 {
            return;
        }
        let comer = self.below(comers);
        let back = self.comers[from.index()][comer];
        let to = self.hosts[back.index()];
        if from == to {
            return;
        }
        let (Some(out), Some(there)) = (self.time(task, from), self.time(task, to)) else {
            return;
        };
        let (Some(gone), Some(here)) = (self.time(back, to), self.time(back, from)) else {
            return;
        };
        let load = self.loads[from.index()].ticks - out + here;
        let other = self.loads[to.index()].ticks - gone + there;
        if self.accept((from, load), (to, other)) {
            self.hosts[task.index()] = to;
            self.hosts[back.index()] = from;
        }
    }

    fn time(&self, task: TaskId, host: HostId) -> Option<Ticks> {
        self.instance.time(task, host)
    }

    /// Sets the loads of two hosts unless that costs more than chance allows.
    fn accept(&mut self, first: (HostId, Ticks), second: (HostId, Ticks)) -> bool {
        let new = [self.judge(first), self.judge(second)];
        let hosts = [first.0.index(), second.0.index()];
        let now: f64 = hosts.iter().map(|&h| self.loads[h].cost).sum();
        let more = new[0].cost + new[1].cost - now;
        if more > 0.0 && more > self.temperature * self.exponential() {
            return false;
        }
        for (host, load) in hosts.into_iter().zip(new) {
            self.above -= usize::from(self.loads[host].ticks >= self.limit);
            self.above += usize::from(load.ticks >= self.limit);
            self.loads[host] = load;
        }
        true
    }

    fn judge(&self, (host, ticks): (HostId, Ticks)) -> Load {
        let weight = self.weights[host.index()];
        let cost = match ticks.checked_sub(self.aim) {
            Some(excess) => weight * excess as f64,
            None => -self.thrift * weight * (self.aim - ticks) as f64,
        };
        Load { ticks, cost }
    }

    fn judge_all(&mut self) {
        for host in self.instance.hosts() {
            self.loads[host.index()] = self.judge((host, self.loads[host.index()].ticks));
        }
        self.above = self.loads.iter().filter(|load| load.ticks >= self.limit).count();
    }

    /// A random index below `n`; the bias of the multiplication does not matter here.
    fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.random.random::<u32>()) * n as u64) >> 32) as usize
    }

    /// Nearly exponentially distributed with mean one: −ln u, with log₂ linear between powers of
    /// two.
    fn exponential(&mut self) -> f64 {
        let u = self.random.random::<u64>() | 1;
        let zeros = u.leading_zeros();
        let mantissa = (u << zeros) as f64 / (1_u64 << 63) as f64;
        (f64::from(zeros) + 2.0 - mantissa) * std::f64::consts::LN_2
    }
}

/// The weights in proportion; all one if there are none.
fn on_average_one(weights: &[u64], hosts: usize) -> Vec<f64> {
    let total: f64 = weights.iter().map(|&w| w as f64).sum();
    if weights.len() != hosts || total <= 0.0 {
        return vec![1.0; hosts];
    }
    weights.iter().map(|&w| (w as f64 * hosts as f64 / total).max(LEAST_WEIGHT)).collect()
}
