//! Run time of a job on a resource, alone and at full speed, and its cost.

use super::Resource;
use crate::economy::Money;
use crate::grid::ResourceSpec;
use gridsat_model::{Scale, Ticks};
use gridsat_workload::{Demand, JobSpec};

impl Resource {
    /// True run time alone on the fastest PE at full speed; `None` if the job cannot run here.
    pub fn true_time(&self, job: &JobSpec) -> Option<Ticks> {
        self.time(job, 1.0)
    }

    /// The same with the size that schedulers assume.
    pub fn believed_time(&self, job: &JobSpec) -> Option<Ticks> {
        self.time(job, job.estimate)
    }

    /// Time of a plain job that was sent here, true and estimated.
    #[inline]
    pub(crate) fn plain_time(&self, amount: f64) -> Ticks {
        nearest(amount * self.ticks_per_instruction)
    }

    /// Whether plain jobs need no more than their time here: no payment, no checkpoints.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.spec.price == Money::ZERO && self.checkpoints().is_none()
    }

    fn time(&self, job: &JobSpec, factor: f64) -> Option<Ticks> {
        time(&self.spec, self.index, self.ticks_per_instruction, job, factor)
    }

    /// Price of the job, which does not depend on its actual run; `None` if it cannot run here.
    pub fn cost(&self, job: &JobSpec) -> Option<Money> {
        Some(self.spec.price.times(self.true_time(job)?, self.scale))
    }
}

/// True run time alone at full speed on the fastest PE; `None` if the job cannot run there.
pub(crate) fn time_at_full_speed(
    spec: &ResourceSpec,
    index: u32,
    job: &JobSpec,
    scale: Scale,
) -> Option<Ticks> {
    time(spec, index, ticks_per_instruction(spec, scale), job, 1.0)
}

pub(super) fn ticks_per_instruction(spec: &ResourceSpec, scale: Scale) -> f64 {
    scale.ticks_per_unit().as_f64() / spec.pes.fastest()
}

#[inline]
fn time(
    spec: &ResourceSpec,
    index: u32,
    ticks_per_instruction: f64,
    job: &JobSpec,
    factor: f64,
) -> Option<Ticks> {
    if job.qos > spec.qos || !spec.serves.can_serve(&job.demand) {
        return None;
    }
    match &job.demand {
        Demand::Instructions(size) | Demand::Operations(size) => {
            Some(nearest(size * factor * ticks_per_instruction))
        }
        Demand::Times(times) => {
            let time = times.get(index as usize).copied().flatten()?;
            Some(if factor == 1.0 { time } else { nearest(time.as_f64() * factor) })
        }
    }
}

/// Rounded to the nearest integer.
#[inline]
pub(super) fn nearest(ticks: f64) -> Ticks {
    // The conversion to signed integers takes half the instructions, and no job takes 2^63 ticks.
    Ticks((ticks + 0.5) as i64 as u64)
}
