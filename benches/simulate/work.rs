//! The simulated workloads. They are identical on every machine: all random numbers come from
//! SplitMix64.
//!
//! W1: timers. W2: single-PE jobs that arrive one by one. W3: jobs that all arrive at time 0.

use std::sync::Arc;

/// The generator SplitMix64 with its state.
pub struct SplitMix(pub u64);

impl SplitMix {
    /// Uniform from 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.unit()).ln()
    }

    fn whole(&mut self, low: u32, count: u32) -> f64 {
        f64::from(low) + (f64::from(count) * self.unit()).floor()
    }
}

/// Timers pending at any time in W1.
pub const TIMERS: usize = 1_000;

/// W1: delays in seconds, used in turn, over and over.
pub fn delays() -> Vec<f64> {
    let mut random = SplitMix(1);
    (0..1 << 16).map(|_| random.exponential(1.0)).collect()
}

/// Rates of hosts in MIPS, and jobs in order of arrival.
pub struct Jobs {
    pub mips: Vec<f64>,
    /// Arrival in milliseconds and size in MI.
    pub jobs: Arc<[(u64, f64)]>,
}

impl Jobs {
    /// The jobs one by one, without a copy of the list.
    pub fn one_by_one(&self) -> OneByOne {
        OneByOne { jobs: Arc::clone(&self.jobs), next: 0 }
    }
}

/// The jobs of a list.
pub struct OneByOne {
    jobs: Arc<[(u64, f64)]>,
    next: usize,
}

impl Iterator for OneByOne {
    type Item = (u64, f64);

    fn next(&mut self) -> Option<(u64, f64)> {
        self.next += 1;
        self.jobs.get(self.next - 1).copied()
    }
}

/// W2: Poisson arrivals at nine tenths of what 100 hosts of 100 to 1000 MIPS can do.
pub fn stream() -> (Vec<f64>, impl Iterator<Item = (u64, f64)> + Send) {
    let mut random = SplitMix(2);
    let mips: Vec<f64> = (0..100).map(|_| random.whole(100, 901)).collect();
    let gap = 150_000.0 / (0.9 * mips.iter().sum::<f64>());
    let mut time = 0.0;
    let jobs = std::iter::repeat_with(move || {
        time += random.exponential(gap);
        ((time * 1000.0_f64).round() as u64, random.whole(100_000, 100_001))
    });
    (mips, jobs)
}

/// The first jobs of W2.
pub fn arriving(count: usize) -> Jobs {
    let (mips, jobs) = stream();
    Jobs { mips, jobs: jobs.take(count).collect() }
}

/// PEs of a host in W3.
pub const PES: u32 = 4;

/// W3: jobs in turn on 10 hosts of 100, 200, … 1000 MIPS.
pub fn at_once(count: usize) -> Jobs {
    let mut random = SplitMix(3);
    Jobs {
        mips: (1..=10).map(|host| 100.0 * f64::from(host)).collect(),
        jobs: (0..count).map(|_| (0, random.whole(100_000, 100_001))).collect(),
    }
}
