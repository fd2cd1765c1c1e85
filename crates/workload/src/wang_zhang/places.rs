//! Distribution of submissions over schedulers, whose shares grow by a factor α from one to the
//! next.

use rand_chacha::ChaCha8Rng;

use gridsat_statistics::random::unit;

/// The schedulers and their shares.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// The schedulers in random order.
    order: Vec<u32>,
    /// Entry j is the probability of the first j + 1 schedulers together.
    below: Vec<f64>,
}

impl Places {
    /// This many schedulers in a random order, with shares that grow by `alpha`.
    pub fn new(count: usize, alpha: f64, random: &mut ChaCha8Rng) -> Self {
        let mut order: Vec<u32> = (0..count as u32).collect();
        for i in (1..count).rev() {
            order.swap(i, (unit(random) * (i + 1) as f64) as usize);
        }
        // Exponents counted from the last scheduler, which has the largest share, so that powers
        // cannot overflow.
        let weight = |j: usize| libm::pow(alpha, -((count - 1 - j) as f64));
        let total: f64 = (0..count).map(weight).sum();
        let sums = (0..count).scan(0.0, |sum, j| {
            *sum += weight(j) / total;
            Some(*sum)
        });
        Self { order, below: sums.collect() }
    }

    /// The schedulers, from the one with the fewest jobs to the one with the most.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// Draws the scheduler of the next job.
    pub fn draw(&self, random: &mut ChaCha8Rng) -> u32 {
        let share = unit(random);
        let j = self.below.partition_point(|&below| below <= share);
        // The sum of the shares may be slightly below 1.
        self.order[j.min(self.order.len() - 1)]
    }
}
