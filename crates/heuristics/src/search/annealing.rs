//! Simulated annealing: one random move at a time; worse mappings are accepted while the
//! temperature is high.
//!
//! A better makespan is always accepted; a worse one if a random number in [0, 1) is above
//! `1 / (1 + exp((old - new) / T))`, that is, half the time while T is large and never when it is
//! small. The temperature falls by a factor after each plateau.
//!
//! Braun et al. (2001) start from a random mapping with T equal to its makespan and cool after
//! every single move, so a run is a few hundred moves; this is [`Annealing::BRAUN`]. The default is
//! slower: it starts from Min-Min at a temperature that is small compared to the makespan, and
//! takes many steps at each temperature.
//!
//! A step of Braun et al. moves a random task to a random host. On plateaus every other step starts
//! from the most loaded host, because no other can lower the makespan, and every other step swaps
//! two tasks.

use libm::exp;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::start::{random_host, random_task};
use super::{Run, Search, Start, State};
use gridsat_model::{HostId, Instance, TaskId, Ticks};
use gridsat_statistics::random::unit;

/// The steps between two changes of temperature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plateau {
    /// One random move.
    Move,
    /// This many moves and swaps per task.
    StepsATask(u32),
}

/// One change of the mapping.
#[derive(Clone, Copy)]
enum Step {
    Move(TaskId, HostId),
    Swap(TaskId, TaskId),
}

/// Simulated annealing and its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Annealing {
    /// The mapping it starts from.
    pub start: Start,
    /// First temperature, as a share of the makespan of the start.
    pub hottest: f64,
    /// The run ends when the temperature is below this share of the makespan of the start.
    pub coldest: f64,
    /// The temperature is multiplied by this after each plateau.
    pub cooling: f64,
    /// Steps at one temperature.
    pub plateau: Plateau,
    /// The run ends after this many plateaus in which the makespan has not changed.
    pub patience: u64,
}

impl Annealing {
    /// The default. The parameters are our choice, from a few trials at 512 tasks on 16 hosts.
    pub const SLOW: Self = Self {
        start: Start::MIN_MIN,
        hottest: 0.003,
        coldest: 1e-5,
        cooling: 0.99,
        plateau: Plateau::StepsATask(64),
        patience: 20,
    };

    /// As in Braun et al. 2001: temperature from the makespan, reduced by a tenth after each move;
    /// ends after 150 moves without change or near temperature zero.
    pub const BRAUN: Self = Self {
        start: Start::Random,
        hottest: 1.0,
        coldest: 1e-9,
        cooling: 0.9,
        plateau: Plateau::Move,
        patience: 150,
    };

    fn steps(&self, instance: &Instance) -> u64 {
        match self.plateau {
            Plateau::Move => 1,
            Plateau::StepsATask(steps) => u64::from(steps) * instance.task_count() as u64,
        }
    }

    fn step(&self, state: &State, random: &mut ChaCha8Rng) -> Step {
        let instance = state.instance();
        let mut task = random_task(instance, random);
        if self.plateau != Plateau::Move {
            if random.random_bool(0.5) {
                task = on_most_loaded(state, task);
            }
            if random.random_bool(0.5) {
                return Step::Swap(task, random_task(instance, random));
            }
        }
        Step::Move(task, random_host(instance, task, random))
    }
}

/// The next task at or after this one that is on the most loaded host; this one if there is none.
fn on_most_loaded(state: &State, task: TaskId) -> TaskId {
    let host = state.most_loaded();
    if state.load(host) == state.instance().ready(host) {
        return task;
    }
    let n = state.hosts().len() as u32;
    let mut round = (task.0..n).chain(0..task.0).map(TaskId);
    round.find(|&task| state.host(task) == host).unwrap_or(task)
}

impl Step {
    fn makespan(self, state: &State) -> Option<Ticks> {
        match self {
            Self::Move(task, to) => state.after_move(task, to),
            Self::Swap(one, other) => state.after_swap(one, other),
        }
    }

    fn take(self, state: &mut State) {
        match self {
            Self::Move(task, to) => state.take(task, to),
            Self::Swap(one, other) => {
                let (here, there) = (state.host(one), state.host(other));
                state.take(one, there);
                state.take(other, here);
            }
        }
    }
}

impl Search for Annealing {
    fn start(&self) -> Start {
        self.start
    }

    fn search(&self, run: &mut Run) {
        let mut random = run.random(0);
        let mut state = State::new(run.instance(), &run.best());
        let steps = self.steps(run.instance());
        let scale = state.makespan().as_f64();
        let (mut share, mut waited) = (self.hottest, 0);
        while share >= self.coldest && waited < self.patience {
            let before = state.makespan();
            for _ in 0..steps {
                if !run.may_evaluate(1) {
                    return;
                }
                let step = self.step(&state, &mut random);
                let temperature = share * scale;
                let is_accepted = |new| accepts(state.makespan(), new, temperature, &mut random);
                if step.makespan(&state).is_some_and(is_accepted) {
                    step.take(&mut state);
                    run.offer(&state);
                }
            }
            share *= self.cooling;
            waited = if state.makespan() == before { waited + 1 } else { 0 };
        }
    }
}

fn accepts(old: Ticks, new: Ticks, temperature: f64, random: &mut ChaCha8Rng) -> bool {
    if new <= old {
        return true;
    }
    unit(random) > 1.0 / (1.0 + exp(-(new - old).as_f64() / temperature))
}
