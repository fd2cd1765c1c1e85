//! Arrivals with a daily cycle.
//!
//! A day has 48 buckets of half an hour. Each job needs exp(g) / 1800 points, and bucket i offers
//! weight_i points, 1 on average: at an average time of day the interarrival time is exp(g)
//! seconds. The weights are the gamma(anum, bnum) probabilities of (i - ½, i + ½), for i from 11
//! to 58, in bucket (i - 1) mod 48: time 0 is midnight, and the cycle starts at five in the
//! morning, when the fewest jobs arrive.

use rand_chacha::ChaCha8Rng;

use super::super::parameters::ModelError;
use super::super::{Distribution, gamma_below};
use super::{LONGEST_LOG_GAP, LublinParameters};

const BUCKETS: usize = 48;
const BUCKET_SECONDS: f64 = 1800.0;
/// The first i of the cycle.
const FIRST: usize = 11;

/// An endless sequence of arrival times.
#[derive(Clone, Debug)]
pub(in super::super) struct Arrivals {
    weights: [f64; BUCKETS],
    log_gaps: Distribution,
    /// Factor on the points that each job needs.
    stretch: f64,
    random: ChaCha8Rng,
    /// Number of the current bucket since time 0, and the points already taken from it.
    bucket: u64,
    taken: f64,
}

impl Arrivals {
    pub fn new(
        parameters: &LublinParameters,
        stretch: f64,
        random: ChaCha8Rng,
    ) -> Result<Self, ModelError> {
        let (shape, scale) = parameters.log_gaps();
        let log_gaps = Distribution::gamma(shape, scale)?;
        let weights = weights(parameters.anum, parameters.bnum)?;
        Ok(Self { weights, log_gaps, stretch, random, bucket: 0, taken: 0.0 })
    }

    /// The next arrival time, in seconds since time 0.
    pub fn draw(&mut self) -> f64 {
        let log_gap = loop {
            let log_gap = self.log_gaps.sample(&mut self.random);
            if log_gap <= LONGEST_LOG_GAP {
                break log_gap;
            }
        };
        self.take(self.stretch * libm::exp(log_gap) / BUCKET_SECONDS)
    }

    /// Takes points and returns the time at which they are used up, in seconds.
    fn take(&mut self, points: f64) -> f64 {
        // A day offers 48 points in total, one per bucket on average.
        let days = libm::floor(points / BUCKETS as f64);
        self.bucket += (days as u64).saturating_mul(BUCKETS as u64);
        self.taken += points - days * BUCKETS as f64;
        while self.taken >= self.weight() {
            self.taken -= self.weight();
            self.bucket += 1;
        }
        (self.bucket as f64 + self.taken / self.weight()) * BUCKET_SECONDS
    }

    fn weight(&self) -> f64 {
        self.weights[(self.bucket % BUCKETS as u64) as usize]
    }
}

fn weights(anum: f64, bnum: f64) -> Result<[f64; BUCKETS], ModelError> {
    let mut weights = [0.0; BUCKETS];
    let below = |x: f64| gamma_below(anum, bnum, x);
    for i in FIRST..FIRST + BUCKETS {
        let middle = i as f64;
        weights[(i - 1) % BUCKETS] = below(middle + 0.5) - below(middle - 0.5);
    }
    let mean = weights.iter().sum::<f64>() / BUCKETS as f64;
    if mean < 1e-6 {
        let problem = "no arrivals in the buckets of a day";
        return Err(ModelError::Together { names: "anum and bnum", problem });
    }
    Ok(weights.map(|weight| weight / mean))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_statistics::random::stream;

    fn arrivals(stretch: f64) -> Arrivals {
        Arrivals::new(&LublinParameters::ALL, stretch, stream(1, "test", 0)).expect("valid")
    }

    #[test]
    fn a_day_has_48_points_and_is_busiest_after_noon() {
        let weights = arrivals(1.0).weights;
        assert!((weights.iter().sum::<f64>() - 48.0).abs() < 1e-9);
        let by_weight = |&a: &usize, &b: &usize| weights[a].total_cmp(&weights[b]);
        assert_eq!((0..48).max_by(by_weight), Some(27));
        assert_eq!((0..48).min_by(by_weight), Some(10));
    }

    /// Points taken in small steps fill each bucket in proportion to its weight, day after day.
    #[test]
    fn points_are_spent_bucket_by_bucket() {
        let mut arrivals = arrivals(1.0);
        let mut seen = [0_u32; BUCKETS];
        for _ in 0..96_000 {
            let time = arrivals.take(0.001);
            seen[(time / BUCKET_SECONDS) as usize % BUCKETS] += 1;
        }
        for (bucket, (&seen, weight)) in seen.iter().zip(arrivals.weights).enumerate() {
            assert!((f64::from(seen) - 2000.0 * weight).abs() <= 4.0, "bucket {bucket}: {seen}");
        }
    }

    #[test]
    fn whole_days_pass_at_once() {
        let mut arrivals = arrivals(1.0);
        let before = arrivals.take(20.0);
        let after = arrivals.take(48.0 * 1e6);
        assert!((after - before - 86_400.0 * 1e6).abs() < 1e-3, "{before} {after}");
    }
}
