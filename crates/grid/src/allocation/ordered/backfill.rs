//! Backfilling: jobs overtake the first of the queue if that does not delay it.
//!
//! The first job needs p PEs. By the estimates of the running jobs they are free at the *shadow
//! time*, when `extra` more than p are free. Another job starts now if it fits and either ends by
//! the shadow time or needs no more than `extra` PEs, which it then takes from `extra` (Lifka's
//! EASY). Only the number of PEs counts, not their rates. Reservations end as planned; those that
//! begin later are not considered, as they suspend jobs.

use super::{Job, Ordered, Slot};
use crate::work::{Share, Work};
use gridsat_engine::time::Time;

impl Ordered {
    /// When this much work of a PE is done from now on; `None` if never.
    fn after(&self, work: Work) -> Option<Time> {
        self.floor.clock.when(self.floor.clock.now, work, Share::WHOLE)
    }

    /// The estimated ends of running jobs and their numbers of PEs, in order of time; never last.
    fn ends(&self) -> Vec<(Time, u32)> {
        let is_ordinary = |job: &Job| job.is_running() && job.hold.is_none();
        let jobs = self.floor.jobs.pairs().filter(|(_, job)| is_ordinary(job));
        let end = |slot: Slot| {
            let left = self.asked(slot).until.less(self.running.served());
            (self.after(left).unwrap_or(Time::NEVER), self.asked(slot).pes)
        };
        // All PEs of a reservation are free when it ends.
        let holds = self.holds.values().filter_map(|hold| hold.active);
        let holds = holds.map(|(pes, until)| (until, pes));
        let mut ends: Vec<_> = jobs.map(|(slot, _)| end(slot)).chain(holds).collect();
        ends.sort_unstable();
        ends
    }

    /// The shadow time of a job that needs this many PEs, and how many more are free then.
    fn shadow(&self, pes: u32) -> (Time, u32) {
        let ends = self.ends();
        let mut free = self.free.len() as u32;
        let mut shadow = self.floor.clock.now;
        for &(end, others) in &ends {
            if free >= pes && end > shadow {
                break;
            }
            shadow = end;
            free += others;
        }
        (shadow, free.saturating_sub(pes))
    }

    /// Starts jobs behind the first one, which does not fit.
    pub(super) fn backfill(&mut self) {
        let Some(first) = self.first() else { return };
        if self.free.is_empty() || self.queue.len() + self.ahead.len() == 1 {
            return;
        }
        self.running.settle(&self.floor.clock, Share::WHOLE);
        let (shadow, mut extra) = self.shadow(self.asked(first).pes);
        let others: Vec<Slot> = self.waiting().skip(1).collect();
        for slot in others {
            if !self.fits(slot) {
                continue;
            }
            let pes = self.asked(slot).pes;
            let estimate = self.asked(slot).estimate(self.left(slot));
            let end = self.after(self.pes.onto(self.slowest_of(pes, &self.free), estimate));
            let is_short = end.is_some_and(|end| end <= shadow);
            if is_short || pes <= extra {
                extra -= if is_short { 0 } else { pes };
                self.start(slot);
            }
            if self.free.is_empty() {
                return;
            }
        }
    }
}
