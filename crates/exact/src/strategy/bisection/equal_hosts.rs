//! Equal hosts: the bound of parts of the hosts, then packings with that makespan.

use super::{Bisection, Origin, TOO_LARGE};
use crate::alike::{Alike, Packer};
use gridsat_model::Ticks;

/// Words of sums before the other methods join. Small instances are sooner proven than packed, so
/// they get a share of it for each pair.
const WORK: u64 = 500_000_000;
const WORK_PER_PAIR: u64 = 1000;

/// From this many pairs on there are no other methods.
const HUGE: usize = 1 << 26;

impl Bisection<'_> {
    /// Packs at the lower bound, and between it and the best mapping every third time. Returns
    /// whether other methods may follow.
    pub(super) fn pack(&mut self, alike: &Alike) -> bool {
        let mut packer = Packer::new(alike.clone(), self.options.seed);
        let mut attempts = 0;
        let pairs = self.instance.task_count().saturating_mul(self.instance.host_count());
        let work = WORK.min(WORK_PER_PAIR.saturating_mul(pairs as u64));
        while !self.is_done() && !self.stop.is_due() && packer.work() < work {
            let (lower, upper) = (self.lower(), self.upper());
            let k = if attempts % 3 == 2 { lower + (upper - lower) / 2 } else { lower };
            attempts += 1;
            let packed = packer.attempt(self.instance, k, self.stop);
            packed.into_iter().for_each(|mapping| self.offer(mapping, Origin::Packing));
            if !packer.can_pack(k) {
                break;
            }
            if !self.is_done() {
                self.level(&mut packer, lower);
            }
        }
        let is_open = !self.is_done() && !self.stop.is_due();
        if is_open && pairs >= HUGE {
            self.found.note = Some(TOO_LARGE.to_owned());
        }
        is_open && pairs < HUGE
    }

    fn level(&mut self, packer: &mut Packer, k: Ticks) {
        let mapping = self.found.mapping.clone();
        let levelled = packer.level(self.instance, &mapping, k, self.stop);
        levelled.into_iter().for_each(|mapping| self.offer(mapping, Origin::Packing));
    }
}
