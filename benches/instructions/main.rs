//! Runs one workload once, for counting its instructions: `instructions W1`.
//!
//! Unlike times, numbers of instructions do not depend on the machine's other work.
//! `.ci/instructions` counts them with valgrind and compares them with the recorded ones.
//!
//! W1 to W3 are those of `benches/simulate`, W4 is that of `benches/cluster`.

#[expect(dead_code, reason = "benches/simulate uses the rest")]
#[path = "../simulate/ours.rs"]
mod ours;
#[path = "../simulate/round_robin.rs"]
mod round_robin;
#[path = "../../crates/cluster/tests/it/runs/w4.rs"]
mod w4;
#[expect(dead_code, reason = "benches/simulate uses the rest")]
#[path = "../simulate/work.rs"]
mod work;

use anyhow::{Result, bail, ensure};
use gridsat_cluster::{ClusterSpec, QueuePolicy, Setup, simulate, source};
use gridsat_grid::allocation::AllocationPolicy;

fn main() -> Result<()> {
    let finished = match std::env::args().nth(1).as_deref() {
        Some("W1") => {
            ours::timers(200_000);
            return Ok(());
        }
        Some("W2") => ours::streaming(JOBS as usize)?.counts.finished,
        Some("W3") => {
            let jobs = work::at_once(JOBS as usize);
            ours::at_once(&jobs, AllocationPolicy::Equal)?.counts.finished
        }
        Some("W4") => rigid()?,
        // As `cargo bench` and `cargo test` call it.
        None | Some("--bench" | "--test") => return Ok(()),
        Some(other) => bail!("{other} is none of W1, W2, W3, W4"),
    };
    ensure!(finished == JOBS, "{finished} of {JOBS} jobs finished");
    Ok(())
}

const JOBS: u64 = 20_000;

fn rigid() -> Result<u64> {
    let clusters = vec![ClusterSpec::equal("one", w4::NODES)];
    let jobs = source(w4::jobs(JOBS, 0.92));
    let summary = simulate(Setup::global(clusters, QueuePolicy::Easy, jobs), &mut ())?;
    Ok(summary.all.jobs.finished)
}
