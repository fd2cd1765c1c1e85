//! The PEs of a resource, and the run times of jobs on them.
//!
//! A resource consists of machines, each with a number of PEs of one rate. The work of a job is
//! given as its time on the fastest PE. On a PE of rate `r` it takes longer by the factor
//! `r_max / r`, rounded to the nearest tick. Allocation policies use only times, not rates.

use gridsat_model::Ticks;
use thiserror::Error;

use crate::work::Work;

/// Why a list of machines is invalid.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PesError {
    /// There are no PEs.
    #[error("a resource needs at least one PE")]
    None,
    /// More than [`Pes::MAX`].
    #[error("a resource has at most {} PEs", Pes::MAX)]
    TooMany,
    /// A rate that is not a finite number above 0.
    #[error("a PE's rate must be a positive number of MIPS, not {0}")]
    Rate(f64),
    /// The ratio of the rates overflows.
    #[error("PEs of {slowest} and {fastest} MIPS are too far apart")]
    Ratio {
        /// The lowest rate.
        slowest: f64,
        /// The highest rate.
        fastest: f64,
    },
}

/// The PEs of a resource, at least one, numbered from 0 in the order of its machines.
#[derive(Clone, Debug, PartialEq)]
pub struct Pes {
    fastest: f64,
    slowdowns: Vec<f64>,
}

impl Pes {
    /// Larger numbers are rejected as typing errors.
    pub const MAX: u32 = 1_000_000;

    /// The PEs of machines, each given as a number of PEs and their rate in MIPS.
    pub fn new(machines: &[(u32, f64)]) -> Result<Self, PesError> {
        if let Some(&(_, rate)) = machines.iter().find(|(_, rate)| !is_rate(*rate)) {
            return Err(PesError::Rate(rate));
        }
        match machines.iter().map(|&(pes, _)| u64::from(pes)).sum::<u64>() {
            0 => return Err(PesError::None),
            pes if pes > u64::from(Self::MAX) => return Err(PesError::TooMany),
            _ => {}
        }
        let rates = machines.iter().filter(|(pes, _)| *pes > 0).map(|&(_, rate)| rate);
        let (slowest, fastest) =
            rates.fold((f64::MAX, 0.0_f64), |(low, high), rate| (low.min(rate), high.max(rate)));
        if !is_rate(fastest / slowest) {
            return Err(PesError::Ratio { slowest, fastest });
        }
        let slowdowns = machines
            .iter()
            .flat_map(|&(pes, rate)| std::iter::repeat_n(fastest / rate, pes as usize))
            .collect();
        Ok(Self { fastest, slowdowns })
    }

    /// Number of PEs.
    pub fn count(&self) -> u32 {
        u32::try_from(self.slowdowns.len()).expect("at most Pes::MAX")
    }

    /// Rate of the fastest PE, in MIPS.
    pub fn fastest(&self) -> f64 {
        self.fastest
    }

    /// Whether all PEs have the same rate.
    pub fn are_alike(&self) -> bool {
        self.slowdowns.iter().all(|&slowdown| slowdown == 1.0)
    }

    /// Run time on this PE divided by that on the fastest, at least 1.
    pub fn slowdown(&self, pe: u32) -> f64 {
        self.slowdowns[pe as usize]
    }

    /// All PEs, fastest first; equal ones in order of number.
    pub(super) fn by_speed(&self) -> Vec<u32> {
        let mut pes: Vec<u32> = (0..self.count()).collect();
        pes.sort_by(|&a, &b| self.slowdown(a).total_cmp(&self.slowdown(b)));
        pes
    }

    /// Converts work of the fastest PE to work of this PE: whole ticks unless it is equally fast.
    pub(super) fn onto(&self, pe: u32, work: Work) -> Work {
        match self.slowdown(pe) {
            1.0 => work,
            // The conversion saturates at the largest u64, which is effectively never.
            slowdown => Work::of(Ticks((work.in_ticks() * slowdown).round() as u64)),
        }
    }

    /// Converts work left on this PE to work of the fastest.
    pub(super) fn off(&self, pe: u32, work: Work) -> Work {
        match self.slowdown(pe) {
            1.0 => work,
            slowdown => Work((work.0 as f64 / slowdown).round() as u128),
        }
    }
}

fn is_rate(rate: f64) -> bool {
    rate.is_finite() && rate > 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slows_jobs_down_by_the_ratio_of_rates() {
        let pes = Pes::new(&[(1, 300.0), (0, 900.0), (2, 400.0)]).expect("three");
        assert_eq!((pes.count(), pes.fastest(), pes.are_alike()), (3, 400.0, false));
        assert_eq!(pes.by_speed(), [1, 2, 0]);
        assert_eq!(pes.onto(0, Work::of(Ticks(10))), Work::of(Ticks(13)));
        assert_eq!(pes.onto(1, Work::of(Ticks(10))), Work::of(Ticks(10)));
        assert_eq!(pes.off(0, Work::of(Ticks(12))), Work::of(Ticks(9)));
    }

    #[test]
    fn refuses_what_cannot_run_anything() {
        assert_eq!(Pes::new(&[]), Err(PesError::None));
        assert_eq!(Pes::new(&[(0, 1.0)]), Err(PesError::None));
        assert_eq!(Pes::new(&[(1, 0.0)]), Err(PesError::Rate(0.0)));
        assert_eq!(Pes::new(&[(1, 1.0), (0, -1.0)]), Err(PesError::Rate(-1.0)));
        assert!(matches!(Pes::new(&[(1, f64::NAN)]), Err(PesError::Rate(_))));
        assert_eq!(Pes::new(&[(u32::MAX, 1.0), (1, 1.0)]), Err(PesError::TooMany));
        assert!(matches!(Pes::new(&[(1, 1e-200), (1, 1e200)]), Err(PesError::Ratio { .. })));
    }
}
