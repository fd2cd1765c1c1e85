//! `[estimates]`: replaces the run time estimates of the trace, model or list.
//!
//! With `factor = [a, b]` the estimate is the run time times a number uniform in [a, b], rounded up
//! to a tick: the factor e of Wang and Zhang, for any jobs.

use super::file;
use crate::error::{Fault, ensure};
use gridsat_cluster::{ParallelJob, Source};
use gridsat_model::Ticks;
use gridsat_statistics::random::{stream, unit};

/// Larger factors are rejected as typing errors.
const MAX_FACTOR: f64 = 1e6;

/// How estimates are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum EstimateRule {
    AsGiven,
    Exact,
    Factor(f64, f64),
}

impl EstimateRule {
    pub fn check(given: &file::Estimates) -> Result<Self, Fault> {
        match (given.exact.unwrap_or(false), given.factor) {
            (false, None) => Ok(Self::AsGiven),
            (true, None) => Ok(Self::Exact),
            (true, Some(_)) => Err(Fault::Exclusive { one: "exact", other: "factor" }),
            (false, Some([low, high])) => {
                check_factor([low, high])?;
                Ok(Self::Factor(low, high))
            }
        }
    }

    /// The same jobs with these estimates.
    pub fn over(self, jobs: Source, seed: u64) -> Source {
        let (low, high) = match self {
            Self::AsGiven => return jobs,
            Self::Exact => (1.0, 1.0),
            Self::Factor(low, high) => (low, high),
        };
        let mut random = stream(seed, "clusters/estimates", 0);
        Box::new(jobs.map(move |job| {
            let mut job: ParallelJob = job?;
            let factor = low + (high - low) * unit(&mut random);
            job.rigid.estimate = times(job.rigid.run, factor);
            Ok(job)
        }))
    }
}

/// Fails unless the two are a range of factors.
pub(super) fn check_factor([low, high]: [f64; 2]) -> Result<(), Fault> {
    ensure(low > 0.0 && low <= high && high <= MAX_FACTOR, || {
        format!("factor is [{low}, {high}], not a range above 0 and up to {MAX_FACTOR:e}")
    })
}

/// Rounded up to a tick; exact for a factor of 1.
pub(super) fn times(run: Ticks, factor: f64) -> Ticks {
    if factor == 1.0 { run } else { Ticks::truncated((run.as_f64() * factor).ceil()).max(Ticks(1)) }
}
