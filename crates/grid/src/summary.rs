//! The results of a simulation.

use std::time::Duration;

use super::data::DataSummary;
use super::economy::{Economy, Money};
use super::job::{JobRecord, Outcome};
use super::reservation::ReservationSummary;
use super::scheduler::Proofs;
use super::unfinished::Unfinished;
use super::work::Work;
use gridsat_engine::End;
use gridsat_engine::time::Time;
use gridsat_model::{Scale, Ticks};

/// Sum, mean, standard deviation and extremes of times, without storing them.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    count: u64,
    total: u128,
    /// The largest possible number without values.
    min: u64,
    max: u64,
    mean: f64,
    /// Sum of squared distances from the mean by Welford's method. The exact deviation would
    /// change the last digits of published results.
    squares: f64,
}

impl Default for Moments {
    fn default() -> Self {
        Self { count: 0, total: 0, min: u64::MAX, max: 0, mean: 0.0, squares: 0.0 }
    }
}

impl Moments {
    #[inline]
    pub(super) fn add(&mut self, ticks: Ticks) {
        self.count += 1;
        self.total += u128::from(ticks);
        self.min = self.min.min(ticks.0);
        self.max = self.max.max(ticks.0);
        let distance = ticks.as_f64() - self.mean;
        // As signed integers, which take fewer instructions to convert.
        self.mean += distance / self.count as i64 as f64;
        self.squares += distance * (ticks.as_f64() - self.mean);
    }

    /// Mean in ticks, from the exact sum; 0 without values.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.total as f64 / self.count as f64 }
    }

    /// Standard deviation in ticks, dividing by n − 1; `None` with fewer than two values.
    pub fn deviation(&self) -> Option<f64> {
        let count = self.count;
        (count > 1).then(|| (self.squares / (count - 1) as f64).sqrt())
    }

    /// The sum in ticks.
    pub fn sum(&self) -> u128 {
        self.total
    }

    /// The shortest time; 0 without values.
    pub fn min(&self) -> Ticks {
        Ticks(if self.count == 0 { 0 } else { self.min })
    }

    /// The longest time; 0 without values.
    pub fn max(&self) -> Ticks {
        Ticks(self.max)
    }
}

/// Numbers of jobs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    /// Jobs that arrived.
    pub submitted: u64,
    /// Jobs that finished.
    pub finished: u64,
    /// Jobs that were cancelled.
    pub cancelled: u64,
    /// Jobs lost by failures of their resource.
    pub lost: u64,
    /// Amount paid for finished jobs.
    pub spent: Money,
    /// Jobs that were sent and not finished by their deadline; those still in the system are
    /// counted at the end.
    pub missed: u64,
    /// Time at which the last job finished.
    pub makespan: Time,
    /// Ticks from arrival to end of finished jobs.
    pub flow: Moments,
    /// Ticks from arrival to start of finished jobs.
    pub wait: Moments,
}

impl Counts {
    pub(super) fn add(&mut self, job: &JobRecord) {
        self.spent += job.cost;
        let counts = job.outcome != Outcome::Cancelled && job.is_in_time() == Some(false);
        self.missed += u64::from(counts);
        match job.outcome {
            Outcome::Finished => {
                self.finish(job.arrival, job.started.map(|start| start.0), job.end)
            }
            Outcome::Cancelled => self.cancelled += 1,
            Outcome::Lost => self.lost += 1,
        }
    }

    /// Adds a job that finished, with its arrival and its first start.
    #[inline]
    pub(super) fn finish(&mut self, arrival: Time, started: Option<Time>, end: Time) {
        self.finished += 1;
        self.makespan = self.makespan.max(end);
        self.flow.add(end - arrival);
        self.wait.add(started.unwrap_or(end) - arrival);
    }
}

/// How the PE time given to jobs was used, in work of the fastest PE of each resource:
/// `given = useful + lost + overhead + in_progress`, exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accounts {
    /// Total PE time.
    pub given: Work,
    /// What finished jobs needed.
    pub useful: Work,
    /// Work that had to be repeated, and the work of lost and cancelled jobs.
    pub lost: Work,
    /// Time of checkpoints and migrations.
    pub overhead: Work,
    /// Work of jobs that are still in the system.
    pub in_progress: Work,
}

/// Statistics of one resource over the whole simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceSummary {
    /// Name of the resource.
    pub name: String,
    /// Number of jobs it completed.
    pub completed: u64,
    /// Number of jobs lost there.
    pub lost: u64,
    /// Fraction of the time until the end in which it was down, from 0 to 1.
    pub downtime: f64,
    /// Mean number of jobs there from its first to its last (thesis, section 4.5).
    pub mean_jobs: f64,
    /// Fraction of its PEs' time until the makespan in which they were busy, from 0 to 1.
    pub utilisation: f64,
}

/// The results of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Why the simulation stopped.
    pub end: End,
    /// Why jobs are left although no events are pending, if that is the case.
    pub stuck: Option<String>,
    /// Time at which the simulation stopped.
    pub end_time: Time,
    /// Numbers of jobs and their times.
    pub counts: Counts,
    /// Number of jobs still in the system.
    pub left: u64,
    /// These jobs by application, in order of users.
    pub unfinished: Vec<Unfinished>,
    /// Each resource, in order.
    pub resources: Vec<ResourceSummary>,
    /// Busy time of all PEs divided by their time until the makespan.
    pub utilisation: f64,
    /// Fraction of the PEs' time until the end in which their resources were down.
    pub downtime: f64,
    /// How the PE time given to jobs was used.
    pub accounts: Accounts,
    /// Statistics of data transfers, if there were data.
    pub data: Option<DataSummary>,
    /// Economic results, if there is any price, deadline or budget.
    pub economy: Option<Economy>,
    /// Results of reservations, in order.
    pub reservations: Vec<ReservationSummary>,
    /// Number of events processed.
    pub events: u64,
    /// Number of decisions of schedulers.
    pub decisions: u64,
    /// Remarks of schedulers, each with its name.
    pub notes: Vec<(String, String)>,
    /// What schedulers have proven about their batches, each with its name.
    pub proofs: Vec<(String, Proofs)>,
    /// Computing time of the schedulers in wall-clock time, if it was measured. Of decisions on a
    /// single job only a sample is measured.
    pub scheduling: Option<Duration>,
    /// Length of a tick.
    pub scale: Scale,
    /// Seed of the random streams.
    pub seed: u64,
}

impl Summary {
    /// Why the simulation stopped, in one word.
    pub fn end_name(&self) -> &'static str {
        if self.stuck.is_some() { "stuck" } else { self.end.name() }
    }

    /// What all schedulers together have proven; `None` if none of them proves anything.
    pub fn all_proofs(&self) -> Option<Proofs> {
        self.proofs.iter().map(|&(_, proofs)| proofs).reduce(|mut all, proofs| {
            all.merge(proofs);
            all
        })
    }

    /// Mean over the resources of the mean number of jobs there (thesis, section 4.5).
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
        assert_eq!((moments.min(), moments.max(), moments.sum()), (Ticks(0), Ticks(0), 0));
        [2, 4, 4, 4, 5, 5, 7, 9].into_iter().for_each(|ticks| moments.add(Ticks(ticks)));
        assert_eq!((moments.mean(), moments.max()), (5.0, Ticks(9)));
        assert_eq!((moments.min(), moments.sum()), (Ticks(2), 40));
        let deviation = moments.deviation().expect("eight values");
        assert!((deviation - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
    }
}
