//! Hyper-gamma: one of two gamma distributions, as logarithms of run times have it.

use rand_chacha::ChaCha8Rng;

use super::{Distribution, WorkloadError, gamma_below};
use gridsat_statistics::random::unit;

/// Gamma(a1, b1) with some probability p, else gamma(a2, b2); b is the scale, so means are a·b.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HyperGamma {
    shapes: [f64; 2],
    scales: [f64; 2],
    gammas: [Distribution; 2],
}

impl HyperGamma {
    /// The shape and scale of the first, then of the second.
    pub fn new(first: (f64, f64), second: (f64, f64)) -> Result<Self, WorkloadError> {
        let gammas =
            [Distribution::gamma(first.0, first.1)?, Distribution::gamma(second.0, second.1)?];
        Ok(Self { shapes: [first.0, second.0], scales: [first.1, second.1], gammas })
    }

    /// Draws a number, the first gamma with probability p.
    pub fn sample(&self, p: f64, random: &mut ChaCha8Rng) -> f64 {
        let which = usize::from(unit(random) >= p);
        self.gammas[which].sample(random)
    }

    /// How likely the first and the second are at most x.
    pub fn below(&self, x: f64) -> [f64; 2] {
        [0, 1].map(|which| gamma_below(self.shapes[which], self.scales[which], x))
    }
}
