//! Tests of whether numbers follow a given distribution: Kolmogorov-Smirnov for measured numbers,
//! chi-square for counts.
//!
//! `d` is the largest distance between the distribution function of the sample and the given one.
//! Its p-value is Kolmogorov's limit at `(√n + 0.12 + 0.11/√n) · d` (Stephens 1970), which
//! from n = 5 on is within 0.025 of the exact one. The distribution must be fixed beforehand: if it
//! was fitted to the same numbers, the p-values are too large.
//!
//! `χ² = Σ (observed - expected)² / expected` has cells - 1 degrees of freedom; cells with an
//! expected count below about 5 should be merged first, and expected counts must have the same sum
//! as observed ones.

use std::f64::consts::PI;

use super::gamma_above;

/// Result of a Kolmogorov-Smirnov test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KsTest {
    /// Largest distance between the two distribution functions, from 0 to 1.
    pub d: f64,
    /// Asymptotic probability of a distance at least this large if the distribution holds.
    pub p: f64,
}

/// Result of a chi-square test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquareTest {
    /// The statistic χ².
    pub statistic: f64,
    /// Degrees of freedom: number of cells less one.
    pub freedom: f64,
    /// Probability of a χ² at least this large if the expected counts hold.
    pub p: f64,
}

/// Tests numbers in ascending order against a continuous distribution function. An empty sample
/// gives d = 0 and p = 1.
pub fn kolmogorov_smirnov(sorted: &[f64], cdf: impl Fn(f64) -> f64) -> KsTest {
    let n = sorted.len() as f64;
    let gap = |(index, &value): (usize, &f64)| {
        let (below, above) = (index as f64 / n, (index as f64 + 1.0) / n);
        let law = cdf(value);
        (law - below).max(above - law)
    };
    let d = sorted.iter().enumerate().map(gap).fold(0.0, f64::max);
    let p =
        if sorted.is_empty() { 1.0 } else { kolmogorov((n.sqrt() + 0.12 + 0.11 / n.sqrt()) * d) };
    KsTest { d, p }
}

/// Probability that Kolmogorov's limit exceeds x: 2 Σ (-1)^(k-1) exp(-2k²x²), or, where that
/// converges slowly, 1 - √(2π)/x Σ exp(-(2k-1)²π²/(8x²)). Six terms of either suffice for
/// double precision.
fn kolmogorov(x: f64) -> f64 {
    let sum = |term: &dyn Fn(f64) -> f64| (1..=6_i32).map(|k| term(f64::from(k))).sum::<f64>();
    if x <= 0.0 {
        1.0
    } else if x < 1.0 {
        let odd = |k: f64| libm::exp(-((2.0 * k - 1.0) * PI / x).powi(2) / 8.0);
        1.0 - (2.0 * PI).sqrt() / x * sum(&odd)
    } else {
        let sign = |k: f64| if k % 2.0 == 0.0 { -2.0 } else { 2.0 };
        sum(&|k| sign(k) * libm::exp(-2.0 * (k * x).powi(2))).clamp(0.0, 1.0)
    }
}

/// Tests observed against expected counts. `None` with fewer than two cells, if the numbers of
/// cells differ, or if an expected count is not a finite number above 0.
pub fn chi_square(observed: &[u64], expected: &[f64]) -> Option<ChiSquareTest> {
    let are_sound = expected.iter().all(|&count| count > 0.0 && count.is_finite());
    if observed.len() != expected.len() || observed.len() < 2 || !are_sound {
        return None;
    }
    let term =
        |(&observed, &expected): (&u64, &f64)| (observed as f64 - expected).powi(2) / expected;
    let statistic: f64 = observed.iter().zip(expected).map(term).sum();
    let freedom = observed.len() as f64 - 1.0;
    Some(ChiSquareTest { statistic, freedom, p: gamma_above(freedom / 2.0, 2.0, statistic) })
}

#[cfg(test)]
mod tests {
    use super::super::assert_near;
    use super::*;

    /// Expected values: `scipy.stats.kstwobign.sf`.
    #[test]
    fn kolmogorov_as_scipy_has_it() {
        let known = [
            (0.3, 0.9999906941986655),
            (0.5, 0.9639452436648751),
            (0.9, 0.3927307079406543),
            (1.0, 0.26999967167735456),
            (1.5, 0.022217962616525127),
            (3.0, 3.045995948942526e-08),
        ];
        for (x, p) in known {
            assert_near(kolmogorov(x), p, 12);
        }
        assert_eq!((kolmogorov(0.0), kolmogorov(1e-9), kolmogorov(1e9)), (1.0, 1.0, 0.0));
    }

    /// Powers of the same ten numbers against the uniform distribution: d by `scipy.stats.kstest`,
    /// p by `kstwobign` of Stephens' argument, and the exact p of `kstest`.
    #[test]
    fn samples_as_scipy_has_them() {
        let sample = [0.05, 0.11, 0.2, 0.31, 0.33, 0.48, 0.52, 0.71, 0.79, 0.83_f64];
        let known = [
            (1.0, 0.17999999999999994, 0.8681368124934212, 0.8472806273219463),
            (2.0, 0.4295999999999999, 0.03445277470792796, 0.0342081269393405),
            (0.5, 0.25677643628300223, 0.462674282007486, 0.4506213329252259),
        ];
        for (power, d, p, exact) in known {
            let powers = sample.map(|value| value.powf(power));
            let test = kolmogorov_smirnov(&powers, |x| x.clamp(0.0, 1.0));
            assert_near(test.d, d, 12);
            assert_near(test.p, p, 11);
            assert!((test.p - exact).abs() < 0.025);
        }
        assert_eq!(kolmogorov_smirnov(&[], |x| x), KsTest { d: 0.0, p: 1.0 });
    }

    /// Expected values: `scipy.stats.chisquare` and `scipy.stats.chi2.sf`.
    #[test]
    fn counts_as_scipy_has_them() {
        let test = chi_square(&[18, 22, 25, 15, 20], &[20.0; 5]).expect("five cells");
        assert_near(test.statistic, 2.9, 13);
        assert_near(test.p, 0.5746972058298043, 12);
        assert_eq!(test.freedom, 4.0);
        assert_near(gamma_above(2.0, 2.0, 300.0), 1.083439491947837e-63, 11);
        assert_near(gamma_above(0.5, 2.0, 1.0), 0.31731050786291115, 12);
        assert_near(gamma_above(5e5, 2.0, 1e6), 0.4998119368033945, 8);
        assert_near(gamma_above(50.0, 2.0, 50.0), 0.9999930466947524, 12);
        assert_eq!(gamma_above(2.0, 2.0, f64::INFINITY), 0.0);
    }

    #[test]
    fn cells_that_make_no_sense() {
        assert_eq!(chi_square(&[1], &[1.0]), None);
        assert_eq!(chi_square(&[1, 2], &[1.0]), None);
        for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(chi_square(&[1, 2], &[1.0, wrong]), None);
        }
        let same = ChiSquareTest { statistic: 0.0, freedom: 1.0, p: 1.0 };
        assert_eq!(chi_square(&[1, 2], &[1.0, 2.0]), Some(same));
    }
}
