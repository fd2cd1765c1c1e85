//! The computing time of schedulers.
//!
//! Reading the clock takes as long as a decision on a single job, so most of these are not
//! measured: after the first [`SAMPLE`], only one in [`SAMPLE`], which counts as many times.

use std::time::{Duration, Instant};

const SAMPLE: u32 = 64;

/// The time so far.
#[derive(Debug, Default)]
pub(super) struct Thinking {
    pub total: Duration,
    /// Decisions on single jobs, up to [`SAMPLE`], and those since the last one measured.
    singles: u32,
    unmeasured: u32,
}

/// A measurement that has begun.
pub(super) struct Measurement {
    start: Instant,
    weight: u32,
}

impl Thinking {
    /// Begins to measure a decision on this many jobs, if it is to be measured.
    #[inline]
    pub fn begin(&mut self, jobs: usize) -> Option<Measurement> {
        let weight = self.weight(jobs)?;
        Some(Measurement { start: Instant::now(), weight })
    }

    #[inline]
    fn weight(&mut self, jobs: usize) -> Option<u32> {
        if jobs > 1 {
            return Some(1);
        }
        if self.singles < SAMPLE {
            self.singles += 1;
            return Some(1);
        }
        self.unmeasured += 1;
        let is_due = self.unmeasured == SAMPLE;
        self.unmeasured %= SAMPLE;
        is_due.then_some(SAMPLE)
    }

    #[inline]
    pub fn end(&mut self, measurement: Option<Measurement>) {
        if let Some(Measurement { start, weight }) = measurement {
            self.total += start.elapsed() * weight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_add_up_to_the_decisions() {
        let mut thinking = Thinking::default();
        let mut sum = |jobs| (0..10 * SAMPLE).filter_map(|_| thinking.weight(jobs)).sum::<u32>();
        assert_eq!((sum(1), sum(5), sum(1)), (10 * SAMPLE, 10 * SAMPLE, 10 * SAMPLE));
        let measured = (0..10 * SAMPLE).filter_map(|_| thinking.weight(1)).count();
        assert_eq!(measured, 10);
    }
}
