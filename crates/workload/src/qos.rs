//! Distribution of the QoS levels that applications request.

use rand_chacha::ChaCha8Rng;

use super::{WorkloadError, check_number};
use gridsat_statistics::random::unit;

/// Probabilities of the QoS levels.
#[derive(Clone, Debug, PartialEq)]
pub struct Qos {
    /// Sum of the weights up to each level; the last level has a weight above 0.
    sums: Vec<f64>,
}

impl Qos {
    /// All jobs have level 0.
    pub fn none() -> Self {
        Self { sums: vec![1.0] }
    }

    /// Level 1 with this probability, otherwise level 0 (thesis, section 4.5.2).
    pub fn high(probability: f64) -> Result<Self, WorkloadError> {
        if !(0.0..=1.0).contains(&probability) {
            return Err(WorkloadError::Probability { value: probability });
        }
        Self::weights(&[1.0 - probability, probability])
    }

    /// Levels 0, 1, … with probabilities proportional to their weights.
    pub fn weights(weights: &[f64]) -> Result<Self, WorkloadError> {
        let mut sum = 0.0;
        let mut sums = Vec::with_capacity(weights.len());
        for &weight in weights {
            check_number("weight of a QoS level", weight)?;
            sum += weight;
            sums.push(sum);
        }
        if !(sum > 0.0 && sum.is_finite()) {
            return Err(WorkloadError::Weights { sum });
        }
        sums.truncate(1 + sums.partition_point(|&below| below < sum));
        Ok(Self { sums })
    }

    /// Draws a level.
    pub fn sample(&self, random: &mut ChaCha8Rng) -> u32 {
        let last = self.sums.len() - 1;
        let point = unit(random) * self.sums[last];
        // Rounding may move the point to the total.
        self.sums.partition_point(|&sum| sum <= point).min(last) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_without_weight_are_never_drawn() {
        let qos = Qos::weights(&[0.0, 2.0, 0.0, 1.0, 0.0]).expect("valid");
        let mut random = gridsat_statistics::random::stream(1, "test", 0);
        let levels: Vec<u32> = (0..1000).map(|_| qos.sample(&mut random)).collect();
        assert!(levels.iter().all(|level| [1, 3].contains(level)));
        assert!(levels.contains(&1) && levels.contains(&3));
        for (probability, level) in [(0.0, 0), (1.0, 1)] {
            let qos = Qos::high(probability).expect("valid");
            assert!((0..1000).all(|_| qos.sample(&mut random) == level));
        }
    }

    #[test]
    fn rejects_nonsense_in_one_line() {
        let error = |result: Result<Qos, WorkloadError>| result.expect_err("invalid").to_string();
        assert_eq!(error(Qos::high(1.5)), "the probability of a high QoS is 1.5, not from 0 to 1");
        assert_eq!(error(Qos::weights(&[])), "the weights of QoS levels add up to 0");
        let negative = error(Qos::weights(&[1.0, -1.0]));
        assert_eq!(negative, "weight of a QoS level is -1, not a number >= 0");
    }
}
