//! Equal hosts: the bound of parts of the hosts, then packings with that makespan.

use super::{Bisection, Origin, TOO_LARGE};
use crate::alike::{Alike, Answer, Effort, Fillings, Packer};
use crate::reason::{LowerBound, Reason};
use gridsat_model::Ticks;

/// Words of sums before the other methods join. Small instances are sooner proven than packed, so
/// they get a share of it for each pair.
const WORK: u64 = 500_000_000;
const WORK_PER_PAIR: u64 = 1000;

/// Work of a decision by fillings: by prices alone, at first, and at most.
const ROOT_WORK: u64 = 20_000_000_000;
const FIRST_WORK: u64 = 500_000_000;
const MOST_WORK: u64 = 16_000_000_000;

/// From this many pairs on there are no other methods.
const HUGE: usize = 1 << 26;

impl Bisection<'_> {
    /// Packs at the lower bound, and between it and the best mapping every third time; then decides
    /// makespans by fillings. Returns whether other methods may follow.
    pub(super) fn pack(&mut self, alike: &Alike) -> bool {
        let mut packer = Packer::new(alike.clone(), self.options.seed);
        let pairs = self.instance.task_count().saturating_mul(self.instance.host_count());
        let work = WORK.min(WORK_PER_PAIR.saturating_mul(pairs as u64));
        let fillings = Fillings::new(alike);
        self.attempt(&mut packer, 0);
        self.raise_by_fillings(&fillings);
        let mut attempts = 1;
        while self.is_open() && packer.work() < work && packer.can_pack(self.lower()) {
            self.attempt(&mut packer, attempts);
            attempts += 1;
        }
        self.decide_by_fillings(&fillings);
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
        let (lower, upper) = (self.lower(), self.upper());
        let k = if number % 3 == 2 { lower + (upper - lower) / 2 } else { lower };
        let packed = packer.attempt(self.instance, k, self.stop);
        packed.into_iter().for_each(|mapping| self.offer(mapping, Origin::Packing));
        if self.is_open() && packer.can_pack(k) {
            self.level(packer, lower);
        }
    }

    fn level(&mut self, packer: &mut Packer, k: Ticks) {
        let mapping = self.found.mapping.clone();
        let levelled = packer.level(self.instance, &mapping, k, self.stop);
        levelled.into_iter().for_each(|mapping| self.offer(mapping, Origin::Packing));
    }

    /// Raises the lower bound by forced fillings and prices as far as they go: in steps that double,
    /// and halve where one goes too far.
    fn raise_by_fillings(&mut self, fillings: &Fillings) {
        let effort = Effort { work: ROOT_WORK, may_branch: false };
        let (mut step, mut is_halving) = (Ticks(1), false);
        while self.is_open() && fillings.suits(self.upper()) {
            let highest = self.upper() - Ticks(1);
            let k = (self.lower() + step - Ticks(1)).min(highest);
            let is_refuted = self.decide(fillings, k, effort);
            match is_refuted {
                true if !is_halving => step = 2 * step,
                true => {}
                false => is_halving = true,
            }
            if is_halving {
                if step == Ticks(1) {
                    break;
                }
                step = step / 2;
            }
        }
    }

    /// Decides whether the lower bound can be reached, or values above it where that takes long.
    fn decide_by_fillings(&mut self, fillings: &Fillings) {
        let mut work = FIRST_WORK;
        while self.is_open() && work <= MOST_WORK && fillings.suits(self.upper()) {
            let effort = Effort { work, may_branch: true };
            let lower = self.lower();
            self.decide(fillings, lower, effort);
            let is_undecided = self.lower() == lower;
            let middle = lower + (self.upper() - lower) / 2;
            if self.is_open() && is_undecided {
                if middle > lower && middle < self.upper() {
                    self.decide(fillings, middle, effort);
                }
                work *= 2;
            }
        }
    }

    /// Uses what fillings say about k, and returns whether they refute it.
    fn decide(&mut self, fillings: &Fillings, k: Ticks, effort: Effort) -> bool {
        match fillings.decide(self.instance, k, effort, self.stop) {
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
