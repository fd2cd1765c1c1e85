//! Speed of the cluster simulator.
//!
//! Sections (`--only`):
//! - `w4`: W4, a fixed workload of rigid jobs under EASY on 128 nodes, compared with the crate
//!   simcore; both run alternately and must give the same makespan and mean wait;
//! - `policies`: W4 under every policy;
//! - `queue`: all jobs submitted at once, so that nearly all wait;
//! - `nodes`: larger machines, with proportionally more jobs running at a time.
//!
//! Times are CPU times, including the generation of jobs; the fastest run counts.

#[path = "../common/mod.rs"]
mod common;
mod peer;
#[path = "../../crates/cluster/tests/it/runs/w4.rs"]
mod w4;

use gridsat_model::Ticks;
use std::time::Duration;

use anyhow::{Result, ensure};
use gridsat_cluster::{ClusterSpec, QueuePolicy, Setup, Summary, simulate, source};
use gridsat_workload::RigidJob;

use common::{Bench, CpuClock, Effort, Table, seconds};

const LOADS: [(&str, f64); 2] = [("0.80", 0.80), ("0.92", 0.92)];
const COLUMNS: [&str; 6] =
    ["subject", "jobs", "mean wait", "most waiting", "time", "million jobs/s"];

fn main() -> Result<()> {
    Bench::run(
        "seed 1",
        &[
            ("w4", Bench::w4),
            ("policies", Bench::policies),
            ("queue", Bench::queue),
            ("nodes", Bench::nodes),
        ],
    )
}

impl Bench {
    fn sizes(&self, full: &[u64]) -> Vec<u64> {
        match self.effort {
            Effort::Smoke => vec![full[0].min(300)],
            Effort::Quick => full[..full.len() - 1].to_vec(),
            Effort::Full => full.to_vec(),
        }
    }

    fn w4(&mut self) -> Result<()> {
        let columns = ["load", "jobs", "mean wait", "time", "million jobs/s", "simcore", "ratio"];
        let table = Table::start("W4: EASY on 128 nodes", &columns);
        for (name, load) in LOADS {
            for count in self.sizes(&[10_000, 100_000, 1_000_000]) {
                let (mut ours, mut theirs, mut wait) = (Duration::MAX, Duration::MAX, 0.0);
                for _ in 0..if self.effort == Effort::Full { 5 } else { 1 } {
                    let (time, summary) = run(w4::NODES, QueuePolicy::Easy, w4::jobs(count, load))?;
                    ours = ours.min(time);
                    let clock = CpuClock::start();
                    let peer = peer::easy(w4::NODES, w4::jobs(count, load));
                    theirs = theirs.min(clock.elapsed());
                    wait = summary.all.jobs.wait.mean();
                    let same = peer.0 == summary.end_time.0.as_f64()
                        && (peer.1 - wait).abs() < 1e-6 * wait;
                    ensure!(same, "load {name}, {count} jobs: {peer:?} is not {summary:?}");
                }
                let rates = [ours, theirs].map(|time| count as f64 / time.as_secs_f64() / 1e6);
                let [rate, peer] = rates.map(|rate| format!("{rate:.3}"));
                self.record.put(["w4", &count.to_string(), name], "million jobs/s", &rate)?;
                self.record.put(["w4", &count.to_string(), name], "simcore", &peer)?;
                let ratio = format!("{:.2}", rates[0] / rates[1]);
                let (wait, time) = (format!("{wait:.5}"), seconds(ours));
                table.row(&[name.into(), count.to_string(), wait, time, rate, peer, ratio]);
            }
        }
        Ok(())
    }

    fn policies(&mut self) -> Result<()> {
        let table = Table::start("Every policy, load 0.80 of 128 nodes", &COLUMNS);
        for policy in QueuePolicy::all() {
            let count = self.sizes(&[10_000, 100_000])[0];
            let name = policy.beosim_name();
            let jobs = || w4::jobs(count, 0.80);
            self.measure(&table, ("policies", &name, count), w4::NODES, policy, jobs)?;
        }
        Ok(())
    }

    fn queue(&mut self) -> Result<()> {
        let table = Table::start("All jobs at once", &COLUMNS);
        for policy in [QueuePolicy::Easy, QueuePolicy::Conservative] {
            let full: &[u64] = match policy {
                QueuePolicy::Conservative => &[100, 300, 1_000],
                _ => &[1_000, 10_000, 100_000],
            };
            for count in self.sizes(full) {
                let name = policy.beosim_name();
                let jobs = || w4::jobs(count, 0.80).map(|job| RigidJob { submit: Ticks(0), ..job });
                self.measure(&table, ("queue", &name, count), w4::NODES, policy, jobs)?;
            }
        }
        Ok(())
    }

    fn nodes(&mut self) -> Result<()> {
        let table =
            Table::start("EASY at load 0.92, as many jobs at a time as nodes allow", &COLUMNS);
        for factor in self.sizes(&[1, 8, 64, 800]) {
            let nodes = w4::NODES * factor as u32;
            let name = format!("{nodes} nodes");
            let jobs = || {
                let jobs = w4::jobs(100_000, 0.92);
                jobs.map(move |job| RigidJob { submit: job.submit / factor, ..job })
            };
            self.measure(&table, ("nodes", &name, 100_000), nodes, QueuePolicy::Easy, jobs)?;
        }
        Ok(())
    }

    fn measure<J: Iterator<Item = RigidJob> + Send + 'static>(
        &mut self,
        table: &Table,
        (section, subject, count): (&str, &str, u64),
        nodes: u32,
        policy: QueuePolicy,
        jobs: impl Fn() -> J,
    ) -> Result<()> {
        let runs = if self.effort == Effort::Full { 5 } else { 1 };
        let mut fastest = Duration::MAX;
        let mut summary: Option<Summary> = None;
        for _ in 0..runs {
            let (time, done) = run(nodes, policy, jobs())?;
            fastest = fastest.min(time);
            ensure!(done.all.jobs.finished == count, "{subject}: not all jobs finished");
            summary = Some(done);
        }
        let all = summary.expect("at least one run").all;
        let rate = format!("{:.3}", count as f64 / fastest.as_secs_f64() / 1e6);
        self.record.put([section, &count.to_string(), subject], "million jobs/s", &rate)?;
        let wait = format!("{:.5}", all.jobs.wait.mean());
        let waiting = all.max_queue_depth.to_string();
        table.row(&[subject.into(), count.to_string(), wait, waiting, seconds(fastest), rate]);
        Ok(())
    }
}

fn run(
    nodes: u32,
    policy: QueuePolicy,
    jobs: impl Iterator<Item = RigidJob> + Send + 'static,
) -> Result<(Duration, Summary)> {
    let clusters = vec![ClusterSpec::equal("one", nodes)];
    let clock = CpuClock::start();
    let summary = simulate(Setup::global(clusters, policy, source(jobs)), &mut ())?;
    Ok((clock.elapsed(), summary))
}
