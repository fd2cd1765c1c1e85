//! Distributions of job sizes, interarrival times and times between failures.
//!
//! All values are at least 0. Logarithm, cosine and powers come from a Rust library, not from the
//! system, so that the same seed gives the same bytes on every machine. Weibull by inversion, gamma
//! by the method of Marsaglia and Tsang (ACM TOMS 26, 2000) without its squeeze test, which would
//! only save logarithms.

use std::f64::consts::TAU;

use rand_chacha::ChaCha8Rng;

use super::{WorkloadError, check_number};
use gridsat_statistics::random::unit;

/// A distribution of nonnegative numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distribution(Law);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Law {
    Constant(f64),
    Uniform { low: f64, high: f64 },
    Exponential { mean: f64 },
    Normal { mean: f64, deviation: f64 },
    Weibull { shape: f64, scale: f64 },
    LogNormal { mu: f64, sigma: f64 },
    Gamma { shape: f64, scale: f64 },
}

impl Distribution {
    /// Always the same value.
    pub fn constant(value: f64) -> Result<Self, WorkloadError> {
        check_number("constant", value)?;
        Ok(Self(Law::Constant(value)))
    }

    /// Uniform between two numbers.
    pub fn uniform(low: f64, high: f64) -> Result<Self, WorkloadError> {
        check_number("lower end", low)?;
        check_number("upper end", high)?;
        if low > high {
            return Err(WorkloadError::Reversed { low, high });
        }
        Ok(Self(Law::Uniform { low, high }))
    }

    /// Exponential: the interarrival times of a Poisson process with 1 / mean events per second.
    pub fn exponential(mean: f64) -> Result<Self, WorkloadError> {
        check_number("mean", mean)?;
        Ok(Self(Law::Exponential { mean }))
    }

    /// Normal, truncated below 0, which makes the mean larger than the one given.
    pub fn normal(mean: f64, deviation: f64) -> Result<Self, WorkloadError> {
        check_number("mean", mean)?;
        check_number("standard deviation", deviation)?;
        Ok(Self(Law::Normal { mean, deviation }))
    }

    /// Weibull. The failure rate falls for a shape below 1 and rises for one above 1; shape 1 is
    /// exponential with mean `scale`.
    pub fn weibull(shape: f64, scale: f64) -> Result<Self, WorkloadError> {
        check_shape(shape)?;
        check_number("scale", scale)?;
        Ok(Self(Law::Weibull { shape, scale }))
    }

    /// Log-normal: the natural logarithm is normal with this mean and standard deviation.
    pub fn log_normal(mu: f64, sigma: f64) -> Result<Self, WorkloadError> {
        check_number("sigma", sigma)?;
        // `standard_normal` never exceeds 9.
        if !libm::exp(mu + 9.0 * sigma).is_finite() {
            return Err(WorkloadError::LogNormal { mu, sigma });
        }
        Ok(Self(Law::LogNormal { mu, sigma }))
    }

    /// Gamma, with mean `shape · scale`.
    pub fn gamma(shape: f64, scale: f64) -> Result<Self, WorkloadError> {
        check_shape(shape)?;
        check_number("scale", scale)?;
        Ok(Self(Law::Gamma { shape, scale }))
    }

    /// Whether every sample is 0.
    pub fn is_zero(&self) -> bool {
        let largest = match self.0 {
            Law::Constant(value) => value,
            Law::Uniform { high, .. } => high,
            Law::Exponential { mean } => mean,
            Law::Normal { mean, deviation } => mean + deviation,
            Law::Weibull { scale, .. } | Law::Gamma { scale, .. } => scale,
            Law::LogNormal { .. } => 1.0,
        };
        largest == 0.0
    }

    /// Draws a number.
    pub fn sample(&self, random: &mut ChaCha8Rng) -> f64 {
        match self.0 {
            Law::Constant(value) => value,
            Law::Uniform { low, high } => low + (high - low) * unit(random),
            // Equation 3.10 of the thesis, with a rate of 1 / mean.
            Law::Exponential { mean } => -mean * libm::log(1.0 - unit(random)),
            Law::Normal { mean, deviation } => loop {
                // The mean is not negative, so at least half of the samples are accepted.
                let value = mean + deviation * standard_normal(random);
                if value >= 0.0 {
                    return value;
                }
            },
            Law::Weibull { shape, scale } => {
                scale * libm::pow(-libm::log(1.0 - unit(random)), 1.0 / shape)
            }
            Law::LogNormal { mu, sigma } => libm::exp(mu + sigma * standard_normal(random)),
            Law::Gamma { shape, scale } => scale * standard_gamma(shape, random),
        }
    }
}

fn check_shape(shape: f64) -> Result<(), WorkloadError> {
    let is_valid = shape.is_finite() && shape > 0.0;
    if is_valid { Ok(()) } else { Err(WorkloadError::Shape { value: shape }) }
}

/// Gamma with scale 1. Shapes below 1 are reduced to the shape one larger.
fn standard_gamma(shape: f64, random: &mut ChaCha8Rng) -> f64 {
    if shape < 1.0 {
        let factor = libm::pow(1.0 - unit(random), 1.0 / shape);
        return factor * standard_gamma(shape + 1.0, random);
    }
    let d = shape - 1.0 / 3.0;
    loop {
        let x = standard_normal(random);
        let root = 1.0 + x / (9.0 * d).sqrt();
        let (v, u) = (root * root * root, 1.0 - unit(random));
        if v > 0.0 && libm::log(u) < 0.5 * x * x + d - d * v + d * libm::log(v) {
            return d * v;
        }
    }
}

/// The first number of Box and Muller's pair. The second is discarded, so that no sample depends on
/// earlier ones.
fn standard_normal(random: &mut ChaCha8Rng) -> f64 {
    let radius = (-2.0 * libm::log(1.0 - unit(random))).sqrt();
    radius * libm::cos(TAU * unit(random))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_nonsense_in_one_line() {
        let errors = [
            (Distribution::constant(f64::NAN), "constant is NaN, not a number >= 0"),
            (Distribution::uniform(2.0, 1.0), "uniform from 2 to 1: the upper end is smaller"),
            (Distribution::uniform(-1.0, 1.0), "lower end is -1, not a number >= 0"),
            (Distribution::uniform(0.0, f64::INFINITY), "upper end is inf, not a number >= 0"),
            (Distribution::exponential(-0.5), "mean is -0.5, not a number >= 0"),
            (Distribution::normal(1.0, -1.0), "standard deviation is -1, not a number >= 0"),
            (Distribution::weibull(0.0, 1.0), "shape is 0, not a number above 0"),
            (Distribution::weibull(1.0, -2.0), "scale is -2, not a number >= 0"),
            (Distribution::gamma(f64::NAN, 1.0), "shape is NaN, not a number above 0"),
            (Distribution::log_normal(0.0, -1.0), "sigma is -1, not a number >= 0"),
            (
                Distribution::log_normal(700.0, 2.0),
                "log-normal with 700 and 2 is too large for a number",
            ),
        ];
        for (result, message) in errors {
            assert_eq!(result.expect_err(message).to_string(), message);
        }
    }

    #[test]
    fn knows_what_is_always_0() {
        let zero = [
            Distribution::constant(0.0),
            Distribution::uniform(0.0, 0.0),
            Distribution::exponential(0.0),
            Distribution::normal(0.0, 0.0),
            Distribution::weibull(2.0, 0.0),
            Distribution::gamma(0.5, 0.0),
        ];
        let mut random = gridsat_statistics::random::stream(1, "test", 0);
        for distribution in zero.map(|result| result.expect("valid")) {
            assert!(distribution.is_zero() && distribution.sample(&mut random) == 0.0);
        }
        assert!(!Distribution::uniform(0.0, 1.0).expect("valid").is_zero());
    }
}
