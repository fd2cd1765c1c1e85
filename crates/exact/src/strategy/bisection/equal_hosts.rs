//! Hosts that are equal or differ in speed: a bound by counting, then packings with that makespan.

use super::{Bisection, Origin, TOO_LARGE};
use crate::alike::{Alike, Answer, Effort, Fillings, Packer};
use crate::reason::{LowerBound, Reason};
use gridsat_model::{Stop, Ticks};

/// Words of sums before the other methods join. Small instances are sooner proven than packed, so
/// they get a share of it for each pair.
const WORK: u64 = 500_000_000;
const WORK_PER_PAIR: u64 = 1000;

/// Work of a decision by fillings: by prices alone, at first, and at most.
const ROOT_WORK: u64 = 20_000_000_000;
const FIRST_WORK: u64 = 500_000_000;
const MOST_WORK: u64 = 16_000_000_000;

/// Steps of filling hosts with steps back before and after a linear program that takes little time,
/// and how much work of a decision one step is worth. Small instances get some steps for each pair:
/// the other methods prove them sooner.
const STEPS: (u64, u64) = (1_000_000, 20_000_000);
const STEP: u64 = 20;
const STEPS_PER_PAIR: u64 = 100_000;

/// From this many pairs on there are no other methods.
const HUGE: usize = 1 << 26;

impl Bisection<'_> {
    /// Packs at the lower bound, and between it and the best mapping every third time; then packs
    /// and decides makespans by fillings in turns. Returns whether other methods may follow.
    pub(super) fn pack(&mut self, alike: &Alike) -> bool {
        let mut packer = Packer::new(alike.clone(), self.options.seed);
        let pairs = self.instance.task_count().saturating_mul(self.instance.host_count());
        let work = WORK.min(WORK_PER_PAIR.saturating_mul(pairs as u64));
        let fillings = Fillings::new(alike);
        self.attempt(&mut packer, 0);
        self.repack(&mut packer, self.lower(), STEPS.0.min(work), self.stop);
        let is_quick = fillings.is_quick(self.upper());
        if is_quick {
            self.raise_by_fillings(alike, &fillings);
        }
        self.repack(&mut packer, self.lower(), STEPS.1.min(work), self.stop);
        if !is_quick {
            self.raise_by_fillings(alike, &fillings);
        }
        // Nothing else packs large rooms to the tick.
        let work = if packer.can_pack_large(self.lower()) { WORK } else { work };
        let mut attempts = 1;
        while self.is_open() && packer.work() < work && packer.can_pack(self.lower()) {
            self.attempt(&mut packer, attempts);
            attempts += 1;
        }
        let mut work = FIRST_WORK;
        while self.is_open() && work <= MOST_WORK {
            self.turn(alike, &mut packer, &fillings, work);
            work *= 2;
        }
        if self.is_open() && pairs >= HUGE {
            self.found.note = Some(TOO_LARGE.to_owned());
        }
        self.is_open() && pairs < HUGE
    }

    fn is_open(&self) -> bool {
        !self.is_done() && !self.stop.is_due()
    }

    fn attempt(&mut self, packer: &mut Packer, number: usize) {
        if !self.is_open() {
            return;
        }
        let lower = self.lower();
        let k = if number % 3 == 2 { self.middle() } else { lower };
        let packed = packer.attempt(self.instance, k, self.stop);
        packed.into_iter().for_each(|mapping| self.offer(mapping, Origin::Packing));
        if self.is_open() && packer.can_pack(k) {
            self.level(packer, lower);
        }
    }

    /// Fills hosts with steps back, at the lower bound and halfway to the best mapping.
    fn repack_between(&mut self, alike: &Alike, packer: &mut Packer, steps: u64, stop: &Stop) {
        self.repack(packer, self.lower(), steps, stop);
        let middle = self.middle();
        if middle > alike.last_alike(self.lower()) {
            self.repack(packer, middle, steps / 2, stop);
        }
    }

    fn repack(&mut self, packer: &mut Packer, k: Ticks, steps: u64, stop: &Stop) {
        if self.is_open() {
            let packed = packer.repack(self.instance, k, steps, stop);
            packed.into_iter().for_each(|mapping| self.offer(mapping, Origin::Packing));
        }
    }

    fn middle(&self) -> Ticks {
        self.lower() + (self.upper() - self.lower()) / 2
    }

    fn level(&mut self, packer: &mut Packer, k: Ticks) {
        let mapping = self.found.mapping.clone();
        let levelled = packer.level(self.instance, &mapping, k, self.stop);
        levelled.into_iter().for_each(|mapping| self.offer(mapping, Origin::Packing));
    }

    /// Raises the lower bound by forced fillings and prices as far as they go: in steps that
    /// double, then by halves below the first one that goes too far.
    fn raise_by_fillings(&mut self, alike: &Alike, fillings: &Fillings) {
        let effort = (Effort { work: ROOT_WORK, may_branch: false }, self.stop);
        let mut step = Ticks(1);
        let mut failed = self.upper();
        while self.is_open() && fillings.suits(self.upper()) {
            let lower = self.lower();
            let nearest = alike.last_alike(lower);
            if nearest >= failed {
                break;
            }
            let is_doubling = failed >= self.upper();
            let farther = if is_doubling { lower + step } else { lower + (failed - lower) / 2 };
            let k = nearest
                .max(farther.saturating_sub(Ticks(1)))
                .min(failed.min(self.upper()) - Ticks(1));
            match self.decide(alike, fillings, k, effort) {
                true => step = 2 * step.max(k - lower),
                false => failed = k,
            }
        }
    }

    /// Packs, then decides. Meanwhile other threads pack at the lower bound, each with random
    /// choices of its own; one that succeeds ends the turn.
    fn turn(&mut self, alike: &Alike, packer: &mut Packer, fillings: &Fillings, work: u64) {
        let (instance, lower, end) = (self.instance, self.lower(), self.stop.branch());
        let pairs = instance.task_count().saturating_mul(instance.host_count());
        let most = STEPS_PER_PAIR.saturating_mul(pairs as u64);
        let seeds = (1..self.options.threads as u64).map(|n| self.options.seed ^ (work + n));
        let seeds: Vec<u64> = seeds.collect();
        let pack = |seed| {
            // As long as the turn takes.
            let packed = Packer::new(alike.clone(), seed).repack(instance, lower, u64::MAX, &end);
            packed.inspect(|_| end.request())
        };
        std::thread::scope(|scope| {
            let others: Vec<_> =
                seeds.into_iter().map(|seed| scope.spawn(move || pack(seed))).collect();
            self.repack_between(alike, packer, (work / STEP).min(most), &end);
            self.decide_between(alike, fillings, work, &end);
            end.request();
            let packed = others.into_iter().filter_map(|other| other.join().ok().flatten());
            packed.for_each(|mapping| self.offer(mapping, Origin::Packing));
        });
    }

    /// Decides whether the lower bound can be reached, and if that takes too long, whether the
    /// middle can.
    fn decide_between(&mut self, alike: &Alike, fillings: &Fillings, work: u64, stop: &Stop) {
        let effort = (Effort { work, may_branch: true }, stop);
        let is_open = |this: &Self| this.is_open() && fillings.suits(this.upper());
        let mut is_refuted = true;
        while is_refuted && is_open(self) {
            is_refuted = self.decide(alike, fillings, self.lower(), effort);
        }
        let middle = self.middle();
        if is_open(self) && middle > alike.last_alike(self.lower()) {
            self.decide(alike, fillings, middle, effort);
        }
    }

    /// Uses what fillings say about k, and returns whether they refute it.
    fn decide(
        &mut self,
        alike: &Alike,
        fillings: &Fillings,
        k: Ticks,
        (effort, stop): (Effort, &Stop),
    ) -> bool {
        // No mapping that is known is refuted.
        let k = alike.last_alike(k).min(self.upper() - Ticks(1));
        match fillings.decide(self.instance, k, effort, stop) {
            Answer::Mapping(mapping) => self.offer(mapping, Origin::Packing),
            Answer::Refuted(nodes) => {
                self.raise(LowerBound::new(k + Ticks(1), |k| Reason::Fillings { k, nodes }));
                return true;
            }
            Answer::Open => {}
        }
        false
    }
}
