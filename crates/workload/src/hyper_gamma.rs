//! The hyper-gamma distribution: a mixture of two gamma distributions, used for logarithms of run
//! times.

use rand_chacha::ChaCha8Rng;

use super::{Distribution, WorkloadError, gamma_below};
use gridsat_statistics::random::unit;

/// Gamma(a1, b1) with a probability p given per sample, else gamma(a2, b2); b is the scale, so
/// means are a·b.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HyperGamma {
    shapes: [f64; 2],
    scales: [f64; 2],
    gammas: [Distribution; 2],
}

impl HyperGamma {
    /// From shape and scale of the first and of the second gamma distribution.
    pub fn new(first: (f64, f64), second: (f64, f64)) -> Result<Self, WorkloadError> {
        let gammas =
            [Distribution::gamma(first.0, first.1)?, Distribution::gamma(second.0, second.1)?];
        Ok(Self { shapes: [first.0, second.0], scales: [first.1, second.1], gammas })
    }

    /// Draws from the first gamma with probability p, else from the second.
    pub fn sample(&self, p: f64, random: &mut ChaCha8Rng) -> f64 {
        let which = usize::from(unit(random) >= p);
        self.gammas[which].sample(random)
    }

    /// The distribution functions of the first and the second gamma at x.
    pub fn below(&self, x: f64) -> [f64; 2] {
        [0, 1].map(|which| gamma_below(self.shapes[which], self.scales[which], x))
    }
}
