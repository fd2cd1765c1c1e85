//! What a simulation comes to.

use std::time::Duration;

use super::data::DataSummary;
use super::economy::{Economy, Money};
use super::job::{JobRecord, Outcome};
use super::reservation::ReservationSummary;
use super::work::Work;
use gridsat_engine::End;
use gridsat_engine::time::Time;
use gridsat_model::{Scale, Ticks};
use gridsat_statistics::Stream;

/// Mean, deviation and maximum of times, without keeping them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moments {
    times: Stream,
    mean: f64,
    /// Sum of squared distances from the mean by Welford's method. The stream's exact deviation
    /// would change the last digits of published results.
    squares: f64,
}

impl Moments {
    pub(super) fn add(&mut self, ticks: Ticks) {
        self.times.add(ticks.0);
        let distance = ticks.as_f64() - self.mean;
        self.mean += distance / self.times.count() as f64;
        self.squares += distance * (ticks.as_f64() - self.mean);
    }

    /// Mean in ticks, from the exact sum; 0 of nothing.
    pub fn mean(&self) -> f64 {
        self.times.mean()
    }

    /// Standard deviation in ticks, dividing by n − 1; `None` of fewer than two.
    pub fn deviation(&self) -> Option<f64> {
        let count = self.times.count();
        (count > 1).then(|| (self.squares / (count - 1) as f64).sqrt())
    }

    /// The longest time; 0 of nothing.
    pub fn max(&self) -> Ticks {
        Ticks(self.times.most())
    }
}

/// Jobs counted as they come and go.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// Arrived.
    pub submitted: u64,
    /// Done.
    pub finished: u64,
    /// Taken away.
    pub cancelled: u64,
    /// Lost because their resource failed.
    pub lost: u64,
    /// Paid for finished jobs.
    pub spent: Money,
    /// Sent, and not finished by their deadline; those still there are counted at the end.
    pub missed: u64,
    /// When the last job was done.
    pub makespan: Time,
    /// Arrival to end of finished jobs.
    pub flow: Moments,
    /// Arrival to start of finished jobs.
    pub wait: Moments,
}

impl Counts {
    pub(super) fn add(&mut self, job: &JobRecord) {
        self.spent += job.cost;
        let counts = job.outcome != Outcome::Cancelled && job.is_in_time() == Some(false);
        self.missed += u64::from(counts);
        match job.outcome {
            Outcome::Finished => self.finished += 1,
            Outcome::Cancelled => return self.cancelled += 1,
            Outcome::Lost => return self.lost += 1,
        }
        self.makespan = self.makespan.max(job.end);
        self.flow.add(job.flow());
        let start = job.started.map_or(job.end, |(start, _)| start);
        self.wait.add(start - job.arrival);
    }
}

/// What became of the PE time that jobs were given, in work of the fastest PE of each resource:
/// `given = useful + lost + overhead + in_progress`, exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accounts {
    /// All of it.
    pub given: Work,
    /// What finished jobs needed.
    pub useful: Work,
    /// What had to be done again, and what lost and cancelled jobs had done.
    pub lost: Work,
    /// Checkpoints and migrations.
    pub overhead: Work,
    /// What jobs have done that are still there.
    pub in_progress: Work,
}

/// One resource over the whole simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceSummary {
    /// Its name.
    pub name: String,
    /// Jobs it completed.
    pub completed: u64,
    /// Jobs lost there.
    pub lost: u64,
    /// Share of the time until the end that it was down.
    pub downtime: f64,
    /// Mean number of jobs there from its first to its last (thesis, 4.5).
    pub mean_jobs: f64,
    /// Share of its PEs' time, until the makespan, that they were at work.
    pub utilisation: f64,
}

/// What a simulation comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Why it stopped.
    pub end: End,
    /// Why jobs are left although nothing more can happen.
    pub stuck: Option<String>,
    /// When it stopped.
    pub end_time: Time,
    /// Jobs.
    pub counts: Counts,
    /// Jobs still in the system.
    pub left: u64,
    /// Resource by resource.
    pub resources: Vec<ResourceSummary>,
    /// PEs' time at work over their time until the makespan.
    pub utilisation: f64,
    /// Share of the PEs' time until the end that their resources were down.
    pub downtime: f64,
    /// What became of the PE time that jobs were given.
    pub accounts: Accounts,
    /// What data did, if there was any.
    pub data: Option<DataSummary>,
    /// Money, if any price, deadline or budget is there.
    pub economy: Option<Economy>,
    /// Reservations, in order.
    pub reservations: Vec<ReservationSummary>,
    /// Events that happened.
    pub events: u64,
    /// Decisions of schedulers.
    pub decisions: u64,
    /// What schedulers have to say, each with its name.
    pub notes: Vec<(String, String)>,
    /// How long schedulers thought, on the clock of the wall, if it was measured.
    pub scheduling: Option<Duration>,
    /// What a tick is.
    pub scale: Scale,
    /// Where randomness started.
    pub seed: u64,
}

impl Summary {
    /// Why it stopped, in one word.
    pub fn end_name(&self) -> &'static str {
        if self.stuck.is_some() { "stuck" } else { self.end.name() }
    }

    /// Mean over the resources of the mean number of jobs there (thesis, 4.5).
    pub fn mean_jobs(&self) -> f64 {
        let total: f64 = self.resources.iter().map(|resource| resource.mean_jobs).sum();
        total / self.resources.len().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_by_hand() {
        let mut moments = Moments::default();
        assert_eq!((moments.mean(), moments.deviation()), (0.0, None));
        [2, 4, 4, 4, 5, 5, 7, 9].into_iter().for_each(|ticks| moments.add(Ticks(ticks)));
        assert_eq!((moments.mean(), moments.max()), (5.0, Ticks(9)));
        let deviation = moments.deviation().expect("eight values");
        assert!((deviation - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
    }
}
