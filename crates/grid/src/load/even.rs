//! Loads distributed evenly around the average (thesis, section 3.5, `EvenInLimitRandomiser`,
//! equations 3.2-3.5).
//!
//! Each whole percent from a - m to a + m is equally likely. If that range crosses 0 it is cut to
//! 0..=H, H = a + m, and 0 gets a larger weight X, compared to 1 for each other value, so that the
//! mean stays a: `H(H+1)/2 / (X + H) = a`. Solved and simplified, that is
//!
//! ```text
//! P(0) = 1 - 2a/(H+1),  P(v) = 2a/(H(H+1)) for v = 1..=H
//! ```
//!
//! These are fractions of small integers, drawn exactly. A range that crosses 100 is the mirror
//! image. With m ≤ 50 no range crosses both. At a = 0 or 100 only that load gives the mean.
//!
//! Listing A2 of the thesis rounds so that the ends have other probabilities; this code follows its
//! equations (erratum E14).

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::LoadError;

/// Uniform within this many points of the average, which stays the mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvenInLimit {
    max: u8,
}

impl EvenInLimit {
    /// Largest limit, in points.
    pub const WIDEST: u8 = 50;

    /// At most `max` points from the average; `max` is at most 50.
    pub fn new(max: u8) -> Result<Self, LoadError> {
        if max > Self::WIDEST {
            return Err(LoadError::Limit { max });
        }
        Ok(Self { max })
    }

    /// Draws a percentage; `average` is at most 100.
    pub(super) fn draw(self, average: u8, random: &mut ChaCha8Rng) -> u8 {
        let room = average.min(100 - average);
        if self.max <= room {
            return random.random_range(average - self.max..=average + self.max);
        }
        let distance = cut(room, self.max, random);
        if average == room { distance } else { 100 - distance }
    }
}

/// Draws from the distribution cut at 0: `average` < `max`.
fn cut(average: u8, max: u8, random: &mut ChaCha8Rng) -> u8 {
    let (highest, twice) = (u16::from(average + max), 2 * u16::from(average));
    // One of H + 1 rows, of which 2a contain the values 1..=H and the others only 0.
    let cell = random.random_range(0..highest * (highest + 1));
    let (row, column) = (cell / highest, cell % highest);
    if row < twice { 1 + column as u8 } else { 0 }
}
