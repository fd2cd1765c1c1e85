//! Where jobs are submitted: shares that grow by a factor α from one scheduler to the next.

use rand_chacha::ChaCha8Rng;

use gridsat_statistics::random::unit;

/// Schedulers and their shares.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// Schedulers in their random order.
    order: Vec<u32>,
    /// How likely one of the first j + 1 is.
    below: Vec<f64>,
}

impl Places {
    /// This many schedulers in a random order.
    pub fn new(count: usize, alpha: f64, random: &mut ChaCha8Rng) -> Self {
        let mut order: Vec<u32> = (0..count as u32).collect();
        for i in (1..count).rev() {
            order.swap(i, (unit(random) * (i + 1) as f64) as usize);
        }
        // Counted from the last, the largest, powers cannot overflow.
        let weight = |j: usize| libm::pow(alpha, -((count - 1 - j) as f64));
        let total: f64 = (0..count).map(weight).sum();
        let sums = (0..count).scan(0.0, |sum, j| {
            *sum += weight(j) / total;
            Some(*sum)
        });
        Self { order, below: sums.collect() }
    }

    /// From the one with the fewest jobs to the one with the most.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The scheduler of the next job.
    pub fn draw(&self, random: &mut ChaCha8Rng) -> u32 {
        let share = unit(random);
        let j = self.below.partition_point(|&below| below <= share);
        // Sums of shares may end a little below 1.
        self.order[j.min(self.order.len() - 1)]
    }
}
