//! Genetic simulated annealing (Braun et al. 2001): chromosomes breed as in the genetic algorithm,
//! but each stays or yields to what became of it by the rule of annealing, simplified.
//!
//! No wheel: after crossover and mutation the new chromosome takes the place of the old one if its
//! makespan is less than the old one's plus the temperature. The temperature starts at the mean
//! makespan of the first population and falls by a tenth each generation. Stop rules as in the
//! genetic algorithm. The best member can be lost while it is hot; the run keeps the best of all.

use super::genetic::evaluate;
use super::population::{Odds, Population};
use super::{Run, Search, State};
use gridsat_model::Ticks;

/// Genetic simulated annealing. The defaults are those of Braun et al., with Min-Min in the first
/// population.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneticAnnealing {
    /// Chromosomes, at least 2.
    pub population: usize,
    /// How likely a chromosome is crossed with another.
    pub crossover: f64,
    /// How likely a chromosome is mutated.
    pub mutation: f64,
    /// What a generation leaves of the temperature.
    pub cooling: f64,
    /// Generations at most.
    pub generations: u64,
    /// Generations in which the best member does not change at most.
    pub patience: u64,
}

impl GeneticAnnealing {
    /// As published, as far as the thesis and our memory tell.
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
