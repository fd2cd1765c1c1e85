//! Simulated annealing: one random move at a time, worse ones too while it is hot.
//!
//! A better makespan is always accepted; a worse one if a random number in [0, 1) is above
//! `1 / (1 + exp((old - new) / T))`, that is, half the time while T is large and never when it is
//! small. The temperature falls by a factor after each plateau.
//!
//! Braun et al. (2001) start from a random mapping with T equal to its makespan and cool after every
//! single move, so a run is a few hundred moves; [`Annealing::BRAUN`] is that. The default takes its
//! time: it starts from Min-Min at a temperature that is small against the makespan, and moves about
//! as often as there are pairs at each.
//!
//! Moves are uniform over tasks and hosts; half of those on plateaus start from the most loaded host,
//! since no other can lower the makespan.

use libm::exp;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::start::{random_host, random_task};
use super::{Run, Search, Start, State};
use crate::model::{Instance, TaskId, Ticks};
use crate::random::unit;

/// Moves between two temperatures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plateau {
    /// One.
    Move,
    /// So many a task.
    MovesATask(u32),
}

/// Simulated annealing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Annealing {
    /// Where it starts.
    pub start: Start,
    /// First temperature, as a share of the start's makespan.
    pub hottest: f64,
    /// It ends below this share.
    pub coldest: f64,
    /// What a plateau leaves of the temperature.
    pub cooling: f64,
    /// Moves at one temperature.
    pub plateau: Plateau,
    /// It ends after so many plateaus in which the makespan has not changed.
    pub patience: u64,
}

impl Annealing {
    /// Own choice, from a few tries at 512 tasks on 16 hosts.
    pub const SLOW: Self = Self {
        start: Start::MinMin,
        hottest: 0.01,
        coldest: 1e-6,
        cooling: 0.97,
        plateau: Plateau::MovesATask(64),
        patience: 20,
    };

    /// As published: temperature from the makespan, a tenth less after each move, an end after 150
    /// moves without change or near temperature zero.
    pub const BRAUN: Self = Self {
        start: Start::Random,
        hottest: 1.0,
        coldest: 1e-9,
        cooling: 0.9,
        plateau: Plateau::Move,
        patience: 150,
    };

    fn moves(&self, instance: &Instance) -> u64 {
        match self.plateau {
            Plateau::Move => 1,
            Plateau::MovesATask(moves) => u64::from(moves) * instance.task_count() as u64,
        }
    }

    fn task(&self, state: &State, random: &mut ChaCha8Rng) -> TaskId {
        let task = random_task(state.instance(), random);
        if self.plateau == Plateau::Move || random.random_bool(0.5) {
            return task;
        }
        // The next one on the most loaded host, which is soon found; a host that is only not ready
        // yet has none.
        let n = state.hosts().len() as u32;
        let mut round = (task.0..n).chain(0..task.0).map(TaskId);
        round.find(|&task| state.host(task) == state.most_loaded()).unwrap_or(task)
    }
}

impl Default for Annealing {
    fn default() -> Self {
        Self::SLOW
    }
}

impl Search for Annealing {
    fn start(&self) -> Start {
        self.start
    }

    fn search(&self, run: &mut Run) {
        let mut random = run.random(0);
        let mut state = State::new(run.instance(), &run.best());
        let moves = self.moves(run.instance());
        let scale = state.makespan() as f64;
        let (mut share, mut waited) = (self.hottest, 0);
        while share >= self.coldest && waited < self.patience {
            let before = state.makespan();
            for _ in 0..moves {
                if !run.may_evaluate(1) {
                    return;
                }
                let task = self.task(&state, &mut random);
                let to = random_host(state.instance(), task, &mut random);
                let after = state.after_move(task, to);
                if after
                    .is_some_and(|new| accepts(state.makespan(), new, share * scale, &mut random))
                {
                    state.take(task, to);
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
    unit(random) > 1.0 / (1.0 + exp(-((new - old) as f64) / temperature))
}
