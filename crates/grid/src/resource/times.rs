//! Run time of a job on a resource, alone and at full speed, and its cost.

use super::Resource;
use crate::economy::Money;
use crate::grid::{ResourceId, ResourceSpec};
use gridsat_model::{Scale, Ticks};
use gridsat_workload::{Composite, Demand, JobSpec};

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
        Some(self.price_of(job, self.true_time(job)?))
    }

    /// Price of a job that takes this long here.
    #[inline]
    pub(crate) fn price_of(&self, job: &JobSpec, time: Ticks) -> Money {
        let price = self.spec.price;
        if price == Money::ZERO {
            return price;
        }
        price.times(charged(&self.spec, job, time, self.scale), self.scale)
    }

    /// The device that the job uses before its PEs, and the true time there; `None` if it needs
    /// only one of them.
    pub(crate) fn io_phase(&self, job: &JobSpec) -> Option<(ResourceId, Ticks)> {
        self.device_phase(job, 1.0)
    }

    /// Estimated time at the device before the PEs.
    pub(crate) fn believed_io(&self, job: &JobSpec) -> Ticks {
        self.device_phase(job, job.estimate).map_or(Ticks(0), |(_, time)| time)
    }

    fn device_phase(&self, job: &JobSpec, factor: f64) -> Option<(ResourceId, Ticks)> {
        let Demand::Composite(all) = &job.demand else { return None };
        let device = self.spec.device.filter(|_| all.has_both())?;
        Some((device.resource, device_time(all, device.rate, factor, self.scale)))
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
        Demand::Composite(job) if !can_hold(spec, job) => None,
        Demand::Composite(job) => Some(nearest(job.amount() * factor * ticks_per_instruction)),
    }
}

/// Whether the resource has as many PEs, a device, and as much memory as the job needs, at least
/// while its owners use none.
fn can_hold(spec: &ResourceSpec, job: &Composite) -> bool {
    let has_pes = job.pes <= 1 || spec.policy.has_wide_jobs() && job.pes <= spec.pes.count();
    let has_memory = spec.memory.as_ref().is_none_or(|memory| job.memory <= memory.size.0);
    has_pes && has_memory && (!job.has_both() || spec.device.is_some())
}

/// PE time and device time that a job is charged for if it takes this long on each of its PEs.
pub(crate) fn charged(spec: &ResourceSpec, job: &JobSpec, time: Ticks, scale: Scale) -> Ticks {
    let Demand::Composite(all) = &job.demand else { return time };
    let pes = time.0.saturating_mul(all.pes.into());
    let device = spec.device.filter(|_| all.has_both());
    let io = device.map_or(Ticks(0), |device| device_time(all, device.rate, 1.0, scale));
    Ticks(pes).saturating_add(io)
}

fn device_time(job: &Composite, rate: f64, factor: f64, scale: Scale) -> Ticks {
    nearest(job.operations * factor * (scale.ticks_per_unit().as_f64() / rate))
}

/// Rounded to the nearest integer.
#[inline]
pub(super) fn nearest(ticks: f64) -> Ticks {
    // The conversion to signed integers takes half the instructions, and no job takes 2^63 ticks.
    Ticks((ticks + 0.5) as i64 as u64)
}
