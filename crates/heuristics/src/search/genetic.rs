//! Genetic algorithm (Braun et al. 2001, after Wang et al. 1997; thesis 2.4.2.3).
//!
//! A generation is drawn from the last one by a roulette wheel of ranks, then altered: one-point
//! crossover, then mutation of one gene. The best chromosome so far, the elite, is never lost. A
//! run ends after this many generations, when the elite has not changed for long, or when all
//! chromosomes are equal. O(population · n) a generation.

use rand_chacha::ChaCha8Rng;

use super::population::{Odds, Population, Wheel, keep_elite};
use super::{Run, Search, Start, State};

/// Genetic algorithm. The defaults are those of Braun et al., but for the number of runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Genetic {
    /// Chromosomes, at least 2.
    pub population: usize,
    /// How likely a chromosome is crossed with another.
    pub crossover: f64,
    /// How likely a chromosome is mutated.
    pub mutation: f64,
    /// Generations at most.
    pub generations: u64,
    /// Generations without a better elite at most.
    pub patience: u64,
    /// Runs with the mapping of Min-Min among the first chromosomes.
    pub seeded_runs: u64,
    /// Runs from random chromosomes only, afterwards.
    pub random_runs: u64,
}

impl Genetic {
    /// One run, with Min-Min in the first population.
    pub const ONE_RUN: Self = Self {
        population: 200,
        crossover: 0.6,
        mutation: 0.4,
        generations: 1000,
        patience: 150,
        seeded_runs: 1,
        random_runs: 0,
    };

    /// The best of eight runs, half of them seeded, as published.
    pub const BRAUN: Self = Self { seeded_runs: 4, random_runs: 4, ..Self::ONE_RUN };

    fn evolve<'a>(&self, run: &mut Run<'a>, seed: Option<State<'a>>, random: &mut ChaCha8Rng) {
        let Some(mut population) = Population::new(run, self.population, seed, random) else {
            return;
        };
        let wheel = Wheel::new(population.members.len());
        let odds = Odds { crossover: self.crossover, mutation: self.mutation };
        let mut elite = population.best().clone();
        let mut waited = 0;
        for _ in 0..self.generations {
            population = wheel.select(&population, random);
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
        if self.seeded_runs > 0 { Start::MinMin } else { Start::Random }
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

/// Looks at all members that have changed; false if the budget does not last.
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
