//! Jobs that need more than one amount of work on one PE: instructions and I/O operations, several
//! PEs, memory.
//!
//! A [`Composite`] is behind a pointer in [`Demand`], so that jobs with an amount of work only, of
//! which there may be millions, are no larger.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use super::{Demand, Distribution, Unit, streams};
use gridsat_statistics::random::stream;

/// What a job needs that is not only an amount of work on one PE.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Composite {
    /// Million instructions on each of its PEs; 0 for a job that needs only operations.
    pub instructions: f64,
    /// I/O operations, done before the instructions; 0 for a job that needs only instructions.
    pub operations: f64,
    /// Number of PEs that it needs at once.
    pub pes: u32,
    /// Bytes of memory that it occupies while it runs.
    pub memory: u64,
}

impl Composite {
    /// A job with only this demand. Jobs with a time on each resource have none.
    pub fn of(demand: &Demand) -> Option<Self> {
        let (instructions, operations) = match *demand {
            Demand::Instructions(amount) => (amount, 0.0),
            Demand::Operations(amount) => (0.0, amount),
            Demand::Composite(ref all) => return Some(**all),
            Demand::Times(_) => return None,
        };
        Some(Self { instructions, operations, pes: 1, memory: 0 })
    }

    /// Whether it needs instructions and operations.
    pub fn has_both(&self) -> bool {
        self.instructions > 0.0 && self.operations > 0.0
    }

    /// The unit of the resource to which the job is sent.
    pub fn unit(&self) -> Unit {
        if self.instructions > 0.0 { Unit::Instructions } else { Unit::Operations }
    }

    /// The amount of work there.
    pub fn amount(&self) -> f64 {
        if self.instructions > 0.0 { self.instructions } else { self.operations }
    }

    /// The same with another amount of work.
    pub fn scaled(self, factor: f64) -> Self {
        let (instructions, operations) = (self.instructions * factor, self.operations * factor);
        Self { instructions, operations, ..self }
    }

    /// As a demand, in the shortest form.
    pub fn demand(self) -> Demand {
        if self.has_both() || self.pes > 1 || self.memory > 0 {
            return Demand::Composite(Arc::new(self));
        }
        self.unit().demand(self.amount())
    }
}

/// What each job of a group of users needs in addition to its work.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extras {
    /// Bytes of memory, rounded to a whole number.
    pub memory: Option<Distribution>,
    /// I/O operations of jobs that need instructions.
    pub operations: Option<Distribution>,
    /// Number of PEs that a job needs at once; 0 and 1 are the same.
    pub pes: u32,
}

impl Extras {
    /// Draws them for the jobs of this group; `None` if there are none.
    pub(super) fn start(&self, seed: u64, group: u64) -> Option<Box<ExtraDraws>> {
        let is_plain = self.memory.is_none() && self.operations.is_none() && self.pes <= 1;
        let draws = || ExtraDraws {
            extras: self.clone(),
            memory: stream(seed, streams::MEMORY, group),
            operations: stream(seed, streams::OPERATIONS, group),
        };
        (!is_plain).then(|| Box::new(draws()))
    }
}

/// Draws what jobs need in addition.
#[derive(Clone, Debug)]
pub(super) struct ExtraDraws {
    extras: Extras,
    memory: ChaCha8Rng,
    operations: ChaCha8Rng,
}

impl ExtraDraws {
    /// The demand of the next job.
    pub fn add(&mut self, demand: Demand) -> Demand {
        let Some(mut job) = Composite::of(&demand) else { return demand };
        if let Some(memory) = &self.extras.memory {
            // The conversion to integers saturates.
            job.memory = memory.sample(&mut self.memory).round() as u64;
        }
        if let Some(operations) = &self.extras.operations {
            job.operations = operations.sample(&mut self.operations);
        }
        job.pes = self.extras.pes.max(1);
        job.demand()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_scaled_and_memory_is_not() {
        let job = Composite::of(&Demand::Operations(4.0)).expect("an amount");
        let job = Composite { memory: 7, pes: 3, ..job }.scaled(0.5);
        assert_eq!((job.unit(), job.amount()), (Unit::Operations, 2.0));
        assert_eq!((job.memory, job.pes), (7, 3));
        assert!(Composite::of(&Demand::Times(Arc::new(Vec::new()))).is_none());
        let both = Composite { instructions: 3.0, ..job };
        assert_eq!((both.unit(), both.amount(), both.has_both()), (Unit::Instructions, 3.0, true));
        assert_eq!(Composite::of(&both.demand()), Some(both));
    }

    #[test]
    fn an_amount_on_one_pe_stays_small() {
        for demand in [Demand::Instructions(4.0), Demand::Operations(4.0)] {
            assert_eq!(Composite::of(&demand).map(Composite::demand), Some(demand));
        }
    }

    #[test]
    fn each_job_draws_its_extras() {
        let uniform = |low, high| Some(Distribution::uniform(low, high).expect("valid"));
        let extras = Extras { memory: uniform(10.0, 20.0), operations: uniform(1.0, 2.0), pes: 2 };
        let mut draws = extras.start(1, 0).expect("some");
        let job = |demand| Composite::of(&demand).expect("an amount");
        let drawn: Vec<Composite> =
            (0..50).map(|_| job(draws.add(Demand::Instructions(1.0)))).collect();
        assert!(drawn.iter().all(|job| (10..=20).contains(&job.memory) && job.pes == 2));
        assert!(drawn.iter().all(|job| (1.0..2.0).contains(&job.operations)));
        let memory = drawn.iter().map(|job| job.memory);
        assert!(memory.clone().min() < memory.max());
        assert!(Extras::default().start(1, 0).is_none());
        // One extra does not change the others.
        let mut only = Extras { operations: None, ..extras }.start(1, 0).expect("some");
        assert_eq!(job(only.add(Demand::Instructions(1.0))).memory, drawn[0].memory);
    }
}
