//! Failures of nodes and advance reservations: cases by hand, invariants on random jobs, a plain
//! twin, and Little's formula for nodes that are down.

mod failures;
mod reservations;

use gridsat_cluster::{ClusterSpec, QueuePolicy, Run, Setup, source};
use gridsat_model::Ticks;
use gridsat_workload::RigidJob;

fn job(number: u64, submit: u64, nodes: u32, run: u64) -> RigidJob {
    RigidJob {
        number,
        submit: Ticks(submit),
        nodes,
        run: Ticks(run),
        estimate: Ticks(run),
        priority: 0,
        user: 0,
    }
}

/// One cluster of this many nodes.
fn one(nodes: u32, policy: QueuePolicy, jobs: &[RigidJob]) -> Setup {
    let clusters = vec![ClusterSpec::equal("one", nodes)];
    Setup::global(clusters, policy, source(jobs.to_vec()))
}

/// Number, first start and end of each job.
fn times(run: &Run) -> Vec<(u64, u64, u64)> {
    run.jobs.iter().map(|job| (job.job.number, job.start.0.0, job.end.0.0)).collect()
}
