//! `[perturbation]`: run times that vary at random, as in Beosim.
//!
//! The run time of a job is multiplied by a number uniform in `factor` and rounded up to a tick.
//! One number per job, in order of arrival, so that every policy sees the same run times. Estimates
//! and deadlines are made before: users do not know how their jobs will vary.

use super::estimates::{check_factor, times};
use super::file;
use crate::error::Fault;
use gridsat_cluster::{ParallelJob, Source};
use gridsat_model::Ticks;
use gridsat_statistics::random::{stream, unit};

/// The range of factors, if run times vary.
#[derive(Clone, Copy, Debug)]
pub(super) struct Perturbation(Option<[f64; 2]>);

impl Perturbation {
    pub fn check(given: &file::Perturbation) -> Result<Self, Fault> {
        given.factor.map_or(Ok(()), check_factor)?;
        Ok(Self(given.factor))
    }

    /// The same jobs with these run times.
    pub fn over(self, jobs: Source, seed: u64) -> Source {
        let Some([low, high]) = self.0 else { return jobs };
        let mut random = stream(seed, "clusters/perturbation", 0);
        Box::new(jobs.map(move |job| {
            let mut job: ParallelJob = job?;
            let factor = low + (high - low) * unit(&mut random);
            if job.rigid.run > Ticks(0) {
                job.rigid.run = times(job.rigid.run, factor);
            }
            Ok(job)
        }))
    }
}
