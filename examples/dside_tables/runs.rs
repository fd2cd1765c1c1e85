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

/// What the runs of a case came to.
pub struct Results(Vec<Summary>);

impl Results {
    /// One value a run.
    pub fn of(&self, measure: Measure) -> Vec<f64> {
        self.0.iter().map(|summary| 100.0 * share(summary, measure)).collect()
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
