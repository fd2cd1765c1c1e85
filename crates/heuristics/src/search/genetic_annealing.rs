//! Genetic simulated annealing (Braun et al. 2001): chromosomes change as in the genetic algorithm,
//! but each is replaced by its successor only if a simplified rule of annealing accepts it.
//!
//! There is no roulette wheel: after crossover and mutation the new chromosome replaces the old one
//! if its makespan is less than the old one's plus the temperature. The temperature starts at the
//! mean makespan of the first population and falls by a tenth each generation. A run ends by the
//! rules of the genetic algorithm. The best member can be lost while the temperature is high; the
//! run keeps the best mapping of all.

use super::genetic::evaluate;
use super::population::{Odds, Population};
use super::{Run, Search, State};
use gridsat_model::Ticks;

/// Genetic simulated annealing. Defaults are those of Braun et al., with Min-Min in the first
/// population.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneticAnnealing {
    /// Number of chromosomes, at least 2.
    pub population: usize,
    /// Probability that a chromosome is crossed with another, from 0 to 1.
    pub crossover: f64,
    /// Probability that a chromosome is mutated, from 0 to 1.
    pub mutation: f64,
    /// The temperature is multiplied by this after each generation.
    pub cooling: f64,
    /// Most generations of one run.
    pub generations: u64,
    /// Most generations in a row in which the best member does not change.
    pub patience: u64,
}

impl GeneticAnnealing {
    /// The method of Braun et al.; parameters that Rhodes' thesis does not give are our choice.
    pub const BRAUN: Self = Self {
        population: 200,
        crossover: 0.6,
        mutation: 0.4,
        cooling: 0.9,
        generations: 1000,
        patience: 150,
    };
}

impl Search for GeneticAnnealing {
    fn search(&self, run: &mut Run) {
        let mut random = run.random(0);
        let start = State::new(run.instance(), &run.best());
        let first = Population::new(run, self.population, Some(start), &mut random);
        let Some(mut population) = first else { return };
        let odds = Odds { crossover: self.crossover, mutation: self.mutation };
        let mut temperature = mean_makespan(&population);
        let mut waited = 0;
        for _ in 0..self.generations {
            let elite = population.best().makespan();
            let mut next = population.clone();
            let is_changed = next.alter(odds, &mut random);
            if !evaluate(run, &next, &is_changed) {
                return;
            }
            for (old, new) in population.members.iter_mut().zip(next.members) {
                if is_near(old.makespan(), new.makespan(), temperature) {
                    *old = new;
                }
            }
            temperature *= self.cooling;
            waited = if population.best().makespan() == elite { waited + 1 } else { 0 };
            if waited >= self.patience || population.are_all_equal() {
                return;
            }
        }
    }
}

/// Whether `new < old + temperature`.
fn is_near(old: Ticks, new: Ticks, temperature: f64) -> bool {
    new < old || (new - old).as_f64() < temperature
}

fn mean_makespan(population: &Population) -> f64 {
    let sum: f64 = population.members.iter().map(|member| member.makespan().as_f64()).sum();
    sum / population.members.len() as f64
}
