//! Genetic algorithm (Braun et al. 2001, after Wang et al. 1997; Rhodes' thesis, section 2.4.2.3).
//!
//! Each generation is drawn from the last one by a roulette wheel of ranks or of fitness, then
//! altered: one-point crossover, then mutation of one gene. The best chromosome so far, the elite,
//! is always kept. A run ends after `generations`, after `patience` generations without a better
//! elite, or when all chromosomes are equal. O(population · n) per generation.

use rand_chacha::ChaCha8Rng;

use super::population::{Odds, Population, Wheel, keep_elite, selected};
use super::{Run, Search, Start, State};

/// What the sectors of the roulette wheel depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// The rank: each sector is `1 + 1/population` times the next worse one, so the best
    /// chromosome is about e times as likely as the worst, however close their makespans are.
    Rank,
    /// The fitness 1 / makespan, as Rhodes' thesis describes the wheel.
    Fitness,
}

/// The genetic algorithm. Defaults are those of Braun et al., except for the number of runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Genetic {
    /// Number of chromosomes, at least 2.
    pub population: usize,
    /// How the next generation is drawn.
    pub selection: Selection,
    /// Probability that a chromosome is crossed with another, from 0 to 1.
    pub crossover: f64,
    /// Probability that a chromosome is mutated, from 0 to 1.
    pub mutation: f64,
    /// Most generations of one run.
    pub generations: u64,
    /// Most generations in a row without a better elite.
    pub patience: u64,
    /// Number of runs with the mapping of Min-Min in the first population.
    pub seeded_runs: u64,
    /// Number of further runs from random chromosomes only.
    pub random_runs: u64,
}

impl Genetic {
    /// One run, with Min-Min in the first population.
    pub const ONE_RUN: Self = Self {
        population: 200,
        selection: Selection::Rank,
        crossover: 0.6,
        mutation: 0.4,
        generations: 1000,
        patience: 150,
        seeded_runs: 1,
        random_runs: 0,
    };

    /// The same, with a wheel by fitness.
    pub const BY_FITNESS: Self = Self { selection: Selection::Fitness, ..Self::ONE_RUN };

    /// The best of eight runs, half of them with Min-Min, as in Braun et al. 2001.
    pub const BRAUN: Self = Self { seeded_runs: 4, random_runs: 4, ..Self::ONE_RUN };

    fn evolve<'a>(&self, run: &mut Run<'a>, seed: Option<State<'a>>, random: &mut ChaCha8Rng) {
        let Some(mut population) = Population::new(run, self.population, seed, random) else {
            return;
        };
        let by_rank = Wheel::by_rank(population.members.len());
        let odds = Odds { crossover: self.crossover, mutation: self.mutation };
        let mut elite = population.best().clone();
        let mut waited = 0;
        for _ in 0..self.generations {
            population = match self.selection {
                Selection::Rank => selected(&population, |_| &by_rank, random),
                Selection::Fitness => selected(&population, Wheel::by_fitness, random),
            };
            let is_changed = population.alter(odds, random);
            if !evaluate(run, &population, &is_changed) {
                return;
            }
            waited += 1;
            if population.best().makespan() < elite.makespan() {
                elite = population.best().clone();
                waited = 0;
            }
            keep_elite(&mut population, &elite, random);
            if waited >= self.patience || population.are_all_equal() {
                return;
            }
        }
    }
}

impl Search for Genetic {
    fn start(&self) -> Start {
        if self.seeded_runs > 0 { Start::MIN_MIN } else { Start::Random }
    }

    fn search(&self, run: &mut Run) {
        let start = State::new(run.instance(), &run.best());
        for index in 0..self.seeded_runs + self.random_runs {
            let mut random = run.random(index);
            let seed = (index < self.seeded_runs).then(|| start.clone());
            self.evolve(run, seed, &mut random);
        }
    }
}

/// Evaluates all members that have changed; false if the budget is used up.
pub(super) fn evaluate(run: &mut Run, population: &Population, is_changed: &[bool]) -> bool {
    population.members.iter().zip(is_changed).filter(|(_, is_changed)| **is_changed).all(
        |(member, _)| {
            let may = run.may_evaluate(member.hosts().len());
            if may {
                run.offer(member);
            }
            may
        },
    )
}
