//! The constants of the model, named as in the authors' program.

use super::super::parameters::{
    ModelError, check, check_order, check_positive, check_probabilities, parameters,
};
use super::super::{HyperGamma, gamma_below};
use super::{LONGEST_LOG_GAP, LONGEST_LOG_RUN};

parameters! {
    /// The parameters of one stream of jobs.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct LublinParameters {
        /// Probability that a job is serial.
        pub serial_prob: f64,
        /// Probability that a job is parallel with its size rounded to a power of two.
        pub pow2_prob: f64,
        sizes and run times;
        /// A run time is short with probability `pa · nodes + pb`.
        pub pa: f64,
        /// See `pa`.
        pub pb: f64,
        /// Shape of the logarithm of interarrival times, to be multiplied by `arar`.
        pub aarr: f64,
        /// Scale of the logarithm of interarrival times.
        pub barr: f64,
        /// Shape of the gamma distribution of the daily cycle.
        pub anum: f64,
        /// Scale of the gamma distribution of the daily cycle.
        pub bnum: f64,
        /// Factor on `aarr` that turns interarrival times of rush hours into those of a whole day.
        pub arar: f64,
    }
}

impl LublinParameters {
    /// Number of nodes of the machine that the defaults were fitted to.
    pub const NODES: u32 = 128;

    /// Defaults for jobs without types.
    pub const ALL: Self = Self {
        serial_prob: 0.244,
        pow2_prob: 0.576,
        ulow: 0.8,
        umed: 4.5,
        uhi: 7.0,
        uprob: 0.86,
        a1: 4.2,
        b1: 0.94,
        a2: 312.0,
        b2: 0.03,
        pa: -0.0054,
        pb: 0.78,
        aarr: 10.2303,
        barr: 0.4871,
        anum: 8.1737,
        bnum: 3.9631,
        arar: 1.0225,
    };

    /// Defaults for batch jobs.
    pub const BATCH: Self = Self {
        serial_prob: 0.2927,
        pow2_prob: 0.6686,
        ulow: 1.2,
        umed: 5.0,
        uhi: 7.0,
        uprob: 0.875,
        a1: 6.57,
        b1: 0.823,
        a2: 639.1,
        b2: 0.0156,
        pa: -0.003,
        pb: 0.6986,
        aarr: 6.0415,
        barr: 0.8531,
        anum: 6.1271,
        bnum: 5.2740,
        arar: 1.0519,
    };

    /// Defaults for interactive jobs.
    pub const INTERACTIVE: Self = Self {
        serial_prob: 0.1541,
        pow2_prob: 0.625,
        ulow: 1.0,
        umed: 3.0,
        uhi: 5.5,
        uprob: 0.705,
        a1: 3.8351,
        b1: 0.6605,
        a2: 7.073,
        b2: 0.6856,
        pa: -0.0118,
        pb: 0.9156,
        aarr: 6.5510,
        barr: 0.6621,
        anum: 8.9186,
        bnum: 3.6680,
        arar: 0.9797,
    };

    /// The same parameters for a machine of another size: `uhi` and `umed` keep their distance from
    /// log2 of the nodes, as the authors advise (`umed` 1.5 to 3.5 below `uhi`).
    pub fn on_nodes(mut self, nodes: u32) -> Self {
        let shift = libm::log2(f64::from(nodes.max(1)) / f64::from(Self::NODES));
        self.umed = (self.umed + shift).max(self.ulow);
        self.uhi = (self.uhi + shift).max(self.umed);
        self
    }

    /// Distribution of the logarithms of run times.
    pub fn log_runs(&self) -> Result<HyperGamma, ModelError> {
        Ok(HyperGamma::new((self.a1, self.b1), (self.a2, self.b2))?)
    }

    /// Probability that the run time of a job of this size is short.
    pub fn short_run(&self, nodes: u32) -> f64 {
        (self.pa * f64::from(nodes) + self.pb).clamp(0.0, 1.0)
    }

    /// Shape and scale of the logarithms of interarrival times.
    pub(super) fn log_gaps(&self) -> (f64, f64) {
        (self.aarr * self.arar, self.barr)
    }

    pub(super) fn check(&self) -> Result<(), ModelError> {
        let Self { serial_prob, pow2_prob, ulow, umed, uhi, uprob, a1, b1, a2, b2, .. } = *self;
        let Self { pa, pb, aarr, barr, anum, bnum, arar, .. } = *self;
        check_probabilities(&[("serial_prob", serial_prob), ("pow2_prob", pow2_prob)])?;
        check_probabilities(&[("uprob", uprob)])?;
        if serial_prob + pow2_prob > 1.0 {
            return Err(together("serial_prob and pow2_prob", "together above 1"));
        }
        check_order(&[("ulow", ulow), ("umed", umed), ("uhi", uhi)])?;
        check(&[("uhi", uhi)], "at most 32", |value| value <= 32.0)?;
        check_positive(&[("a1", a1), ("b1", b1), ("a2", a2), ("b2", b2)])?;
        check(&[("pa", pa), ("pb", pb)], "a number", f64::is_finite)?;
        check_positive(&[("aarr", aarr), ("barr", barr), ("arar", arar)])?;
        check_positive(&[("anum", anum), ("bnum", bnum)])?;
        self.check_redraws()
    }

    /// Checks that values within the limits are likely enough for the redraws to terminate.
    fn check_redraws(&self) -> Result<(), ModelError> {
        let [first, second] = self.log_runs()?.below(LONGEST_LOG_RUN);
        let (shape, scale) = self.log_gaps();
        let gaps = gamma_below(shape, scale, LONGEST_LOG_GAP);
        for (names, below) in
            [("a1 and b1", first), ("a2 and b2", second), ("aarr, arar, barr", gaps)]
        {
            if below < 0.01 {
                return Err(together(names, "almost all times are beyond the model's limit"));
            }
        }
        Ok(())
    }
}

fn together(names: &'static str, problem: &'static str) -> ModelError {
    ModelError::Together { names, problem }
}
