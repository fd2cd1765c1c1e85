//! Attempts at a packing with a given makespan, one after the other, each with other random
//! choices.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::halves::Halves;
use super::pack::Manner;
use super::repack::Means;
use super::sums::{LARGEST, Sums};
use super::{Alike, fill_up, pack, pairs, repack};
use gridsat_model::{Instance, Mapping, Stop, Ticks};

/// How far items are moved in the orders of later attempts, as parts of their number.
const NOISES: [f64; 4] = [0.02, 0.1, 0.3, 1.0];

/// Words of sums in the division of pairs, per attempt.
const EFFORT: u64 = 20_000_000;

/// From this many tasks per host on some subsets of them fill any room to the tick.
const MANY_TASKS: usize = 8;

/// With more pairs of tasks and hosts than this, attempts at filling large rooms take too long.
const MOST_PAIRS: usize = 10_000_000;

/// What handling one item in all lists of an attempt costs, in words of sums.
const PER_ITEM: u64 = 200;

/// Seeks packings of one instance.
pub(crate) struct Packer {
    alike: Alike,
    rng: ChaCha8Rng,
    sums: Sums,
    halves: Halves,
    attempts: usize,
    work: u64,
}

impl Packer {
    pub fn new(alike: Alike, seed: u64) -> Self {
        let (rng, sums) = (ChaCha8Rng::seed_from_u64(seed), Sums::new(0));
        Self { alike, rng, sums, halves: Halves::default(), attempts: 0, work: 0 }
    }

    /// The work so far, in words of sums; lists of tasks count by their length.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Whether attempts for makespan k are promising: sums of times are few enough for a table, or
    /// hosts have so many tasks that large rooms are filled to the tick without one.
    pub fn can_pack(&self, k: Ticks) -> bool {
        let is_small = self.alike.rooms(k).is_some_and(|rooms| rooms.largest() <= LARGEST);
        is_small || self.can_pack_large(k)
    }

    /// Whether rooms are too large for a table, and hosts have enough tasks.
    pub fn can_pack_large(&self, k: Ticks) -> bool {
        self.alike.times.len() >= MANY_TASKS * self.alike.hosts
            && self.alike.times.len().saturating_mul(self.alike.hosts) <= MOST_PAIRS
            && self.alike.rooms(k).is_some_and(|rooms| rooms.largest() > LARGEST)
    }

    /// One attempt at a mapping with makespan at most k.
    pub fn attempt(&mut self, instance: &Instance, k: Ticks, stop: &Stop) -> Option<Mapping> {
        let rooms = self.alike.rooms(k)?;
        let times = &self.alike.times;
        let filled = match self.attempts {
            0 => fill_up::fill_up(times, &rooms),
            _ => None,
        };
        let packing = match filled {
            None if self.can_pack(k) => {
                let noise = match self.attempts.checked_sub(1) {
                    None => 0.0,
                    Some(attempt) => NOISES[attempt % NOISES.len()],
                };
                let manner = Manner { noise, smallest_first: self.attempts.is_multiple_of(2) };
                let tables = (&mut self.sums, &mut self.halves);
                pack::pack(times, &rooms, manner, &mut self.rng, tables, stop)
            }
            filled => filled,
        };
        self.attempts += 1;
        self.work +=
            self.sums.take_work() + self.halves.take_work() + PER_ITEM * times.len() as u64;
        self.alike.mapping_until(instance, &packing?, k)
    }

    /// Seeks a mapping with makespan at most k by filling hosts with steps back, and some of them
    /// again.
    pub fn repack(
        &mut self,
        instance: &Instance,
        k: Ticks,
        effort: u64,
        stop: &Stop,
    ) -> Option<Mapping> {
        let rooms = self.alike.rooms(k)?;
        let times = &self.alike.times;
        let mut means = Means { effort, rng: &mut self.rng, stop };
        let (packing, steps) = repack::repack(times, &rooms, &mut means);
        self.work += steps + PER_ITEM * times.len() as u64;
        self.alike.mapping_until(instance, &packing?, k)
    }

    /// The mapping with pairs of hosts divided again, down to makespan k if possible. `None` if the
    /// hosts are not equal.
    pub fn level(
        &mut self,
        instance: &Instance,
        mapping: &Mapping,
        k: Ticks,
        stop: &Stop,
    ) -> Option<Mapping> {
        let room = self.alike.rooms(k).filter(|_| self.alike.has_equal_hosts())?.largest();
        let packing = self.alike.packing(mapping);
        let (rng, tables) = (&mut self.rng, (&mut self.sums, &mut self.halves));
        let (levelled, work) =
            pairs::level(packing, &self.alike.times, (room, EFFORT), rng, tables, stop);
        self.work += work + PER_ITEM * self.alike.times.len() as u64;
        self.alike.mapping_until(instance, &levelled, k)
    }
}
