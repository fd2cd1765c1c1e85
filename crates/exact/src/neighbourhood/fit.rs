//! Fits in the tasks that a dive left out, by repacking small groups of hosts.
//!
//! A dive places nearly all tasks with little regret, but leaves a few out although the hosts
//! together have room for them. Here these tasks are placed nevertheless, so that some hosts end
//! after k. Then groups of a few hosts, most of them with such a host, are repacked such that
//! overflow and regret shrink. Less regret means more free room, which later steps need.
//!
//! Only tasks that may move within the group by the core take part, a few of hundreds. So a step
//! takes some microseconds.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::core::{Core, Place};
use super::state::State;
use crate::walk::{Duals, Group, Repacker, Times};
use gridsat_model::{HostId, Instance, Mapping, Stop};

/// The most hosts of a group.
const WIDTH: usize = 6;
/// States kept per task when a group is repacked.
const BEAM: usize = 100;
/// What a tick of overflow costs, in ticks of load on the same host.
const DEAR: f64 = 3.0;
/// One group in this many, on average, starts at any host, and the others at one that ends after k.
const ANY: u32 = 5;
/// States visited per call, at most, and how many are added per step so that calls end.
const EFFORT: u64 = 200_000;
const STEP: u64 = 20;

/// What all calls share.
pub(super) struct Fitter {
    times: Times,
    duals: Duals,
    repacker: Repacker,
    /// The effort of the repacker that was reported last.
    reported: u64,
}

impl Fitter {
    pub fn new(instance: &Instance, weights: &[u64]) -> Self {
        let weights: Vec<f64> = weights.iter().map(|&weight| weight as f64).collect();
        let (times, duals) = (Times::new(instance), Duals::from_weights(&weights));
        Self { times, duals, repacker: Repacker::default(), reported: 0 }
    }

    /// The states visited since the last call of this function.
    pub fn take_effort(&mut self) -> u64 {
        let effort = self.repacker.effort - self.reported;
        self.reported = self.repacker.effort;
        effort
    }

    /// A mapping near the state, which may end after its k. `None` if the tasks left out cost more
    /// than all the room that is free, so that k is out of reach.
    pub fn fit(
        &mut self,
        (instance, core): (&Instance, &Core),
        state: &State,
        seed: u64,
        stop: &Stop,
    ) -> Option<Mapping> {
        let weights = &self.duals.weights;
        let cost = |place: &Place| weights[place.host] * place.time as f64;
        let out = state.left_out();
        let needed: f64 = out.iter().filter_map(|&task| core.places[task].first()).map(cost).sum();
        let free: f64 = state.rooms.iter().zip(weights).map(|(&r, w)| r as f64 * w).sum();
        if free < needed {
            return None;
        }
        let mut packing = Packing {
            core,
            times: &self.times,
            duals: &self.duals,
            rooms: state.rooms.iter().map(|&room| room as i64).collect(),
            hosts: state.hosts.iter().map(|host| host.unwrap_or(0)).collect(),
            tasks: state.tasks.clone(),
            random: ChaCha8Rng::seed_from_u64(seed),
        };
        packing.squeeze(out)?;
        let end = self.repacker.effort + EFFORT;
        while self.repacker.effort < end && !stop.is_due() {
            let Some(hosts) = packing.group() else { break };
            packing.repack(&hosts, &mut self.repacker);
            self.repacker.effort += STEP;
        }
        let hosts = packing.hosts.into_iter().map(|host| HostId(host as u32)).collect();
        Mapping::new(instance, hosts).ok()
    }
}

/// A host for each task. Hosts may end after k.
struct Packing<'a> {
    core: &'a Core,
    times: &'a Times,
    duals: &'a Duals,
    /// The ticks from the end of each host to k; negative if it ends later.
    rooms: Vec<i64>,
    /// The host of each task.
    hosts: Vec<usize>,
    /// The tasks of each host that may move.
    tasks: Vec<Vec<usize>>,
    random: ChaCha8Rng,
}

impl Packing<'_> {
    /// Places the tasks left out, those of most cost first, where they cost least together with
    /// the overflow. `None` if one has no host.
    fn squeeze(&mut self, mut out: Vec<usize>) -> Option<()> {
        let Self { core, duals, .. } = *self;
        let least = |task: usize| core.places[task].first().map_or(0.0, |place| place.cost);
        out.sort_by(|&a, &b| least(b).total_cmp(&least(a)).then(a.cmp(&b)));
        for task in out {
            let cost = |place: &&Place| {
                let over = (place.time as i64 - self.rooms[place.host].max(0)).max(0) as f64;
                duals.weights[place.host] * (place.time as f64 + over)
            };
            let places = core.places[task].iter();
            let place = places.min_by(|a, b| cost(a).total_cmp(&cost(b)))?;
            self.rooms[place.host] -= place.time as i64;
            self.hosts[task] = place.host;
            self.tasks[place.host].push(task);
        }
        Some(())
    }

    /// Some hosts in order of decreasing weight, each of which suits a task of another. `None` if
    /// all hosts end by k.
    fn group(&mut self) -> Option<Vec<usize>> {
        let Self { core, random, .. } = self;
        let m = self.rooms.len();
        let over: Vec<usize> = (0..m).filter(|&host| self.rooms[host] < 0).collect();
        let mut first = *over.choose(random)?;
        if random.random_ratio(1, ANY) {
            first = random.random_range(0..m);
        }
        let width = random.random_range(2..=WIDTH).min(m);
        let mut hosts = vec![first];
        for _ in 0..4 * width {
            if hosts.len() == width {
                break;
            }
            let from = *hosts.choose(random)?;
            let Some(&task) = self.tasks[from].choose(random) else { continue };
            let Some(place) = core.places[task].choose(random) else { continue };
            if !hosts.contains(&place.host) {
                hosts.push(place.host);
            }
        }
        let weights = &self.duals.weights;
        hosts.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
        Some(hosts)
    }

    /// Packs the tasks again that may move within the group.
    fn repack(&mut self, hosts: &[usize], repacker: &mut Repacker) {
        let pool = self.pool(hosts);
        if pool.is_empty() {
            return;
        }
        let mut rooms: Vec<i64> = hosts.iter().map(|&host| self.rooms[host]).collect();
        let overflow = rooms.iter().map(|&room| (-room).max(0)).fold(0, i64::saturating_add);
        for &task in &pool {
            let host = self.hosts[task];
            let index = hosts.iter().position(|&other| other == host);
            index.into_iter().for_each(|index| rooms[index] += self.time(task, host));
        }
        let counts = vec![0; hosts.len()];
        let group = Group { hosts, rooms: &rooms, counts: &counts, pool: &pool, overflow };
        let (times, duals) = (self.times, self.duals);
        let Some(packed) = repacker.repack_cheaply((times, duals), &group, BEAM, DEAR) else {
            return;
        };
        for (task, host) in pool.into_iter().zip(packed.hosts) {
            self.put(task, host);
        }
    }

    /// The tasks of these hosts that another of them suits.
    fn pool(&self, hosts: &[usize]) -> Vec<usize> {
        let moves = |&task: &usize| {
            let mut places = self.core.places[task].iter();
            places.any(|place| place.host != self.hosts[task] && hosts.contains(&place.host))
        };
        let tasks = hosts.iter().flat_map(|&host| &self.tasks[host]).copied();
        tasks.filter(moves).collect()
    }

    fn time(&self, task: usize, host: usize) -> i64 {
        self.times.get(task, host).unwrap_or(0)
    }

    fn put(&mut self, task: usize, to: usize) {
        let from = self.hosts[task];
        if from != to {
            self.rooms[from] += self.time(task, from);
            self.rooms[to] -= self.time(task, to);
            self.tasks[from].retain(|&other| other != task);
            self.tasks[to].push(task);
            self.hosts[task] = to;
        }
    }
}
