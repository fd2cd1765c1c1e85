//! Number of jobs at a resource, over time.
//!
//! Job time sums `jobs · ticks`, busy time `busy PEs · ticks`. Busy PEs are `min(jobs, PEs)`
//! under every policy, because no policy leaves a PE idle while a job could use it. Reservations
//! do; if there are any, PEs count only while they run a job.

use gridsat_engine::time::Time;
use gridsat_model::Ticks;

/// Counts and time integrals of one resource.
#[derive(Clone, Debug, Default)]
pub struct Occupancy {
    present: u32,
    halted: u32,
    /// Jobs that wait for their data.
    staging: u32,
    since: Time,
    job_time: u128,
    busy_time: u128,
    first: Option<Time>,
    last: Time,
    completed: u64,
    lost: u64,
}

impl Occupancy {
    /// Number of jobs there that are not halted.
    pub fn jobs(&self) -> u32 {
        self.present - self.halted
    }

    /// Time at which the last job left; now, if a job is there.
    pub fn last(&self) -> Time {
        self.last
    }

    /// Number of jobs completed there.
    pub fn completed(&self) -> u64 {
        self.completed
    }

    /// Number of jobs lost there.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Ticks in which PEs were busy, summed over the PEs.
    pub fn busy_time(&self) -> u128 {
        self.busy_time
    }

    /// Mean number of jobs there from the first arrival until the last one left (thesis, section
    /// 4.5); 0 if there was none.
    pub fn mean_jobs(&self) -> f64 {
        let span: Ticks = self.first.map_or(Ticks(0), |first| self.last - first);
        if span == Ticks(0) { 0.0 } else { self.job_time as f64 / span.as_f64() }
    }

    /// Counts until now; called before every change. `pes` is the number of PEs that could be busy
    /// since the last call.
    pub(super) fn advance(&mut self, now: Time, pes: u32) {
        let ticks = u128::from(now - self.since);
        self.job_time += ticks * u128::from(self.present);
        self.busy_time += ticks * u128::from((self.jobs() - self.staging).min(pes));
        self.since = now;
        if self.present > 0 {
            self.last = now;
        }
    }

    /// The same where PEs may be idle although jobs wait, or run one job together.
    pub(super) fn advance_busy(&mut self, now: Time, busy: u32) {
        let ticks = now - self.since;
        self.advance(now, 0);
        self.busy_time += u128::from(ticks) * u128::from(busy);
    }

    /// Does what [`Self::advance`] does if no time has passed.
    #[inline]
    pub(super) fn stay(&mut self) {
        if self.present > 0 {
            self.last = self.since;
        }
    }

    pub(super) fn enter(&mut self) {
        self.present += 1;
        self.first.get_or_insert(self.since);
    }

    pub(super) fn stage(&mut self) {
        self.staging += 1;
    }

    pub(super) fn staged(&mut self) {
        self.staging -= 1;
    }

    pub(super) fn complete(&mut self) {
        self.present -= 1;
        self.completed += 1;
    }

    pub(super) fn cancel(&mut self, was_halted: bool) {
        self.present -= 1;
        self.halted -= u32::from(was_halted);
    }

    pub(super) fn lose(&mut self) {
        self.present -= 1;
        self.lost += 1;
    }

    /// Counts a job as lost that was removed already.
    pub(super) fn count_lost(&mut self) {
        self.lost += 1;
    }

    /// A job that completed here is lost after all, with its results.
    pub(super) fn lose_completed(&mut self) {
        self.completed -= 1;
        self.lost += 1;
    }

    pub(super) fn halt(&mut self) {
        self.halted += 1;
    }

    pub(super) fn resume(&mut self) {
        self.halted -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_from_the_first_arrival_to_the_last_departure() {
        let mut occupancy = Occupancy::default();
        let mut at = |time, change: fn(&mut Occupancy)| {
            occupancy.advance(Time(time), 2);
            change(&mut occupancy);
        };
        at(Ticks(10), Occupancy::enter);
        at(Ticks(12), Occupancy::enter);
        at(Ticks(12), Occupancy::enter);
        at(Ticks(20), Occupancy::complete);
        at(Ticks(25), Occupancy::complete);
        at(Ticks(30), Occupancy::complete);
        occupancy.advance(Time(Ticks(90)), 2);
        // 1·2 + 3·8 + 2·5 + 1·5 jobs over 20 ticks; PEs 1·2 + 2·13 + 1·5.
        assert_eq!(occupancy.mean_jobs(), 41.0 / 20.0);
        assert_eq!(occupancy.busy_time(), 33);
    }
}
