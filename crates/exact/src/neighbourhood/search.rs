//! The search for mappings: one dive for all tasks, then large neighbourhoods.
//!
//! In a state all loads end by k and some tasks are left out; the sum of their prices is the cost
//! of the state. A step empties some hosts and dives for their tasks and the tasks left out. The
//! new state replaces the old one even if it costs a little more, up to an amount drawn from an
//! exponential distribution. So the search can leave local optima.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::aim::{Aim, Next};
use super::choose;
use super::core::Core;
use super::dive::{Manner, dive};
use super::fit::Fitter;
use super::has_many_tasks;
use super::market::{Market, Stall};
use super::state::State;
use crate::knapsack::Packer;
use gridsat_model::{HostId, Instance, Mapping, Stop, TaskId, Ticks};

/// Price steps before the first dive.
const ROOT: usize = 150;
/// Their length falls geometrically from the first value to the second.
const ROOT_STEPS: (f64, f64) = (0.3, 0.01);
/// The weight of the latest packing in the shares during these steps.
const ROOT_PACE: f64 = 0.02;

/// Price steps before the dive in a neighbourhood.
const FIRST: usize = 20;
/// The parameters of all dives: few steps and many placements at a time, so that dives are quick,
/// because many of them follow each other.
const QUICK: Manner = Manner { steps: 3, step: 0.03, share: 0.18, pace: 0.1 };
/// The fraction by which the prices of the search move towards those found in a neighbourhood.
const FOLLOW: f64 = 0.3;

/// The mean amount by which a new state may cost more than the old one, in mean prices.
const TOLERANCE: f64 = 0.6;

/// States visited per knapsack, at most. Nearly optimal packings guide a dive as well as optimal
/// ones.
const EFFORT: usize = 3000;

/// The present state of the search, with the task prices and the next makespan to reach.
pub(crate) struct Search<'a> {
    instance: &'a Instance,
    core: Core,
    /// The price of each task.
    prices: Vec<f64>,
    aim: Aim,
    /// The smallest makespan known.
    best: Ticks,
    /// `None` before the first dive.
    state: Option<State>,
    packer: Packer,
    /// Fits in tasks left out. `None` without many tasks per host.
    fitter: Option<Fitter>,
    random: ChaCha8Rng,
    /// The number of items of all knapsacks solved so far, and of states of the fitter.
    work: u64,
}

impl<'a> Search<'a> {
    /// Takes the host weights of the linear bound. `bounds` are the best lower bound and the
    /// makespan of a known mapping.
    pub fn new(instance: &'a Instance, weights: &[u64], bounds: (Ticks, Ticks), seed: u64) -> Self {
        let (lower, upper) = bounds;
        let core = Core::new(instance, weights, upper);
        Self {
            instance,
            prices: core.prices.clone(),
            core,
            aim: Aim::new(lower, has_many_tasks(instance)),
            best: upper,
            state: None,
            packer: Packer::default(),
            fitter: has_many_tasks(instance).then(|| Fitter::new(instance, weights)),
            random: ChaCha8Rng::seed_from_u64(seed),
            work: 0,
        }
    }

    /// Searches until the knapsacks have had about `work` items, and with many tasks per host until
    /// the first success, because there steps are slow. Returns the best mapping found if
    /// it is better than `mapping`; `lower` is the best lower bound.
    pub fn run(
        &mut self,
        lower: Ticks,
        mapping: &Mapping,
        work: u64,
        stop: &Stop,
    ) -> Option<Mapping> {
        self.aim.lower = lower;
        self.best = mapping.makespan();
        self.start(mapping, stop)?;
        let end = self.work + work;
        let mut found = None;
        while self.work < end && self.best > lower && !stop.is_due() {
            if found.is_some() && self.fitter.is_some() {
                break;
            }
            let Some(state) = self.state.take() else { break };
            let next = self.step(&state, stop);
            let state = self.choose(state, next);
            found = self.consider(state, found.as_ref().unwrap_or(mapping), stop).or(found);
        }
        found
    }

    /// Dives for the first state, or makes a new one if another worker has reached its k. `None` if
    /// stopped or if a host is not ready by k.
    fn start(&mut self, mapping: &Mapping, stop: &Stop) -> Option<()> {
        let tasks_per_host = self.instance.task_count() as f64 / self.instance.host_count() as f64;
        if self.state.is_none() {
            let k = self.aim.first(self.best, tasks_per_host);
            self.state = self.dive(k, stop);
        }
        if self.state.as_ref()?.k >= self.best {
            let k = self.aim.found(self.best);
            self.state = State::of((self.instance, &self.core), mapping, k, &self.prices);
        }
        Some(())
    }

    /// A state at k from price steps and a dive over all tasks and hosts. `None` if stopped or if a
    /// host is not ready by k.
    fn dive(&mut self, k: Ticks, stop: &Stop) -> Option<State> {
        let state = State::empty(self.instance, k)?.with_fixed(&self.core);
        let hosts: Vec<usize> = (0..state.rooms.len()).collect();
        let tasks = state.left_out();
        let mut market = self.market(&state, &hosts, &tasks);
        for step in 0..ROOT {
            if stop.is_due() {
                return None;
            }
            let part = step as f64 / ROOT as f64;
            let length = ROOT_STEPS.0 * (ROOT_STEPS.1 / ROOT_STEPS.0).powf(part);
            market.step(length, ROOT_PACE, &mut self.packer);
        }
        for (&task, &price) in tasks.iter().zip(&market.prices) {
            self.prices[task] = price;
        }
        self.finish(state, market, &QUICK, stop)
    }

    /// Empties some hosts of a copy of the state and dives for their tasks and those left out.
    /// `None` if stopped.
    fn step(&mut self, state: &State, stop: &Stop) -> Option<State> {
        let mut state = state.clone();
        let hosts = choose::hosts(&self.core, &state, &mut self.random);
        hosts.iter().for_each(|&host| state.clear(self.instance, host));
        let tasks = state.left_out();
        let mut market = self.market(&state, &hosts, &tasks);
        for step in 0..FIRST {
            if stop.is_due() {
                return None;
            }
            let pace = (1.0 / (step + 1) as f64).max(QUICK.pace);
            market.step(QUICK.step, pace, &mut self.packer);
        }
        for (&task, &price) in tasks.iter().zip(&market.prices) {
            self.prices[task] += FOLLOW * (price - self.prices[task]);
        }
        self.finish(state, market, &QUICK, stop)
    }

    /// A market of these tasks and hosts, with the pairs of the core and the present prices.
    fn market(&self, state: &State, hosts: &[usize], tasks: &[usize]) -> Market {
        let mut stall_of = vec![usize::MAX; state.rooms.len()];
        let mut stalls = Vec::with_capacity(hosts.len());
        for &host in hosts {
            stall_of[host] = stalls.len();
            stalls.push(Stall::new(host, state.rooms[host]));
        }
        for (number, &task) in tasks.iter().enumerate() {
            for place in &self.core.places[task] {
                if let Some(stall) = stalls.get_mut(stall_of[place.host]) {
                    stall.offer(number, place.time);
                }
            }
        }
        let prices = tasks.iter().map(|&task| self.prices[task]).collect();
        Market::new(stalls, prices, EFFORT)
    }

    /// Dives for the tasks left out and places them accordingly. `None` if stopped.
    fn finish(
        &mut self,
        mut state: State,
        mut market: Market,
        manner: &Manner,
        stop: &Stop,
    ) -> Option<State> {
        let tasks = state.left_out();
        let places = dive(&mut market, manner, &mut self.packer, stop)?;
        self.work += market.work();
        for (&task, stall) in tasks.iter().zip(places) {
            let Some(stall) = stall else { continue };
            let host = market.stalls[stall].host;
            let time = self.instance.time(TaskId(task as u32), HostId(host as u32))?;
            state.put(&self.core, task, host, time.0);
        }
        state.insert(&self.core, &self.prices);
        Some(state)
    }

    /// The new state, unless it costs more than the old one by more than a random amount.
    fn choose(&mut self, old: State, new: Option<State>) -> State {
        let Some(new) = new else { return old };
        let mean = self.prices.iter().sum::<f64>() / self.prices.len() as f64;
        let luck = -self.random.random_range(f64::MIN_POSITIVE..1.0).ln();
        let most = old.cost(&self.prices) + TOLERANCE * mean * luck;
        if new.cost(&self.prices) <= most { new } else { old }
    }

    /// Continues from this state with the next k. Returns its mapping if it leaves no task out, or
    /// if those left out can be fitted in. `best` is the best mapping so far.
    fn consider(&mut self, mut state: State, best: &Mapping, stop: &Stop) -> Option<Mapping> {
        let found = state.mapping(self.instance).or_else(|| self.fit(&mut state, stop));
        let Some(found) = found else {
            self.state = self.go_on(state, best);
            return None;
        };
        self.best = found.makespan();
        let k = self.aim.found(self.best);
        self.state = State::of((self.instance, &self.core), &found, k, &self.prices);
        Some(found)
    }

    /// A mapping that fits in the tasks left out, if it is better than the best known. Otherwise
    /// the state becomes that mapping without tasks, if they cost less than those left out.
    fn fit(&mut self, state: &mut State, stop: &Stop) -> Option<Mapping> {
        let fitter = self.fitter.as_mut()?;
        let seed = self.random.random();
        let fitted = fitter.fit((self.instance, &self.core), state, seed, stop);
        self.work += fitter.take_effort();
        let fitted = fitted?;
        if fitted.makespan() < self.best {
            return Some(fitted);
        }
        let new = State::of((self.instance, &self.core), &fitted, state.k, &self.prices)?;
        if new.cost(&self.prices) < state.cost(&self.prices) {
            *state = new;
        }
        None
    }

    /// The state to continue from after a step that left tasks out.
    fn go_on(&mut self, mut state: State, best: &Mapping) -> Option<State> {
        match self.aim.failed(state.k, self.best) {
            Next::Same => {}
            Next::Raise(k) => {
                state.raise(k);
                state.insert(&self.core, &self.prices);
            }
            Next::Again(k) => {
                state = State::of((self.instance, &self.core), best, k, &self.prices)?
            }
        }
        Some(state)
    }
}
