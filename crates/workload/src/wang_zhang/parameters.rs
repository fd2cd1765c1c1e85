//! The constants of the model and their valid ranges.

use super::super::parameters::{
    ModelError, check, check_order, check_positive, check_probabilities, parameters,
};
use super::super::two_stage;

parameters! {
    /// The parameters of the model. Defaults that the paper does not give are our choice:
    /// `schedulers` to `s` as in its examples, estimates up to twice the run time, migration up to
    /// a minute.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct WangZhangParameters {
        /// Probability that a job is serial (p1).
        pub serial: f64,
        /// Probability that the size of a parallel job is a power of two (p2).
        pub power2: f64,
        sizes and run times;
        /// Probability of a short run time.
        pub p: f64,
        /// Base of the logarithms of run times.
        pub log_base: f64,
        /// Shape of interarrival times.
        pub agap: f64,
        /// Scale of interarrival times, in seconds.
        pub bgap: f64,
        /// Factor on interarrival times.
        pub s: f64,
        /// Number of schedulers that receive jobs.
        pub schedulers: f64,
        /// Ratio of the numbers of jobs of successive schedulers (α).
        pub alpha: f64,
        /// Smallest estimate, as a multiple of the run time (E₁).
        pub e1: f64,
        /// Largest estimate, as a multiple of the run time (E₂).
        pub e2: f64,
        /// Tightest deadline, as a multiple of the estimate (B₁).
        pub deadline1: f64,
        /// Loosest deadline, as a multiple of the estimate (B₂).
        pub deadline2: f64,
        /// Smallest migration cost, in seconds (D₁).
        pub migration1: f64,
        /// Largest migration cost, in seconds (D₂).
        pub migration2: f64,
    }
}

impl Default for WangZhangParameters {
    fn default() -> Self {
        Self {
            serial: 0.21,
            power2: 0.89,
            ulow: 0.8,
            umed: 4.5,
            uhi: 7.0,
            uprob: 0.86,
            a1: 10.74,
            b1: 0.55,
            a2: 37.96,
            b2: 0.37,
            p: 0.577,
            log_base: 2.0,
            agap: 8.17,
            bgap: 3.96,
            s: 1.0,
            schedulers: 8.0,
            alpha: 1.0,
            e1: 1.0,
            e2: 2.0,
            deadline1: 2.0,
            deadline2: 6.0,
            migration1: 0.0,
            migration2: 60.0,
        }
    }
}

impl WangZhangParameters {
    /// Largest number of schedulers accepted.
    const MOST_SCHEDULERS: f64 = 1e6;

    /// Largest size a job can have, in nodes.
    pub fn largest(&self) -> u32 {
        two_stage::size(libm::round(self.uhi)).max(two_stage::size(self.uhi))
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        check_probabilities(&[("serial", self.serial), ("power2", self.power2)])?;
        check_probabilities(&[("uprob", self.uprob), ("p", self.p)])?;
        check_order(&[("ulow", self.ulow), ("umed", self.umed), ("uhi", self.uhi)])?;
        check(&[("uhi", self.uhi)], "below 31.5", |value| value < 31.5)?;
        check(&[("ulow", self.ulow)], "at least 0.5", |value| value >= 0.5)?;
        check_positive(&[("a1", self.a1), ("b1", self.b1), ("a2", self.a2), ("b2", self.b2)])?;
        check_positive(&[("agap", self.agap), ("bgap", self.bgap), ("s", self.s)])?;
        check(&[("s", self.s)], "at most 1000000", |value| value <= 1e6)?;
        let above_one = |value: f64| value.is_finite() && value > 1.0;
        check(&[("log_base", self.log_base)], "a number above 1", above_one)?;
        let count =
            |value: f64| value.fract() == 0.0 && (1.0..=Self::MOST_SCHEDULERS).contains(&value);
        check(&[("schedulers", self.schedulers)], "a whole number from 1 to 1000000", count)?;
        let ratio = |value: f64| value.is_finite() && value >= 1.0;
        check(&[("alpha", self.alpha)], "a number >= 1", ratio)?;
        check_order(&[("e1", self.e1), ("e2", self.e2)])?;
        check_order(&[("deadline1", self.deadline1), ("deadline2", self.deadline2)])?;
        check_order(&[("migration1", self.migration1), ("migration2", self.migration2)])?;
        self.check_redraws()
    }

    /// Checks that sizes other than powers of two are likely enough for the redraws to terminate.
    fn check_redraws(&self) -> Result<(), ModelError> {
        let powers: f64 = (0..=31).map(|k| self.log_sizes().size(1 << k)).sum();
        if self.power2 < 1.0 && powers > 0.99 {
            let (names, problem) = ("ulow, umed, uhi", "almost all sizes are powers of two");
            return Err(ModelError::Together { names, problem });
        }
        Ok(())
    }
}
