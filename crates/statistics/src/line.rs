//! Straight-line fit by least squares.
//!
//! `slope = S_xy / S_xx`, `intercept = ȳ - slope · x̄`, `r = S_xy / √(S_xx · S_yy)`. The
//! slope's standard error is `√((S_yy - slope · S_xy) / (n - 2) / S_xx)`, with n - 2 degrees of
//! freedom.

use super::summary::{half_width, mean_and_squares};

/// The fitted line `y = intercept + slope · x`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Increase of y per unit of x.
    pub slope: f64,
    /// The value of y at x = 0.
    pub intercept: f64,
    /// Correlation of x and y, from -1 to 1; 0 if all y are equal.
    pub r: f64,
    /// Half of the slope's 95 % confidence interval; `None` with two points.
    pub half_width: Option<f64>,
}

/// Fits a line to points (x, y). `None` with fewer than two points, if all x are equal, or if a
/// number is not finite.
pub fn line(points: &[(f64, f64)]) -> Option<Line> {
    let (xs, ys): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    let ((x, xx), (y, yy)) = (mean_and_squares(&xs), mean_and_squares(&ys));
    let xy: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let slope = xy / xx;
    if !(slope.is_finite() && yy.is_finite()) {
        return None;
    }
    let residuals = points.iter().map(|point| point.1 - y - slope * (point.0 - x));
    let left: f64 = residuals.map(|residual| residual * residual).sum();
    let freedom = points.len() as f64 - 2.0;
    let width = || half_width((left / freedom / xx).sqrt(), freedom);
    let r = if yy > 0.0 { (xy / xx.sqrt() / yy.sqrt()).clamp(-1.0, 1.0) } else { 0.0 };
    Some(Line { slope, intercept: y - slope * x, r, half_width: (freedom > 0.0).then(width) })
}

#[cfg(test)]
mod tests {
    use super::super::assert_near;
    use super::*;

    #[test]
    fn as_scipy_has_it() {
        // Expected values: scipy.stats.linregress; its stderr times scipy.stats.t.ppf(0.975, 3).
        let points = [(1.0, 2.1), (2.0, 2.9), (3.5, 5.2), (5.0, 6.8), (8.0, 12.4)];
        let line = line(&points).expect("a line");
        assert_near(line.slope, 1.4781456953642385, 12);
        assert_near(line.intercept, 0.11523178807946977, 12);
        assert_near(line.r, 0.9924810165023649, 12);
        assert_near(line.half_width.expect("five points"), 0.3349439625095774, 11);
    }

    #[test]
    fn special_points() {
        let two = line(&[(0.0, 5.0), (1.0, 3.0)]).expect("a line");
        assert_eq!((two.slope, two.intercept, two.half_width), (-2.0, 5.0, None));
        assert_near(two.r, -1.0, 15);
        let flat = Line { slope: 0.0, intercept: 4.0, r: 0.0, half_width: Some(0.0) };
        assert_eq!(line(&[(0.0, 4.0), (1.0, 4.0), (5.0, 4.0)]), Some(flat));
        for wrong in [&[][..], &[(1.0, 1.0)], &[(1.0, 1.0), (1.0, 2.0)]] {
            assert_eq!(line(wrong), None);
        }
        assert_eq!(line(&[(0.0, f64::NAN), (1.0, 1.0)]), None);
        assert_eq!(line(&[(0.0, 0.0), (f64::INFINITY, 1.0)]), None);
    }
}
