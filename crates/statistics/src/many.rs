//! Correction of p-values for multiple comparisons: of twenty comparisons without any difference,
//! one is expected below 0.05 by chance.
//!
//! With p(1) ≤ … ≤ p(m), Holm's adjusted value is the largest (m - j + 1) · p(j) with j ≤
//! i, capped at 1. Rejecting where it is below a level keeps the chance of even one false
//! difference below that level, whether or not the comparisons are independent. A p that is NaN
//! counts as 1, so the comparison still counts in m.

/// Holm-Bonferroni adjusted p-values, in the order given.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut adjusted = vec![1.0; p.len()];
    let mut most = 0.0_f64;
    for (place, index) in ascending(p).into_iter().enumerate() {
        most = most.max((p.len() - place) as f64 * sound(p[index])).min(1.0);
        adjusted[index] = most;
    }
    adjusted
}

fn sound(p: f64) -> f64 {
    if p.is_nan() { 1.0 } else { p.clamp(0.0, 1.0) }
}

fn ascending(p: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| sound(p[a]).total_cmp(&sound(p[b])));
    order
}

#[cfg(test)]
mod tests {
    use super::super::assert_near;
    use super::*;

    #[test]
    fn worked_by_hand() {
        // Holm: 5·0.005, 4·0.01, 3·0.03, 2·0.04 raised to the value before it, 0.8.
        let p = [0.01, 0.04, 0.03, 0.005, 0.8];
        for (found, expected) in holm(&p).into_iter().zip([0.04, 0.09, 0.09, 0.025, 0.8]) {
            assert_near(found, expected, 14);
        }
    }

    #[test]
    fn ends_and_nonsense() {
        assert!(holm(&[]).is_empty());
        assert_eq!(holm(&[0.3]), [0.3]);
        assert_eq!(holm(&[0.9, 0.9, 0.9]), [1.0, 1.0, 1.0]);
        assert_eq!(holm(&[0.0, f64::NAN]), [0.0, 1.0]);
        assert_eq!(holm(&[f64::NAN, 0.01]), [1.0, 0.02]);
    }
}
