//! Mean, standard deviation and confidence interval of a sample.
//!
//! `s² = Σ (x - x̄)² / (n - 1)`. The 95 % confidence interval of the mean is
//! `x̄ ± t · s / √n`, where t is the 97.5 % quantile of Student's distribution with n - 1
//! degrees of freedom.

use super::student_quantile;

/// Summary of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Sample size.
    pub n: usize,
    /// The mean; NaN for an empty sample.
    pub mean: f64,
    /// The standard deviation, dividing by n - 1; `None` with fewer than two numbers, or if it is
    /// not finite.
    pub deviation: Option<f64>,
    /// Half of the 95 % confidence interval of the mean; `None` if there is no deviation.
    pub half_width: Option<f64>,
}

impl Summary {
    /// The summary of a sample in any order.
    pub fn of(values: &[f64]) -> Self {
        let n = values.len();
        let (mean, squares) = mean_and_squares(values);
        let variance = (n > 1).then(|| squares / (n as f64 - 1.0));
        let deviation = variance.map(f64::sqrt).filter(|deviation| deviation.is_finite());
        let half_width =
            deviation.map(|deviation| half_width(deviation / (n as f64).sqrt(), n as f64 - 1.0));
        Self { n, mean, deviation, half_width }
    }
}

/// Half of a 95 % confidence interval, from the standard error and its degrees of freedom.
pub(super) fn half_width(error: f64, freedom: f64) -> f64 {
    // An error of 0 gives 0 even if the quantile is infinite.
    if error == 0.0 { 0.0 } else { error * student_quantile(0.975, freedom) }
}

/// The mean and the sum of squared differences from it.
///
/// Computed relative to the first value, so that equal values give exactly that value as mean and
/// no spread.
pub(super) fn mean_and_squares(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let first = values.first().copied().unwrap_or(f64::NAN);
    let mean = first + values.iter().map(|value| value - first).sum::<f64>() / n;
    let squares = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (mean, squares)
}

#[cfg(test)]
mod tests {
    use super::super::assert_near;
    use super::*;

    #[test]
    fn as_scipy_has_it() {
        // Expected values: numpy.mean, numpy.std with ddof=1, scipy.stats.t.ppf(0.975, 5) *
        // scipy.stats.sem.
        let summary = Summary::of(&[12.1, 14.3, 11.8, 15.2, 13.7, 12.9]);
        assert_eq!(summary.n, 6);
        assert_near(summary.mean, 13.333333333333336, 14);
        assert_near(summary.deviation.expect("six"), 1.312503968247969, 13);
        assert_near(summary.half_width.expect("six"), 1.3773884417843263, 11);
    }

    #[test]
    fn few_equal_and_wrong() {
        let none = Summary::of(&[]);
        assert!(none.n == 0 && none.mean.is_nan() && none.deviation.or(none.half_width).is_none());
        let one = Summary { n: 1, mean: 3.5, deviation: None, half_width: None };
        assert_eq!(Summary::of(&[3.5]), one);
        // A plain sum of three times 0.1 is not 0.3.
        let same = Summary { n: 3, mean: 0.1, deviation: Some(0.0), half_width: Some(0.0) };
        assert_eq!(Summary::of(&[0.1; 3]), same);
        for wrong in [f64::NAN, f64::INFINITY] {
            assert_eq!(Summary::of(&[1.0, wrong]).half_width, None);
            assert_eq!(Summary::of(&[wrong, wrong]).deviation, None);
        }
    }
}
