//! Student's t distribution.
//!
//! With ν degrees of freedom, |T| ≥ t has the probability I_x(ν/2, 1/2) where x = ν / (ν +
//! t²); I is the regularised incomplete beta function, computed by its continued fraction
//! (Abramowitz and Stegun 26.5.8) with Lentz' method. The logarithms of 1 + t²/ν and of Γ(a +
//! 1/2) / Γ(a) are computed directly, not as differences of logarithms, which keeps eleven digits,
//! also in the far tails. The fraction loses one digit with each digit of ν. From ν = 10,000 on
//! Hill's expansion is used, which transforms t into a normal variable (algorithm 395 of the
//! Collected Algorithms of the ACM, 1970).

/// Degrees of freedom from which the expansion is used.
const MANY: f64 = 1e4;

/// The two-sided p-value: probability of a t at least this far from 0.
///
/// 1 if t is NaN or the degrees of freedom are invalid: that is no evidence of a difference.
pub fn student_p(t: f64, freedom: f64) -> f64 {
    if t.is_nan() || freedom.is_nan() || freedom <= 0.0 || t == 0.0 {
        return 1.0;
    }
    if t.is_infinite() {
        return 0.0;
    }
    if freedom == f64::INFINITY {
        return libm::erfc(t.abs() / 2_f64.sqrt());
    }
    let ratio = t.abs() / freedom.sqrt();
    let log = if ratio > 1e8 { 2.0 * libm::log(ratio) } else { libm::log1p(ratio * ratio) };
    if freedom > MANY {
        return libm::erfc(normal(freedom - 0.5, log) / 2_f64.sqrt());
    }
    beta_tail(freedom / 2.0, ratio, log).clamp(0.0, 1.0)
}

/// The normal quantile that corresponds to t, for ν = a + 1/2; `log` is that of 1 + t²/ν.
fn normal(a: f64, log: f64) -> f64 {
    let (y, b) = (a * log, 48.0 * a * a);
    let second = (((-0.4 * y - 3.3) * y - 24.0) * y - 85.5) / (0.8 * y * y + 100.0 + b);
    ((second + y + 3.0) / b + 1.0) * y.sqrt()
}

/// I_x(a, 1/2) with x = 1 / (1 + ratio²); `log` is that of 1 + ratio².
fn beta_tail(a: f64, ratio: f64, log: f64) -> f64 {
    const B: f64 = 0.5;
    // Γ(1/2) = √π; the term is x^a · (1 - x)^b divided by the beta function.
    let beta = -gamma_step(a) + libm::log(std::f64::consts::PI) / 2.0;
    let front = libm::exp(-(a + B) * log + libm::log(ratio) - beta);
    let (x, y) = (1.0 / (1.0 + ratio * ratio), 1.0 / (1.0 + 1.0 / (ratio * ratio)));
    if x < (a + 1.0) / (a + B + 2.0) {
        front / a * fraction(a, B, x)
    } else {
        1.0 - front / B * fraction(B, a, y)
    }
}

/// ln Γ(a + 1/2) - ln Γ(a). From a = 20 on by its expansion, whose next term is below 10⁻¹²,
/// because the difference of two large logarithms would lose digits.
pub(super) fn gamma_step(a: f64) -> f64 {
    if a < 20.0 {
        return libm::lgamma(a + 0.5) - libm::lgamma(a);
    }
    let square = a * a;
    libm::log(a) / 2.0 - (1.0 / 8.0 - (1.0 / 192.0 - 1.0 / (640.0 * square)) / square) / a
}

/// Upper limit; about √a steps are needed.
const MOST_STEPS: u32 = 10_000;

fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let away_from_zero = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for n in 1..MOST_STEPS {
        let n = f64::from(n);
        let even = n * (b - n) * x / ((a + 2.0 * n - 1.0) * (a + 2.0 * n));
        let odd = -(a + n) * (a + b + n) * x / ((a + 2.0 * n) * (a + 2.0 * n + 1.0));
        let mut change = 1.0;
        for numerator in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + numerator * d);
            c = away_from_zero(1.0 + numerator / c);
            value *= c * d;
            change = c * d;
        }
        if (change - 1.0_f64).abs() < f64::EPSILON {
            break;
        }
    }
    value
}

/// The p-quantile of t: 0 at p = 1/2, infinite at 0 and 1, and NaN only if p or the degrees of
/// freedom are invalid.
pub fn student_quantile(p: f64, freedom: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) || freedom.is_nan() || freedom <= 0.0 {
        return f64::NAN;
    }
    let both_sides = 2.0 * p.min(1.0 - p);
    let distance = match both_sides {
        0.0 => f64::INFINITY,
        1.0 => 0.0,
        _ => far_from_zero(both_sides, freedom),
    };
    distance.copysign(p - 0.5)
}

/// The positive t whose two-sided p-value is p, by bisection.
fn far_from_zero(p: f64, freedom: f64) -> f64 {
    let is_below = |t: f64| student_p(t, freedom) > p;
    let mut high = 1.0;
    while is_below(high) {
        high *= 2.0;
    }
    let mut low = 0.0;
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return high;
        }
        if is_below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::assert_near;
    use super::*;

    /// `2 * scipy.stats.t.sf(abs(t), freedom)`, scipy 1.17.1; computed by hand where that
    /// underflows.
    const P_VALUES: [(f64, f64, f64); 16] = [
        (0.5, 1.0, 0.7048327646991335),
        (1.0, 1.0, 0.5),
        (12.7062047, 1.0, 0.05000000014176587),
        (1e9, 1.0, 6.366197723675814e-10),
        (1e200, 1.0, 2e-200 / std::f64::consts::PI),
        (2.5, 2.5, 0.1045699630781554),
        (0.01, 3.7, 0.9925369270118594),
        (4.0, 9.25, 0.0029434454866406868),
        (-3.0, 19.0, 0.007361724183868638),
        (40.0, 30.0, 1.3726045194406417e-27),
        (37.0, 200.5, 1.5545357383341622e-91),
        (1.959963984540054, 1e6, 0.0500002772952217),
        (30.0, 1e6, 1.2020094233664118e-197),
        (1e-3, 1e6, 0.9992021157716492),
        (2.0, 1e7, 0.04550029089184296),
        (6.0, 1e12, 1.9731752907498218e-09),
    ];

    /// `scipy.stats.t.ppf(p, freedom)`.
    const QUANTILES: [(f64, f64, f64); 11] = [
        (0.975, 1.0, 12.706204736174694),
        (0.975, 2.0, 4.302652729749462),
        (0.975, 4.5, 2.6589123472044034),
        (0.975, 19.0, 2.0930240544083087),
        (0.975, 99.0, 1.9842169515864174),
        (0.975, 1e6, 1.959966356814107),
        (0.025, 7.3, -2.3450667365477034),
        (0.9995, 19.0, 3.883405852592131),
        (1e-12, 5.0, -393.95695957760375),
        (0.6, 1.0, 0.32491969623290634),
        (0.975, f64::INFINITY, 1.959963984540054),
    ];

    #[test]
    fn as_scipy_has_it() {
        for (t, freedom, expected) in P_VALUES {
            assert_near(student_p(t, freedom), expected, 10);
        }
        for (p, freedom, expected) in QUANTILES {
            assert_near(student_quantile(p, freedom), expected, 11);
        }
    }

    #[test]
    fn the_two_branches_meet() {
        for t in [0.01, 1.0, 3.0, 12.0] {
            assert_near(student_p(t, MANY * (1.0 + 1e-14)), student_p(t, MANY), 11);
            assert_near(student_p(t, 1e300), student_p(t, f64::INFINITY), 12);
        }
        assert_near(gamma_step(20.0), libm::lgamma(20.5) - libm::lgamma(20.0), 11);
    }

    #[test]
    fn ends_and_nonsense() {
        assert_eq!(student_p(f64::NEG_INFINITY, 3.0), 0.0);
        for (t, freedom) in [(0.0, 3.0), (f64::NAN, 3.0), (2.0, 0.0), (2.0, f64::NAN)] {
            assert_eq!(student_p(t, freedom), 1.0, "{t} {freedom}");
        }
        assert_eq!(student_quantile(0.0, 3.0), f64::NEG_INFINITY);
        assert_eq!(student_quantile(1.0, 3.0), f64::INFINITY);
        assert_eq!(student_quantile(0.5, 3.0), 0.0);
        assert!(student_quantile(1.1, 3.0).is_nan() && student_quantile(0.9, -1.0).is_nan());
    }
}
