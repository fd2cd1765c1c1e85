//! Speed of the cluster simulator.
//!
//! Sections (`--only`):
//! - `w4`: W4, a fixed workload of rigid jobs under EASY on 128 nodes, compared with the crate
//!   simcore; both run alternately and must give the same makespan and mean wait;
//! - `w4-once`: 20,000 jobs of W4 per load, without simcore and once: for counting instructions;
//! - `program`: W4 from a trace by the program `gridsat`, with and without a table of jobs,
//!   compared with the library;
//! - `policies`: W4 under every policy;
//! - `queue`: all jobs submitted at once, so that nearly all wait;
//! - `nodes`: larger machines, with proportionally more jobs running at a time.
//!
//! Times are CPU times, including the generation of jobs; the fastest run counts. Benches are built
//! with link-time optimisation, which a user of simcore would switch on.

#[path = "../common/mod.rs"]
mod common;
mod peer;
#[path = "../../crates/cluster/tests/it/runs/w4.rs"]
mod w4;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Result, ensure};
use gridsat_cluster::{ClusterSpec, QueuePolicy, Setup, Summary, simulate, source};
use gridsat_model::{Scale, Ticks};
use gridsat_workload::RigidJob;
use gridsat_workload::swf::Record;

use common::{Bench, CpuClock, Effort, Table, seconds};

const LOADS: [(&str, f64); 2] = [("0.80", 0.80), ("0.92", 0.92)];
const COLUMNS: [&str; 6] =
    ["subject", "jobs", "mean wait", "most waiting", "time", "million jobs/s"];

fn main() -> Result<()> {
    Bench::run(
        "seed 1",
        &[
            ("w4", Bench::w4),
            ("w4-once", Bench::w4_once),
            ("program", Bench::program),
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

    fn w4_once(&mut self) -> Result<()> {
        for (name, load) in LOADS {
            let count = if self.effort == Effort::Smoke { 300 } else { 20_000 };
            let (_, summary) = run(w4::NODES, QueuePolicy::Easy, w4::jobs(count, load))?;
            println!("W4, load {name}: {} events", summary.events);
        }
        Ok(())
    }

    fn program(&mut self) -> Result<()> {
        let columns = ["load", "jobs", "library", "summary", "ratio", "jobs as CSV", "ratio"];
        let table = Table::start("W4 from a trace by the program", &columns);
        let folder = tempfile::tempdir()?;
        let [trace, jobs] = ["w4.swf", "jobs.csv"].map(|name| folder.path().join(name));
        let count = *self.sizes(&[100_000, 1_000_000]).last().expect("there is a size");
        for (name, load) in LOADS {
            write_trace(&trace, w4::jobs(count, load))?;
            let mut fastest = [Duration::MAX; 3];
            for _ in 0..if self.effort == Effort::Full { 5 } else { 1 } {
                let (library, _) = run(w4::NODES, QueuePolicy::Easy, w4::jobs(count, load))?;
                let times = [library, by_program(&trace, None)?, by_program(&trace, Some(&jobs))?];
                fastest.iter_mut().zip(times).for_each(|(best, time)| *best = time.min(*best));
            }
            let ratio = |index: usize| fastest[index].as_secs_f64() / fastest[0].as_secs_f64();
            for (index, measure) in [(1, "summary"), (2, "jobs as CSV")] {
                let place = ["program", &count.to_string(), name];
                self.record.put(place, measure, format!("{:.2}", ratio(index)))?;
            }
            let [summary, csv] = [1, 2].map(|index| format!("{:.2}", ratio(index)));
            let [library, without, with] = fastest.map(seconds);
            table.row(&[name.into(), count.to_string(), library, without, summary, with, csv]);
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
                QueuePolicy::Conservative => &[1_000, 2_000, 5_000],
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
        let place = [section, &count.to_string(), subject];
        self.record.put(place, "million jobs/s", &rate)?;
        self.record.put(place, "time", fastest.as_secs_f64())?;
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

fn write_trace(path: &Path, jobs: impl Iterator<Item = RigidJob>) -> Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    writeln!(out, "; MaxProcs: {}", w4::NODES)?;
    for job in jobs {
        writeln!(out, "{}", Record::of_job(&job, Scale::default()))?;
    }
    Ok(out.flush()?)
}

/// CPU time of the program, which writes a table of jobs if there is a path for it.
fn by_program(trace: &Path, jobs: Option<&Path>) -> Result<Duration> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridsat"));
    command.args(["simulate", "--policy", "easy"]).arg(trace).stdout(Stdio::null());
    if let Some(path) = jobs {
        command.arg("--jobs").arg(path);
        // Replacing a table takes the system as long as writing it.
        let _ = std::fs::remove_file(path);
    }
    let clock = CpuClock::start();
    ensure!(command.status()?.success(), "{command:?} failed");
    Ok(clock.elapsed())
}
