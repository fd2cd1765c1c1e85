//! `[deadlines]` and `[migration]`: Wang and Zhang's deadlines and migration costs, for any jobs.
//!
//! The deadline is the submission plus B times the estimate, B uniform in `factor`; the cost of a
//! migration is uniform in `cost`. Both replace those of the model or list, and are rounded to the
//! nearest tick.

use super::estimates::check_factor;
use super::file;
use crate::error::{At, Fault, ensure};
use gridsat_cluster::{ParallelJob, Source};
use gridsat_engine::time::Time;
use gridsat_model::{Scale, Ticks};
use gridsat_statistics::random::{stream, unit};

/// Larger costs, in seconds, are rejected as typing errors.
const MAX_COST: f64 = 1e9;

/// How deadlines and migration costs are drawn, each if it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct TermRules {
    deadlines: Option<[f64; 2]>,
    migration: Option<[f64; 2]>,
}

impl TermRules {
    pub fn check(given: &file::File) -> Result<Self, Fault> {
        let (deadlines, migration) = (given.deadlines.factor, given.migration.cost);
        deadlines.map_or(Ok(()), check_factor).at("deadlines")?;
        if let Some([low, high]) = migration {
            ensure(low >= 0.0 && low <= high && high <= MAX_COST, || {
                format!("cost is [{low}, {high}], not a range from 0 to {MAX_COST:e} seconds")
            })
            .at("migration")?;
        }
        Ok(Self { deadlines, migration })
    }

    pub fn are_any(&self) -> bool {
        self.deadlines.is_some() || self.migration.is_some()
    }

    /// The same jobs with these deadlines and costs.
    pub fn over(self, jobs: Source, seed: u64, scale: Scale) -> Source {
        if !self.are_any() {
            return jobs;
        }
        let random = |name| stream(seed, name, 0);
        let mut deadlines = random("clusters/deadlines");
        let mut migrations = random("clusters/migrations");
        let seconds = scale.ticks_per_unit().as_f64();
        Box::new(jobs.map(move |job| {
            let mut job: ParallelJob = job?;
            let terms = job.terms.get_or_insert_default();
            if let Some([low, high]) = self.deadlines {
                let factor = low + (high - low) * unit(&mut deadlines);
                let allowed = libm::round(job.rigid.estimate.as_f64() * factor);
                terms.deadline = Some(Time(job.rigid.submit) + Ticks::truncated(allowed));
            }
            if let Some([low, high]) = self.migration {
                let cost = low + (high - low) * unit(&mut migrations);
                terms.migration = Ticks::truncated(libm::round(cost * seconds));
            }
            Ok(job)
        }))
    }
}
