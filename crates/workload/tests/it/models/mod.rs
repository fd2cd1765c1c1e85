//! Models of parallel workloads, compared with their formulas and with a sample drawn by the
//! authors' program.
//!
//! Random seeds are fixed. Kolmogorov-Smirnov tests reject at 0.1 % (D > 1.95 / √n, or for two
//! samples 1.95 · √(1/n + 1/m)), chi-square tests at 0.1 % (Wilson and Hilferty's quantile,
//! cells of 5 or more).

mod beosim;
mod lublin;
mod program;
mod wang_zhang;

use std::collections::BTreeMap;

use gridsat_model::{Scale, Ticks};
use gridsat_workload::RigidJob;

const N: usize = 30_000;
/// Decimals of ticks fine enough to count as real numbers.
const FINE: u32 = 6;

fn fine() -> Scale {
    Scale::new(FINE).expect("small")
}

fn seconds(ticks: Ticks) -> f64 {
    ticks.as_f64() / fine().ticks_per_unit().as_f64()
}

/// Asserts that numbers are uniform in [0, 1], as values of a distribution function should be.
#[track_caller]
fn assert_even(mut sample: Vec<f64>, case: &str) {
    sample.sort_by(f64::total_cmp);
    let n = sample.len() as f64;
    let off = |(i, &x): (usize, &f64)| (x - i as f64 / n).abs().max(((i + 1) as f64 / n - x).abs());
    let largest = sample.iter().enumerate().map(off).fold(0.0, f64::max);
    let limit = 1.95 / n.sqrt();
    assert!(largest <= limit, "{case}: D = {largest:.5}, limit {limit:.5}");
}

/// Largest distance between the two distribution functions, and the critical distance.
fn two_samples(mut a: Vec<u64>, mut b: Vec<u64>) -> (f64, f64) {
    a.sort_unstable();
    b.sort_unstable();
    let share = |all: &[u64], x| all.partition_point(|&y| y <= x) as f64 / all.len() as f64;
    let off = |&x: &u64| (share(&a, x) - share(&b, x)).abs();
    let largest = a.iter().chain(&b).map(off).fold(0.0, f64::max);
    (largest, 1.95 * (1.0 / a.len() as f64 + 1.0 / b.len() as f64).sqrt())
}

/// Chi-square of counts against probabilities, and the critical value; small cells are merged.
fn chi_square(
    counts: &BTreeMap<u32, u32>,
    probability: impl Fn(u32) -> f64,
    last: u32,
) -> (f64, f64) {
    let total = f64::from(counts.values().sum::<u32>());
    let (mut sum, mut cells, mut rest) = (0.0, 0.0, (total, total));
    let mut add = |seen: f64, expected: f64| {
        sum += (seen - expected) * (seen - expected) / expected;
        cells += 1.0;
    };
    for value in 0..=last {
        let seen = f64::from(counts.get(&value).copied().unwrap_or(0));
        let expected = total * probability(value);
        if expected >= 5.0 {
            add(seen, expected);
            rest = (rest.0 - seen, rest.1 - expected);
        }
    }
    if rest.1 >= 5.0 {
        add(rest.0, rest.1);
    } else {
        assert!(rest.0 <= 20.0, "{} where {:.3} are expected", rest.0, rest.1);
    }
    let share: f64 = 2.0 / (9.0 * (cells - 1.0));
    (sum, (cells - 1.0) * (1.0 - share + 3.09 * share.sqrt()).powi(3))
}

#[track_caller]
fn assert_fits(values: impl Iterator<Item = u32>, probability: impl Fn(u32) -> f64, last: u32) {
    let (sum, limit) = chi_square(&count(values), probability, last);
    assert!(sum <= limit, "chi-square {sum:.1}, limit {limit:.1}");
}

fn count(values: impl Iterator<Item = u32>) -> BTreeMap<u32, u32> {
    values.fold(BTreeMap::new(), |mut counts, value| {
        *counts.entry(value).or_default() += 1;
        counts
    })
}

fn gaps(jobs: &[RigidJob]) -> Vec<u64> {
    jobs.windows(2).map(|pair| (pair[1].submit - pair[0].submit).0).collect()
}
