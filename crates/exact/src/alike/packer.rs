//! Attempts at a packing with a given makespan, one after the other, each with other random choices.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::sums::{LARGEST, Sums};
use super::{Alike, fill_up, pack, pairs, repack};
use gridsat_model::{Instance, Mapping, Stop, Ticks};

/// How far items are moved in the orders of later attempts, as parts of their number.
const NOISES: [f64; 4] = [0.02, 0.1, 0.3, 1.0];

/// Words of sums in the division of pairs, per attempt.
const EFFORT: u64 = 20_000_000;

/// What handling one item in all lists of an attempt costs, in words of sums.
const PER_ITEM: u64 = 200;

/// Seeks packings of one instance.
pub(crate) struct Packer {
    alike: Alike,
    rng: ChaCha8Rng,
    sums: Sums,
    attempts: usize,
    work: u64,
}

impl Packer {
    pub fn new(alike: Alike, seed: u64) -> Self {
        let (rng, sums) = (ChaCha8Rng::seed_from_u64(seed), Sums::new(0));
        Self { alike, rng, sums, attempts: 0, work: 0 }
    }

    /// The work so far, in words of sums; lists of tasks count by their length.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Whether sums of times up to makespan k are few enough for a table.
    pub fn can_pack(&self, k: Ticks) -> bool {
        k.saturating_sub(self.alike.ready).0 <= LARGEST
    }

    /// One attempt at a mapping with makespan at most k.
    pub fn attempt(&mut self, instance: &Instance, k: Ticks, stop: &Stop) -> Option<Mapping> {
        let room = k.checked_sub(self.alike.ready)?.0;
        let Alike { times, hosts, .. } = &self.alike;
        let filled = match self.attempts {
            0 => fill_up::fill_up(times, *hosts, room),
            _ => None,
        };
        let packing = match filled {
            None if room <= LARGEST => {
                let noise = match self.attempts.checked_sub(1) {
                    None => 0.0,
                    Some(attempt) => NOISES[attempt % NOISES.len()],
                };
                let (rng, sums) = (&mut self.rng, &mut self.sums);
                pack::pack(times, (*hosts, room), noise, rng, sums, stop)
            }
            filled => filled,
        };
        self.attempts += 1;
        self.work += self.sums.take_work() + PER_ITEM * times.len() as u64;
        packing.map(|packing| self.alike.mapping(instance, &packing))
    }

    /// Seeks a mapping with makespan at most k by filling hosts with steps back, and some of them again.
    pub fn repack(
        &mut self,
        instance: &Instance,
        k: Ticks,
        effort: u64,
        stop: &Stop,
    ) -> Option<Mapping> {
        let room = k.checked_sub(self.alike.ready)?.0;
        let Alike { times, hosts, .. } = &self.alike;
        let (packing, steps) = repack::repack(times, (*hosts, room), effort, &mut self.rng, stop);
        self.work += steps + PER_ITEM * times.len() as u64;
        packing.map(|packing| self.alike.mapping(instance, &packing))
    }

    /// The mapping with pairs of hosts divided again, down to makespan k if possible.
    pub fn level(
        &mut self,
        instance: &Instance,
        mapping: &Mapping,
        k: Ticks,
        stop: &Stop,
    ) -> Option<Mapping> {
        let room = k.checked_sub(self.alike.ready)?.0;
        let packing = self.alike.packing(mapping);
        let (rng, sums) = (&mut self.rng, &mut self.sums);
        let (levelled, work) =
            pairs::level(packing, &self.alike.times, (room, EFFORT), rng, sums, stop);
        self.work += work + PER_ITEM * self.alike.times.len() as u64;
        Some(self.alike.mapping(instance, &levelled))
    }
}
