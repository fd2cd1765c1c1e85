//! Equation 4.5 of the thesis, for space-shared resources:
//! `mean queued time · (1 + ⌊queued / nint(PEs · (100 − load) / 100)⌋) + time`.
//!
//! With an empty queue the mean is 0, and if the local load leaves no PE, nothing ever completes
//! (erratum E16). The equation ignores the remaining time of running jobs, and a short job sent to
//! a long queue reduces its mean: estimated completion times may decrease as jobs are assigned.
//!
//! PEs that are reserved now do not count.
//!
//! A job assigned while a PE is idle counts as running; others join the queue.

use gridsat_heuristics::{HostModel, HostState};
use gridsat_model::Ticks;

use super::super::resource::Seen;
use super::super::work::Speed;

pub(super) fn state(seen: &Seen) -> HostState {
    HostState::Other(Box::new(host(seen)))
}

/// The same without a box.
pub(super) fn host(seen: &Seen) -> impl HostModel + use<> {
    let (queued, total) = seen.queue;
    QueuedHost {
        running: seen.running as u64,
        pes: u64::from(seen.pes),
        left: pes_left(seen.open_pes, seen.speed),
        queued: queued as u64,
        total,
    }
}

/// PEs that the local load leaves, rounded to the nearest integer.
fn pes_left(pes: u32, speed: Speed) -> u64 {
    let full = u64::from(Speed::FULL.millionths());
    (u64::from(pes) * u64::from(speed.millionths()) + full / 2) / full
}

#[derive(Clone, Debug)]
struct QueuedHost {
    running: u64,
    pes: u64,
    left: u64,
    queued: u64,
    total: Ticks,
}

impl QueuedHost {
    fn wait(&self) -> Option<Ticks> {
        let rounds = 1 + self.queued.checked_div(self.left)?;
        let mean_of_rounds = u128::from(self.total) * u128::from(rounds);
        let wait = mean_of_rounds.checked_div(u128::from(self.queued)).unwrap_or(0);
        Ticks::try_from(wait).ok()
    }
}

impl HostModel for QueuedHost {
    fn completion(&self, time: Ticks) -> Option<Ticks> {
        self.wait()?.checked_add(time)
    }

    fn assign(&mut self, time: Ticks) {
        if self.running < self.pes {
            self.running += 1;
        } else {
            self.queued += 1;
            self.total = self.total.saturating_add(time);
        }
    }

    fn delay(&self) -> Ticks {
        self.wait().unwrap_or(Ticks::MAX)
    }

    fn is_monotone(&self) -> bool {
        false
    }

    fn fork(&self) -> Box<dyn HostModel> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equation_4_5_by_hand() {
        let mut host = QueuedHost { running: 4, pes: 4, left: 2, queued: 5, total: Ticks(100) };
        assert_eq!(host.completion(Ticks(7)), Some(Ticks(20 * (1 + 2) + 7)));
        host.assign(Ticks(8));
        assert_eq!(host.completion(Ticks(7)), Some(Ticks(18 * (1 + 3) + 7)));
        let empty = QueuedHost { running: 0, pes: 4, left: 2, queued: 0, total: Ticks(0) };
        assert_eq!(empty.completion(Ticks(7)), Some(Ticks(7)));
        let none = QueuedHost { left: 0, ..empty };
        assert_eq!((none.completion(Ticks(7)), none.delay()), (None, Ticks::MAX));
    }

    #[test]
    fn pes_are_rounded_to_the_nearest() {
        let left = |percent| pes_left(6, Speed::under_load(percent));
        assert_eq!([0, 50, 91, 92, 100].map(left), [6, 3, 1, 0, 0]);
    }
}
