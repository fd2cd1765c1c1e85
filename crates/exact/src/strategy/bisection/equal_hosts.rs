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

/// Steps of filling hosts with steps back before and after a linear program that takes little time,
/// and how much work of a decision one step is worth.
const STEPS: (u64, u64) = (1_000_000, 20_000_000);
const STEP: u64 = 20;

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
        self.repack(&mut packer, self.lower(), STEPS.0.min(work));
        let is_quick = fillings.is_quick(self.upper());
        if is_quick {
            self.raise_by_fillings(&fillings);
        }
        self.repack(&mut packer, self.lower(), STEPS.1.min(work));
        if !is_quick {
            self.raise_by_fillings(&fillings);
        }
        let mut attempts = 1;
        while self.is_open() && packer.work() < work && packer.can_pack(self.lower()) {
            self.attempt(&mut packer, attempts);
            attempts += 1;
        }
        let mut work = FIRST_WORK;
        while self.is_open() && work <= MOST_WORK {
            self.repack_between(&mut packer, work / STEP);
            self.decide_between(&fillings, work);
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
    fn repack_between(&mut self, packer: &mut Packer, steps: u64) {
        self.repack(packer, self.lower(), steps);
        let middle = self.middle();
        if middle > self.lower() {
            self.repack(packer, middle, steps / 2);
        }
    }

    fn repack(&mut self, packer: &mut Packer, k: Ticks, steps: u64) {
        if self.is_open() {
            let packed = packer.repack(self.instance, k, steps, self.stop);
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

    /// Decides whether the lower bound can be reached, and if that takes too long, whether the
    /// middle can.
    fn decide_between(&mut self, fillings: &Fillings, work: u64) {
        let effort = Effort { work, may_branch: true };
        let is_open = |this: &Self| this.is_open() && fillings.suits(this.upper());
        let mut is_refuted = true;
        while is_refuted && is_open(self) {
            is_refuted = self.decide(fillings, self.lower(), effort);
        }
        let middle = self.middle();
        if is_open(self) && middle > self.lower() {
            self.decide(fillings, middle, effort);
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
