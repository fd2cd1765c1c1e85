//! Chromosomes and their operators, shared by the genetic searches.
//!
//! A chromosome is a mapping: gene t is the host of task t.

use std::borrow::Borrow;

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::start::{random_host, random_task};
use super::{Run, Start, State};
use gridsat_model::Ticks;
use gridsat_statistics::random::unit;

/// The probabilities of the operators.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Odds {
    pub(super) crossover: f64,
    pub(super) mutation: f64,
}

/// The mappings of one generation.
#[derive(Clone)]
pub(super) struct Population<'a> {
    pub(super) members: Vec<State<'a>>,
}

impl<'a> Population<'a> {
    /// Random chromosomes, the first one as given, if any; `None` if the budget is used up.
    pub(super) fn new(
        run: &mut Run<'a>,
        size: usize,
        first: Option<State<'a>>,
        random: &mut ChaCha8Rng,
    ) -> Option<Self> {
        let instance = run.instance();
        let mut members = Vec::from_iter(first);
        while members.len() < size.max(2) {
            if !run.may_evaluate(instance.task_count()) {
                return None;
            }
            let state = State::new(instance, &Start::Random.map(instance, random));
            run.offer(&state);
            members.push(state);
        }
        Some(Self { members })
    }

    /// The best member; of equal ones the first.
    pub(super) fn best(&self) -> &State<'a> {
        let best = self.members.iter().min_by_key(|member| member.makespan());
        best.expect("populations are not empty")
    }

    pub(super) fn are_all_equal(&self) -> bool {
        self.members.windows(2).all(|pair| pair[0].hosts() == pair[1].hosts())
    }

    /// One-point crossover of random pairs, then mutation of one random gene, with the given
    /// probabilities. Returns for each member whether it has changed.
    pub(super) fn alter(&mut self, odds: Odds, random: &mut ChaCha8Rng) -> Vec<bool> {
        let mut is_changed = vec![false; self.members.len()];
        self.cross(odds.crossover, &mut is_changed, random);
        for (member, is_changed) in self.members.iter_mut().zip(&mut is_changed) {
            if unit(random) < odds.mutation {
                mutate(member, random);
                *is_changed = true;
            }
        }
        is_changed
    }

    fn cross(&mut self, probability: f64, is_changed: &mut [bool], random: &mut ChaCha8Rng) {
        let mut order: Vec<usize> = (0..self.members.len()).collect();
        order.shuffle(random);
        for pair in order.chunks_exact(2) {
            if unit(random) >= probability {
                continue;
            }
            let (low, high) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
            let (left, right) = self.members.split_at_mut(high);
            let point = random_task(left[low].instance(), random);
            left[low].exchange_tail(&mut right[0], point);
            (is_changed[low], is_changed[high]) = (true, true);
        }
    }
}

fn mutate(member: &mut State, random: &mut ChaCha8Rng) {
    let task = random_task(member.instance(), random);
    member.take(task, random_host(member.instance(), task, random));
}

/// A roulette wheel with one sector per member, best member first.
///
/// By rank each sector is larger than the next worse one by the factor `1 + 1/size`, so the best is
/// about e times as likely as the worst. Rhodes' thesis names only the wheel; the factor is our
/// choice, after Wang et al. (1997), on which Braun et al. based their genetic algorithm.
///
/// By fitness a sector is proportional to 1 / makespan, written as least makespan / makespan so
/// that a makespan of 0 needs no special case beyond 0 / 0 = 1.
pub(super) struct Wheel {
    /// The end of each sector.
    ends: Vec<f64>,
}

impl Wheel {
    pub(super) fn by_rank(size: usize) -> Self {
        let factor = 1.0 + 1.0 / size as f64;
        Self::of((0..size).scan(1.0, |sector, _| {
            let this = *sector;
            *sector /= factor;
            Some(this)
        }))
    }

    /// Takes the makespans in ascending order.
    pub(super) fn by_fitness(makespans: &[Ticks]) -> Self {
        let least = makespans.first().map_or(0.0, |least| least.as_f64());
        let fitness = |&makespan: &Ticks| match makespan {
            Ticks::ZERO => 1.0,
            longer => least / longer.as_f64(),
        };
        Self::of(makespans.iter().map(fitness))
    }

    fn of(sectors: impl Iterator<Item = f64>) -> Self {
        let ends = sectors.scan(0.0, |end, sector| {
            *end += sector;
            Some(*end)
        });
        Self { ends: ends.collect() }
    }

    /// A random member; 0 is the best.
    pub(super) fn spin(&self, random: &mut ChaCha8Rng) -> usize {
        let last = self.ends.len() - 1;
        let at = unit(random) * self.ends[last];
        self.ends.partition_point(|&end| end <= at).min(last)
    }
}

/// A new population of the same size, drawn by a wheel for the members' makespans in ascending
/// order.
pub(super) fn selected<'a, W: Borrow<Wheel>>(
    population: &Population<'a>,
    wheel: impl FnOnce(&[Ticks]) -> W,
    random: &mut ChaCha8Rng,
) -> Population<'a> {
    let mut ranked: Vec<&State> = population.members.iter().collect();
    ranked.sort_by_key(|member| member.makespan());
    let makespans: Vec<Ticks> = ranked.iter().map(|member| member.makespan()).collect();
    let wheel = wheel(&makespans);
    let drawn = (0..ranked.len()).map(|_| ranked[wheel.borrow().spin(random)].clone());
    Population { members: drawn.collect() }
}

/// Replaces a random member by the elite.
pub(super) fn keep_elite<'a>(
    population: &mut Population<'a>,
    elite: &State<'a>,
    random: &mut ChaCha8Rng,
) {
    let at = random.random_range(0..population.members.len());
    population.members[at] = elite.clone();
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_statistics::random::stream;

    fn counts(wheel: &Wheel, spins: u32) -> [u32; 3] {
        let mut random = stream(1, "wheel", 0);
        let mut counts = [0_u32; 3];
        (0..spins).for_each(|_| counts[wheel.spin(&mut random)] += 1);
        counts
    }

    /// The factor for three members is 4/3, so the sectors are in the ratio 16 : 12 : 9.
    #[test]
    fn the_wheel_prefers_better_ranks_by_its_factor() {
        let counts = counts(&Wheel::by_rank(3), 37_000);
        for (count, expected) in counts.into_iter().zip([16_000, 12_000, 9_000]) {
            assert!(count.abs_diff(expected) < 400, "{counts:?}");
        }
    }

    /// Makespans 10, 20, 40 have the fitness 1/10, 1/20, 1/40, in the ratio 4 : 2 : 1.
    #[test]
    fn the_wheel_by_fitness_follows_the_makespans() {
        let counts = counts(&Wheel::by_fitness(&[10, 20, 40].map(Ticks)), 35_000);
        for (count, expected) in counts.into_iter().zip([20_000, 10_000, 5_000]) {
            assert!(count.abs_diff(expected) < 400, "{counts:?}");
        }
    }

    /// Nothing is as good as a makespan of 0.
    #[test]
    fn the_wheel_by_fitness_of_zeros() {
        assert_eq!(Wheel::by_fitness(&[0, 0, 5].map(Ticks)).ends, [1.0, 2.0, 2.0]);
        assert_eq!(Wheel::by_fitness(&[0, 0, 0].map(Ticks)).ends, [1.0, 2.0, 3.0]);
    }
}
