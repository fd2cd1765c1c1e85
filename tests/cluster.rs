//! Clusters: known results, hand-computed schedules, and what every run must add up to.

#![allow(clippy::panic, reason = "that is how a test says what it found")]

#[allow(unused_imports)]
use gridsat::cluster::{
    ClusterError, ClusterId, ClusterSpec, Components, Happening, JobRecord, Moldable, Nobody,
    NodeChoice, NodeGroup, Observer, Order, Outcome, Overrun, ParallelJob, Penalty, Policy,
    Request, Setup, Speed, Speedup, Summary, simulate, source, statistics,
};
use gridsat::sim::engine::StopRules;
use gridsat::sim::time::Time;
use gridsat::workload::RigidJob;

/// SplitMix64, as the programs that compare simulators use it.
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

/// Jobs of 1 to 64 nodes, run times around an hour, estimates up to three times that, on 128 nodes.
fn w4(load: f64) -> impl Iterator<Item = RigidJob> {
    let gap = 3600.0 * 32.5 / (128.0 * load);
    let (mut random, mut time) = (SplitMix(4), 0.0);
    (1..=100_000).map(move |number| {
        time += random.exponential(gap);
        let nodes = 1 + (64.0 * random.unit()) as u32;
        let run = (random.exponential(3600.0).round() as u64).max(1);
        let estimate = (run as f64 * (1.0 + 2.0 * random.unit())).ceil() as u64;
        RigidJob { number, submit: time as u64, nodes, run, estimate, priority: 0, user: 0 }
    })
}

/// The values that other simulators with this EASY give for the same jobs.
#[test]
fn easy_on_128_nodes_gives_what_others_give() {
    for (load, makespan, wait) in
        [(0.80, 114_198_892, 6_634.743_63), (0.92, 99_372_476, 36_430.490_37)]
    {
        let clusters = vec![ClusterSpec::equal("w4", 128)];
        let setup = Setup::global(clusters, Policy::Easy, source(w4(load)));
        let summary = simulate(setup, &mut Nobody).expect("valid");
        assert_eq!(summary.makespan, Time(makespan), "load {load}");
        assert!((summary.all.jobs.wait.mean() - wait).abs() < 1e-5, "load {load}");
        assert_eq!(summary.events, 200_000);
    }
}
