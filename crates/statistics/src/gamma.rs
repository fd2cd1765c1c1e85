//! The gamma distribution function, P(a, x) = γ(a, x) / Γ(a).
//!
//! Below x = a + 1 the power series, above it the continued fraction (Abramowitz and Stegun 6.5.29
//! and 6.5.31, the latter by Lentz' method): both then converge in about √a steps to almost all
//! digits of a double. Written here because the crates that offer it depend on linear algebra
//! libraries.

/// Probability that a gamma variable of this shape and scale is at most x.
pub fn gamma_below(shape: f64, scale: f64, x: f64) -> f64 {
    match parts(shape, x / scale) {
        (Side::Below, share) => share,
        (Side::Above, share) => 1.0 - share,
    }
}

/// Probability that it is above x, to full precision also where it is tiny.
pub fn gamma_above(shape: f64, scale: f64, x: f64) -> f64 {
    match parts(shape, x / scale) {
        (Side::Below, share) => 1.0 - share,
        (Side::Above, share) => share,
    }
}

enum Side {
    Below,
    Above,
}

/// The tail probability whose expansion converges at x, and which tail it is.
fn parts(shape: f64, x: f64) -> (Side, f64) {
    if x <= 0.0 {
        return (Side::Below, 0.0);
    }
    if x == f64::INFINITY {
        return (Side::Above, 0.0);
    }
    let front = libm::exp(shape * libm::log(x) - x - libm::lgamma(shape));
    if x < shape + 1.0 {
        (Side::Below, front * series(shape, x))
    } else {
        (Side::Above, front * fraction(shape, x))
    }
}

/// More steps than shapes up to a million need.
const MOST_STEPS: u32 = 10_000;

fn series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum) = (1.0 / a, 1.0 / a);
    for n in 1..MOST_STEPS {
        term *= x / (a + f64::from(n));
        sum += term;
        if term < sum * f64::EPSILON {
            break;
        }
    }
    sum
}

fn fraction(a: f64, x: f64) -> f64 {
    // b is never 0, because x > a + 1; no guard against division by 0 is needed.
    let mut b = x + 1.0 - a;
    let (mut c, mut d) = (f64::MAX, 1.0 / b);
    let mut value = d;
    for n in 1..MOST_STEPS {
        let n = f64::from(n);
        let numerator = n * (a - n);
        b += 2.0;
        d = 1.0 / (b + numerator * d);
        c = b + numerator / c;
        value *= c * d;
        if (c * d - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whole shapes are sums of Poisson probabilities: 1 - e^-x Σ_{k<a} x^k / k!.
    #[test]
    fn whole_shapes_are_poisson_sums() {
        for a in [1, 2, 5, 12, 40, 312] {
            for share in [0.2, 0.7, 0.95, 1.0, 1.05, 1.3, 2.5] {
                let (shape, x) = (f64::from(a), f64::from(a) * share);
                let term = |k: i32| {
                    let k = f64::from(k);
                    libm::exp(k * libm::log(x) - x - libm::lgamma(k + 1.0))
                };
                let expected = 1.0 - (0..a).map(term).sum::<f64>();
                let found = gamma_below(shape, 0.03, x * 0.03);
                assert!((found - expected).abs() < 1e-11, "{shape} {x}: {found} {expected}");
            }
        }
    }

    /// Shape 1/2 is the error function: P(1/2, x) = erf(√x).
    #[test]
    fn shape_one_half_is_the_error_function() {
        for x in [0.0, 0.01, 0.5, 1.4, 1.6, 9.0] {
            let (found, expected) = (gamma_below(0.5, 2.0, 2.0 * x), libm::erf(x.sqrt()));
            assert!((found - expected).abs() < 1e-13, "{x}: {found} {expected}");
        }
    }
}
