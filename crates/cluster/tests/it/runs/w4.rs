//! The rigid jobs used for comparing simulators: 1 to 64 nodes, exponential run times of mean one
//! hour, estimates of one to three times the run time, Poisson arrivals at a given load of 128
//! nodes. All random numbers are from SplitMix64, so that other programs can generate the same
//! jobs.

use gridsat_model::Ticks;
use gridsat_workload::RigidJob;

/// Number of nodes of the machine for these jobs.
pub const NODES: u32 = 128;

struct SplitMix(u64);

impl SplitMix {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = self.0;
        let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.unit()).ln()
    }
}

/// This many jobs at this load.
pub fn jobs(count: u64, load: f64) -> impl Iterator<Item = RigidJob> + Send {
    let gap = 3600.0 * 32.5 / (f64::from(NODES) * load);
    let (mut random, mut time) = (SplitMix(4), 0.0);
    (1..=count).map(move |number| {
        time += random.exponential(gap);
        let nodes = 1 + (64.0 * random.unit()) as u32;
        let run = (random.exponential(3600.0).round() as u64).max(1);
        let estimate = (run as f64 * (1.0 + 2.0 * random.unit())).ceil() as u64;
        RigidJob {
            number,
            submit: Ticks(time as u64),
            nodes,
            run: Ticks(run),
            estimate: Ticks(estimate),
            priority: 0,
            user: 0,
        }
    })
}
