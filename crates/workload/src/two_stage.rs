//! The two-stage uniform distribution: uniform below a middle and uniform above it. Used for
//! logarithms of job sizes.

use rand_chacha::ChaCha8Rng;

use gridsat_statistics::random::unit;

/// Uniform from `low` to `middle` with probability `share`, else uniform from `middle` to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoStage {
    /// Smallest value.
    pub low: f64,
    /// Value where the stages meet.
    pub middle: f64,
    /// Largest value.
    pub high: f64,
    /// Probability of the lower stage, from 0 to 1.
    pub share: f64,
}

impl TwoStage {
    /// Draws a number.
    pub fn sample(&self, random: &mut ChaCha8Rng) -> f64 {
        let is_low = unit(random) < self.share;
        let (from, to) = if is_low { (self.low, self.middle) } else { (self.middle, self.high) };
        from + (to - from) * unit(random)
    }

    /// The distribution function at x.
    pub fn below(&self, x: f64) -> f64 {
        let part = |from: f64, to: f64| {
            if x >= to { 1.0 } else { ((x - from) / (to - from)).max(0.0) }
        };
        self.share * part(self.low, self.middle) + (1.0 - self.share) * part(self.middle, self.high)
    }

    /// Probability that 2 to the power of a sample, rounded, is this size.
    pub fn size(&self, size: u32) -> f64 {
        let exponent = |x: f64| libm::log2(x);
        self.between(exponent(f64::from(size) - 0.5), exponent(f64::from(size) + 0.5))
    }

    /// Probability that a sample, rounded, is this exponent.
    pub fn exponent(&self, exponent: u32) -> f64 {
        self.between(f64::from(exponent) - 0.5, f64::from(exponent) + 0.5)
    }

    fn between(&self, from: f64, to: f64) -> f64 {
        self.below(to) - self.below(from)
    }
}

/// 2 to the power of x, rounded to the nearest integer; saturates at the largest `u32`.
pub(super) fn size(x: f64) -> u32 {
    libm::round(libm::exp2(x)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_through_its_three_points() {
        let two = TwoStage { low: 0.8, middle: 4.5, high: 7.0, share: 0.86 };
        for (x, expected) in [
            (0.0, 0.0),
            (0.8, 0.0),
            (2.65, 0.43),
            (4.5, 0.86),
            (5.75, 0.93),
            (7.0, 1.0),
            (9.0, 1.0),
        ] {
            assert!((two.below(x) - expected).abs() < 1e-12, "{x}: {}", two.below(x));
        }
        let sizes: f64 = (1..=200).map(|k| two.size(k)).sum();
        let exponents: f64 = (0..=8).map(|k| two.exponent(k)).sum();
        assert!((sizes - 1.0).abs() < 1e-12 && (exponents - 1.0).abs() < 1e-12);
    }
}
