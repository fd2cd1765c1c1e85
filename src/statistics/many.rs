//! p-values of many comparisons at once: among twenty, one is below 0.05 by chance alone.
//!
//! With p(1) ≤ … ≤ p(m), the adjusted values to hold against the level are
//!
//! ```text
//! Holm                 max over j ≤ i of (m - j + 1) · p(j)   chance of even one false difference
//! Benjamini-Hochberg   min over j ≥ i of (m / j) · p(j)       share of false among those found
//! ```
//!
//! capped at 1. Holm needs nothing of the comparisons; Benjamini and Hochberg need them independent or
//! positively dependent. A p that is no number counts as 1: the comparison was meant.

/// Adjusted by Holm-Bonferroni, in the order given.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut adjusted = vec![1.0; p.len()];
    let mut most = 0.0_f64;
    for (place, index) in ascending(p).into_iter().enumerate() {
        most = most.max((p.len() - place) as f64 * sound(p[index])).min(1.0);
        adjusted[index] = most;
    }
    adjusted
}

/// Adjusted by Benjamini and Hochberg, in the order given.
pub fn benjamini_hochberg(p: &[f64]) -> Vec<f64> {
    let mut adjusted = vec![1.0; p.len()];
    let mut least = 1.0_f64;
    for (place, index) in ascending(p).into_iter().enumerate().rev() {
        least = least.min(p.len() as f64 / (place + 1) as f64 * sound(p[index]));
        adjusted[index] = least;
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
        // Holm: 5·0.005, 4·0.01, 3·0.03, 2·0.04 lifted to that, 0.8. The other as
        // scipy.stats.false_discovery_control has it.
        let p = [0.01, 0.04, 0.03, 0.005, 0.8];
        let near = |found: Vec<f64>, expected: [f64; 5]| {
            found
                .iter()
                .zip(expected)
                .for_each(|(found, expected)| assert_near(*found, expected, 14));
        };
        near(holm(&p), [0.04, 0.09, 0.09, 0.025, 0.8]);
        near(benjamini_hochberg(&p), [0.025, 0.05, 0.05, 0.025, 0.8]);
    }

    #[test]
    fn ends_and_nonsense() {
        for adjust in [holm, benjamini_hochberg] {
            assert!(adjust(&[]).is_empty());
            assert_eq!(adjust(&[0.3]), [0.3]);
            assert_eq!(adjust(&[0.9, 0.9, 0.9]).iter().filter(|&&p| p > 1.0).count(), 0);
            assert_eq!(adjust(&[0.0, f64::NAN]), [0.0, 1.0]);
            assert_eq!(adjust(&[f64::NAN, 0.01]), [1.0, 0.02]);
        }
    }
}
