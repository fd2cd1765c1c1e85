//! Runs of all cases on all cores, and what they come to.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::Result;
use gridsat_grid::{Summary, simulate};

use crate::cases::Case;

/// In percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Time that resources are down.
    Downtime,
    /// Lost jobs among those that are lost or finished.
    JobsLost,
    /// Lost work of what jobs were given.
    WorkLost,
    /// Useful work of what jobs were given.
    Useful,
    /// Useful work of all PE time, down or idle included.
    UsefulOfAll,
    /// Jobs that were submitted and did not finish, lost or not.
    NotFinished,
}

impl Measure {
    pub const ALL: [(Self, &str); 6] = [
        (Self::Downtime, "downtime"),
        (Self::JobsLost, "jobs_lost"),
        (Self::WorkLost, "work_lost"),
        (Self::Useful, "useful"),
        (Self::UsefulOfAll, "useful_of_all"),
        (Self::NotFinished, "not_finished"),
    ];
}

/// One value a run.
#[derive(Clone, Debug)]
pub struct Sample(Vec<f64>);

impl Sample {
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    /// Half the width of the 95 % confidence interval of the mean.
    pub fn half_width(&self) -> f64 {
        let (mean, freedom) = (self.mean(), self.0.len() as f64 - 1.0);
        let squares: f64 = self.0.iter().map(|value| (value - mean).powi(2)).sum();
        student(freedom) * (squares / freedom / self.0.len() as f64).sqrt()
    }

    /// Seed by seed.
    pub fn minus(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a - b).collect())
    }
}

/// The 97.5 % quantile of Student's distribution, by its expansion around the normal one; within 1
/// % from three degrees of freedom on.
fn student(freedom: f64) -> f64 {
    let z: f64 = 1.959_964;
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    z + first / freedom + second / freedom.powi(2) + third / freedom.powi(3)
}

/// What the runs of a case came to.
pub struct Results(Vec<Summary>);

impl Results {
    pub fn of(&self, measure: Measure) -> Sample {
        Sample(self.0.iter().map(|summary| 100.0 * share(summary, measure)).collect())
    }
}

fn share(summary: &Summary, measure: Measure) -> f64 {
    let (jobs, work) = (&summary.counts, &summary.accounts);
    let given = work.given.in_ticks();
    // Resources of a case are alike, so the mean over them is the share of all.
    let all = summary.end_time.0.as_f64() * summary.resources.len() as f64;
    match measure {
        Measure::Downtime => summary.downtime,
        Measure::JobsLost => jobs.lost as f64 / (jobs.lost + jobs.finished).max(1) as f64,
        Measure::WorkLost => work.lost.in_ticks() / given,
        Measure::Useful => work.useful.in_ticks() / given,
        Measure::UsefulOfAll => work.useful.in_ticks() / all,
        Measure::NotFinished => 1.0 - jobs.finished as f64 / jobs.submitted as f64,
    }
}

/// Every case with the seeds 1 to `count`.
pub fn run(cases: &[Case], count: usize) -> Result<Vec<Results>> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || -> Result<()> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(number / count) else { return Ok(()) };
            let summary = simulate(case.setup((number % count) as u64 + 1)?, &mut ())?;
            done.lock().expect("nobody panics with it").push((number, summary));
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no panic"))
    })?;
    let mut done = done.into_inner().expect("all are through");
    done.sort_by_key(|&(number, _)| number);
    let mut summaries = done.into_iter().map(|(_, summary)| summary);
    Ok(cases.iter().map(|_| Results(summaries.by_ref().take(count).collect())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_by_hand() {
        for (freedom, tabled) in [(3.0, 3.182), (4.0, 2.776), (9.0, 2.262), (19.0, 2.093)] {
            assert!((student(freedom) / tabled - 1.0).abs() < 0.01, "{freedom}");
        }
        let sample = Sample(vec![1.0, 2.0, 3.0, 4.0]);
        // 3.182 · sqrt(5/3 / 4)
        assert!((sample.mean(), (sample.half_width() - 2.054).abs() < 0.02) == (2.5, true));
        assert_eq!(sample.minus(&sample).mean(), 0.0);
    }
}
