//! Three tests of whether two algorithms differ in their means.
//!
//! ```text
//! thesis   t = (ā - b̄) / √(v_a/n_a + v_b/n_b),  v = Σ (x - x̄)² / n     equations 4.1 and 4.2
//! Welch    the same with s² = Σ (x - x̄)² / (n - 1) for v,
//!          ν = (s_a²/n_a + s_b²/n_b)² / ((s_a²/n_a)² / (n_a - 1) + (s_b²/n_b)² / (n_b - 1))
//! paired   t = d̄ / (s_d / √n) of the differences d = a - b,  ν = n - 1
//! ```
//!
//! Runs on the same grids and jobs are pairs: the effect of the grid on both algorithms cancels in
//! the difference, so the paired test detects smaller differences. The thesis treats such runs as
//! independent and divides the variance by n (erratum E17); its t serves only for comparison with
//! its tables.
//!
//! If nothing varies, as with deterministic algorithms on equal inputs: without a difference t = 0,
//! p = 1 and effect 0; with a difference t and effect are infinite, with its sign, and p = 0. The
//! interval then has width 0.

use super::student::gamma_step;
use super::student_p;
use super::summary::{half_width, mean_and_squares};

/// A difference between two means and its significance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Test {
    /// Mean of a minus mean of b.
    pub difference: f64,
    /// Half of the difference's 95 % confidence interval.
    pub half_width: f64,
    /// The difference divided by its standard error.
    pub t: f64,
    /// Degrees of freedom of `t`.
    pub freedom: f64,
    /// Two-sided p-value: probability of a t at least this far from 0 if there is no difference.
    pub p: f64,
    /// Effect size, the difference in standard deviations: Hedges' g for [`welch`], d_z for
    /// [`paired`].
    pub effect: f64,
}

/// Size, mean and sum of squares of a sample of at least `least` finite numbers.
struct Sample {
    n: f64,
    mean: f64,
    squares: f64,
}

impl Sample {
    fn of(values: &[f64], least: usize) -> Option<Self> {
        let (mean, squares) = mean_and_squares(values);
        let is_sound = values.len() >= least && mean.is_finite() && squares.is_finite();
        is_sound.then_some(Self { n: values.len() as f64, mean, squares })
    }

    /// The squared standard error of the mean, with the variance divided by n - 1.
    fn error(&self) -> f64 {
        self.squares / (self.n - 1.0) / self.n
    }
}

impl Test {
    /// `spread` is the standard deviation that the effect size is expressed in.
    fn new(difference: f64, error: f64, freedom: f64, spread: f64) -> Self {
        let t = ratio(difference, error);
        let (p, effect) = (student_p(t, freedom), ratio(difference, spread));
        Self { difference, half_width: half_width(error, freedom), t, freedom, p, effect }
    }
}

/// 0 / 0 counts as 0; any other difference divided by 0 is infinite.
fn ratio(difference: f64, error: f64) -> f64 {
    if difference == 0.0 { 0.0 } else { difference / error }
}

/// The t of the thesis, whose variances divide by n. `None` if a sample is empty or nothing varies.
pub fn thesis_t(a: &[f64], b: &[f64]) -> Option<f64> {
    let [a, b] = [Sample::of(a, 1)?, Sample::of(b, 1)?];
    let error = (a.squares / a.n / a.n + b.squares / b.n / b.n).sqrt();
    let t = (a.mean - b.mean) / error;
    t.is_finite().then_some(t)
}

/// Welch's test of independent samples. `None` if one has fewer than two values, or a value is not
/// finite.
pub fn welch(a: &[f64], b: &[f64]) -> Option<Test> {
    let [a, b] = [Sample::of(a, 2)?, Sample::of(b, 2)?];
    let together = a.n + b.n - 2.0;
    let pooled = ((a.squares + b.squares) / together).sqrt();
    let error = a.error() + b.error();
    // Squares of shares, because squares of the errors could underflow.
    let share = |sample: &Sample| (sample.error() / error).powi(2) / (sample.n - 1.0);
    let freedom = if error > 0.0 { 1.0 / (share(&a) + share(&b)) } else { together };
    let spread = pooled / unbiased(together);
    Some(Test::new(a.mean - b.mean, error.sqrt(), freedom, spread))
}

/// Factor that turns Cohen's d into Hedges' g: Γ(m/2) / (√(m/2) · Γ((m-1)/2)).
fn unbiased(freedom: f64) -> f64 {
    libm::exp(gamma_step((freedom - 1.0) / 2.0)) / (freedom / 2.0).sqrt()
}

/// The paired t-test: `a[i]` and `b[i]` belong together. `None` if lengths differ, with fewer than
/// two pairs, or with a value that is not finite.
pub fn paired(a: &[f64], b: &[f64]) -> Option<Test> {
    if a.len() != b.len() {
        return None;
    }
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    let sample = Sample::of(&differences, 2)?;
    let freedom = sample.n - 1.0;
    let spread = (sample.squares / freedom).sqrt();
    Some(Test::new(sample.mean, sample.error().sqrt(), freedom, spread))
}

#[cfg(test)]
mod tests {
    use super::super::assert_near;
    use super::*;

    const A: [f64; 6] = [12.1, 14.3, 11.8, 15.2, 13.7, 12.9];
    const B: [f64; 6] = [10.4, 13.1, 11.0, 13.5, 12.2, 12.6];
    const C: [f64; 4] = [10.0, 30.0, 12.5, 55.0];

    fn assert_is(test: Option<Test>, expected: [f64; 6]) {
        let Test { difference, half_width, t, freedom, p, effect } = test.expect("enough values");
        let found = [difference, half_width, t, freedom, p, effect];
        found.iter().zip(expected).for_each(|(found, expected)| assert_near(*found, expected, 11));
    }

    /// Expected values: scipy 1.17.1, `ttest_ind(.., equal_var=False)` and `ttest_rel` with their
    /// confidence intervals; effects by their formulas, with `scipy.special.gammaln`.
    #[test]
    fn as_scipy_has_it() {
        let (t, p) = (1.6469462589616957, 0.13079324768370434);
        let (width, freedom, effect) = (1.6249365946703498, 9.93381599646044, 0.877406378909548);
        assert_is(welch(&A, &B), [1.2, width, t, freedom, p, effect]);
        assert_is(welch(&B, &A), [-1.2, width, -t, freedom, p, -effect]);
        let (t, p) = (-1.3032321034113918, 0.2830618623261753);
        let (width, freedom, effect) = (32.96920678744358, 3.016006140939544, -0.9586426698527833);
        assert_is(welch(&A, &C), [-13.541666666666664, width, t, freedom, p, effect]);
        let (t, p) = (5.262348115842181, 0.0032924853609236884);
        assert_is(paired(&A, &B), [1.2, 0.5861828474397508, t, 5.0, p, 2.148344622118301]);
    }

    /// Expected value by numpy: `(mean(a) - mean(b)) / sqrt(var(a)/len(a) + var(b)/len(b))`.
    #[test]
    fn the_thesis_divides_by_n() {
        assert_near(thesis_t(&A, &B).expect("they vary"), 1.8041392340641311, 12);
        assert_near(thesis_t(&A, &C).expect("they vary"), -1.5046205461210866, 12);
        assert_near(thesis_t(&[1.0], &[2.0, 4.0]).expect("one varies"), -8_f64.sqrt(), 12);
        assert_eq!(thesis_t(&[1.0, 1.0], &[2.0, 2.0]), None);
        assert_eq!(thesis_t(&[1.0], &[1.0]), None);
        assert_eq!(thesis_t(&[], &[1.0, 2.0]), None);
    }

    #[test]
    fn without_spread_there_is_no_chance() {
        let nothing =
            Test { difference: 0.0, half_width: 0.0, t: 0.0, freedom: 2.0, p: 1.0, effect: 0.0 };
        assert_eq!(paired(&[0.1, 0.2, 0.3], &[0.1, 0.2, 0.3]), Some(nothing));
        assert_eq!(welch(&[0.1; 2], &[0.1; 2]), Some(nothing));
        let sure = Test {
            difference: -2.0,
            t: f64::NEG_INFINITY,
            p: 0.0,
            effect: f64::NEG_INFINITY,
            ..nothing
        };
        assert_eq!(paired(&[1.0, 2.0, 3.0], &[3.0, 4.0, 5.0]), Some(sure));
        assert_eq!(welch(&[1.0; 2], &[3.0; 2]), Some(sure));
        // The usual case: values vary, but their mean difference is 0.
        let test = paired(&[1.0, 2.0], &[2.0, 1.0]).expect("two pairs");
        assert_eq!((test.t, test.p, test.effect), (0.0, 1.0, 0.0));
    }

    #[test]
    fn what_cannot_be_tested() {
        for (a, b) in [
            (&A[..1], &B[..]),
            (&[], &[]),
            (&[1.0, f64::NAN], &B[..2]),
            (&[1.0, f64::INFINITY], &B[..2]),
        ] {
            assert_eq!((welch(a, b), paired(a, b)), (None, None), "{a:?}");
        }
        assert_eq!(paired(&A, &C), None);
        assert_eq!(paired(&[f64::INFINITY; 2], &[f64::INFINITY; 2]), None);
    }

    /// Tiny and huge numbers give the same t, because the unit does not matter.
    #[test]
    fn the_unit_does_not_matter() {
        let expected = welch(&A, &B).expect("enough").t;
        for unit in [1e-100, 1e100] {
            let [a, b] = [A, B].map(|values| values.map(|value| value * unit));
            assert_near(welch(&a, &b).expect("enough").t, expected, 11);
        }
    }
}
