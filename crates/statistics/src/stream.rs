//! Sum, mean, deviation and extremes of integers that arrive one by one and are not stored.
//!
//! Sums are exact: neither the order of the numbers nor how they are split before [`Stream::merge`]
//! changes a result.

/// Statistics of the numbers added so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    count: u64,
    total: u128,
    /// Sum of squares; saturates, after which there is no deviation.
    squares: u128,
    /// The largest possible number if there are none.
    least: u64,
    most: u64,
}

impl Default for Stream {
    fn default() -> Self {
        Self { count: 0, total: 0, squares: 0, least: u64::MAX, most: 0 }
    }
}

impl Stream {
    /// Adds a number.
    pub fn add(&mut self, value: u64) {
        self.count += 1;
        self.total += u128::from(value);
        self.squares = self.squares.saturating_add(u128::from(value) * u128::from(value));
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }

    /// Adds all numbers of another stream.
    pub fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.total += other.total;
        self.squares = self.squares.saturating_add(other.squares);
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
    }

    /// How many numbers were added.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sum of all numbers.
    pub fn total(&self) -> u128 {
        self.total
    }

    /// The smallest number; 0 if there are none.
    pub fn least(&self) -> u64 {
        if self.count == 0 { 0 } else { self.least }
    }

    /// The largest number; 0 if there are none.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// The mean; 0 if there are no numbers.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.total as f64 / self.count as f64 }
    }

    /// Standard deviation, dividing by n − 1; `None` with fewer than two numbers, or if the sum
    /// of squares overflowed.
    pub fn deviation(&self) -> Option<f64> {
        let n = u128::from(self.count);
        let squares = n.checked_mul(self.squares)?;
        let distance = squares.checked_sub(self.total.checked_mul(self.total)?)?;
        (n > 1).then(|| (distance as f64 / (n as f64 * (n - 1) as f64)).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand_and_in_two_parts() {
        let mut whole = Stream::default();
        let (mut a, mut b) = (whole, whole);
        for (at, value) in [2, 4, 4, 4, 5, 5, 7, 9].into_iter().enumerate() {
            whole.add(value);
            if at % 3 == 0 { a.add(value) } else { b.add(value) }
        }
        a.merge(&b);
        assert_eq!(a, whole);
        assert_eq!((whole.mean(), whole.least(), whole.most()), (5.0, 2, 9));
        let deviation = whole.deviation().expect("eight values");
        assert!((deviation - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
        let mut huge = Stream::default();
        huge.add(u64::MAX);
        huge.add(u64::MAX);
        assert_eq!((huge.mean(), huge.deviation()), (u64::MAX as f64, None));
    }
}
