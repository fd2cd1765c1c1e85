//! Loads with a binomial distribution (thesis, section 3.5, `BinomialRandomiser`, equation 3.6).
//!
//! 20 trials, each worth 5 % of load. The average a is rounded to k = round(a/5) trials, and each
//! trial succeeds with probability k/20; at the ends, where that would be certain, with the
//! mid-point of the averages that are rounded there: 1.25 % for 0..2.5 %, 98.75 % for 97.5..100 %
//! (the thesis prints 0.125 %, erratum E13).
//!
//! So the mean equals the average only for 5, 10, ... 95. Otherwise it is 5k, up to 2 points higher
//! or lower; and 1.25 for averages of 0 to 2, 98.75 for 98 to 100. The thesis found means within
//! 0.01 points over 10,000 draws: that was chance at best, because the standard error is up to
//! 0.11.
//!
//! All probabilities are multiples of 1/80^20, which is within 128 bits: tables and draws are
//! exact.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

const TRIALS: usize = 20;
/// Load of a successful trial, in percent.
const STEP: u8 = 5;
/// Probabilities of a trial are in eightieths.
const PARTS: u128 = 80;
const TOTAL: u128 = PARTS.pow(TRIALS as u32);

/// For each rounded average: the number out of `TOTAL` below which there are at most n successes.
static CUMULATIVE: [[u128; TRIALS + 1]; TRIALS + 1] = tables();

/// Draws a percentage, a multiple of 5; `average` is at most 100.
pub(super) fn draw(average: u8, random: &mut ChaCha8Rng) -> u8 {
    let row = &CUMULATIVE[usize::from((average + STEP / 2) / STEP)];
    let number = random.random_range(0..TOTAL);
    let successes = row.partition_point(|&below| below <= number);
    STEP * successes as u8
}

const fn tables() -> [[u128; TRIALS + 1]; TRIALS + 1] {
    let mut tables = [[0; TRIALS + 1]; TRIALS + 1];
    let mut k = 0;
    while k <= TRIALS {
        tables[k] = table(chance(k));
        k += 1;
    }
    tables
}

/// The probability of a trial, in eightieths.
const fn chance(k: usize) -> u128 {
    match k {
        0 => 1,
        TRIALS => PARTS - 1,
        _ => k as u128 * PARTS / TRIALS as u128,
    }
}

/// Sums over n of C(20, n) · c^n · (80 - c)^(20 - n).
const fn table(chance: u128) -> [u128; TRIALS + 1] {
    let mut table = [0; TRIALS + 1];
    let (mut n, mut choices, mut sum) = (0, 1, 0);
    while n <= TRIALS {
        let (successes, failures) = (n as u32, (TRIALS - n) as u32);
        sum += choices * chance.pow(successes) * (PARTS - chance).pow(failures);
        table[n] = sum;
        choices = choices * (TRIALS - n) as u128 / (n + 1) as u128;
        n += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_ends_at_certainty() {
        for (k, row) in CUMULATIVE.iter().enumerate() {
            assert_eq!(row[TRIALS], TOTAL, "{k}");
            assert!(row.is_sorted_by(|a, b| a < b), "{k}");
        }
    }

    /// Σ n·P(n) = 20·p, exactly.
    #[test]
    fn the_exact_mean_is_that_of_the_rounded_average() {
        for (k, row) in CUMULATIVE.iter().enumerate() {
            // Σ n·P(n) = Σ_n P(more than n).
            let mean: u128 = row.iter().map(|below| (TOTAL - below) / 20).sum();
            let exact = chance(k) * (TOTAL / PARTS);
            // Each of the 20 divisions loses less than one part in 10^38.
            assert!(exact - mean <= 20, "{k}: {mean} of {exact}");
        }
    }
}
