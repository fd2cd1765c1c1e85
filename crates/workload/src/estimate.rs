//! Errors of run time estimates, for schedulers that do not know how long jobs take.
//!
//! Either the given size is true and the estimate is wrong (thesis, figure 4.16), or the given size
//! is the estimate and the true size differs (`GridSimRandom.real` of GridSim).

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::{Demand, JobSpec, WorkloadError, streams};
use gridsat_model::Ticks;
use gridsat_statistics::random::{stream, unit};

/// How estimates and true sizes differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EstimateError {
    /// They are equal.
    None,
    /// The estimate differs from the size by up to this percentage: size · (1 ± U · max / 100),
    /// both signs equally likely.
    Thesis {
        /// Largest error in percent, from 0 to below 100.
        max_percent: f64,
    },
    /// The true size is uniform between (1 - less) and (1 + more) times the given one.
    GridSim {
        /// Largest share of the given size that the true size may lack, from 0 to 1.
        less: f64,
        /// Largest share of the given size that the true size may add, from 0 to 1.
        more: f64,
    },
}

impl EstimateError {
    /// The same jobs with estimate errors; `group` selects the random stream of the jobs' group.
    pub fn over<J>(self, jobs: J, seed: u64, group: u64) -> Result<Misjudged<J>, WorkloadError> {
        self.check()?;
        Ok(Misjudged { jobs, error: self, random: stream(seed, streams::ERRORS, group) })
    }

    fn check(self) -> Result<(), WorkloadError> {
        let factor = |what, value| match (0.0..=1.0).contains(&value) {
            true => Ok(()),
            false => Err(WorkloadError::ErrorFactor { what, value }),
        };
        match self {
            Self::None => Ok(()),
            Self::Thesis { max_percent } if (0.0..100.0).contains(&max_percent) => Ok(()),
            Self::Thesis { max_percent } => Err(WorkloadError::ErrorPercent { value: max_percent }),
            Self::GridSim { less, more } => factor("less", less).and(factor("more", more)),
        }
    }

    fn apply(self, job: &mut JobSpec, random: &mut ChaCha8Rng) {
        match self {
            Self::None => {}
            Self::Thesis { max_percent } => {
                let share = unit(random) * max_percent / 100.0;
                let over = unit(random) > 0.5;
                job.estimate *= if over { 1.0 + share } else { 1.0 - share };
            }
            Self::GridSim { less, more } => {
                // In (0, 1], so that the size is not 0.
                let draw = 1.0 - unit(random);
                let factor = 1.0 - less + (less + more) * draw;
                job.demand = scaled(&job.demand, factor);
                job.estimate /= factor;
            }
        }
    }
}

/// Scales a demand. Times are rounded to the nearest tick, but not to 0.
fn scaled(demand: &Demand, factor: f64) -> Demand {
    let ticks = |time: Ticks| Ticks::truncated((time.as_f64() * factor).round());
    match demand {
        Demand::Instructions(size) => Demand::Instructions(size * factor),
        Demand::Operations(size) => Demand::Operations(size * factor),
        Demand::Times(times) => {
            let time = |time: &Option<Ticks>| time.map(|time| ticks(time).max(time.min(Ticks(1))));
            Demand::Times(Arc::new(times.iter().map(time).collect()))
        }
        Demand::Composite(job) => job.scaled(factor).demand(),
    }
}

/// The jobs of a source, with estimate errors.
#[derive(Clone, Debug)]
pub struct Misjudged<J> {
    jobs: J,
    error: EstimateError,
    random: ChaCha8Rng,
}

impl<J: Iterator<Item = JobSpec>> Iterator for Misjudged<J> {
    type Item = JobSpec;

    fn next(&mut self) -> Option<JobSpec> {
        let mut job = self.jobs.next()?;
        self.error.apply(&mut job, &mut self.random);
        Some(job)
    }
}
