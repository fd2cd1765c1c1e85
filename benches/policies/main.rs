//! Cost of scheduling policies, of long runs and of the sweeps of the thesis.
//!
//! Sections (`--only`):
//! - `overloaded`: more jobs arrive than the hosts can do, so that the queue grows;
//! - `batches`: one batch of many jobs;
//! - `hosts`: few jobs at a time on many hosts;
//! - `long`: template gsim-base with a million jobs;
//! - `optimal`: optimal batches on template wwg;
//! - `sweeps`: the seven sweeps of chapter 4 of the thesis, with a hundred replications.
//!
//! Times are CPU times of one thread; the fastest run counts. All random numbers come from fixed
//! seeds.

#[path = "../common/mod.rs"]
mod common;
mod sweeps;
mod work;

use std::time::Duration;

use anyhow::{Result, ensure};
use gridsat_grid::{Setup, Summary, simulate};

use common::{Bench, CpuClock, Effort, Table, peak_memory, seconds};

fn main() -> Result<()> {
    Bench::run(
        "seed 2",
        &[
            // First: the peak memory of the process is then that of this section.
            ("long", Bench::long),
            ("overloaded", Bench::overloaded),
            ("batches", Bench::batches),
            ("hosts", Bench::hosts),
            ("optimal", Bench::optimal),
            ("sweeps", Bench::sweeps),
        ],
    )
}

impl Bench {
    fn runs(&self) -> usize {
        if self.effort == Effort::Full { 5 } else { 1 }
    }

    fn size(&self, full: usize) -> usize {
        if self.effort == Effort::Smoke { full / 100 } else { full }
    }

    fn overloaded(&mut self) -> Result<()> {
        let title = "100 hosts, three times as many jobs as they can do";
        let table = Table::start(title, &COLUMNS);
        let jobs = self.size(10_000);
        for policy in ["minmax", "maxmax", "fjbr"] {
            let make = || work::arriving(policy, jobs, 100, 3.0);
            self.row("overloaded", &table, (policy, jobs), self.runs(), make)?;
        }
        Ok(())
    }

    fn batches(&mut self) -> Result<()> {
        let table = Table::start("100 hosts, one batch of all jobs", &COLUMNS);
        for jobs in [2_000, 4_000, 8_000].map(|jobs| self.size(jobs)) {
            for policy in ["maxmin", "sufferage", "minmin", "duplex"] {
                let make = || work::at_once(policy, jobs, 100);
                self.row("batches", &table, (policy, jobs), self.runs(), make)?;
            }
        }
        Ok(())
    }

    fn hosts(&mut self) -> Result<()> {
        let columns = ["policy", "hosts", "jobs", "time", "µs a job"];
        let table = Table::start("Load 0.9, ten seconds between decisions", &columns);
        let jobs = self.size(100_000);
        for hosts in [100, 1_000, 10_000].map(|hosts| self.size(hosts).max(2)) {
            for policy in ["mct", "minmin", "tlmm", "qgmm", "tlqmm"] {
                let time = self.best(self.runs(), || work::arriving(policy, jobs, hosts, 0.9))?;
                let each = format!("{:.2}", 1e6 * time.as_secs_f64() / jobs as f64);
                let place = ["hosts", &hosts.to_string(), policy];
                self.record.put(place, "µs a job", &each)?;
                let [hosts, jobs] = [hosts, jobs].map(|number| number.to_string());
                table.row(&[policy.to_owned(), hosts, jobs, seconds(time), each]);
            }
        }
        Ok(())
    }

    /// Jobs are generated when they arrive, so memory is that of the jobs in the system.
    fn long(&mut self) -> Result<()> {
        let columns = ["policy", "jobs", "time", "peak memory"];
        let table = Table::start("gsim-base with many users", &columns);
        let jobs = self.size(1_000_000);
        for policy in ["mct", "tlmm", "tlqmm"] {
            let time = self.best(self.runs().min(3), || work::gsim_base(policy, jobs))?;
            self.record.put(["long", policy, "simulate"], "time", time.as_secs_f64())?;
            let megabytes = |bytes: u64| format!("{:.1} MB", bytes as f64 / 1e6);
            let memory = peak_memory().map_or("?".to_owned(), megabytes);
            table.row(&[policy.to_owned(), jobs.to_string(), seconds(time), memory]);
        }
        Ok(())
    }

    fn optimal(&mut self) -> Result<()> {
        let columns = ["policy", "jobs", "time", "decisions", "time per decision", "note"];
        let table = Table::start("Optimal batches on wwg", &columns);
        let users = if self.effort == Effort::Smoke { 1 } else { 20 };
        for policy in ["sat", "tlsat"] {
            let clock = CpuClock::start();
            let summary = simulate(work::wwg(policy, users)?, &mut ())?;
            let time = clock.elapsed();
            self.record.put(["optimal", policy, "wwg"], "time", time.as_secs_f64())?;
            let decisions = u32::try_from(summary.decisions)?.max(1);
            let batch = time / decisions;
            self.record.put(["optimal", policy, "a batch"], "time", batch.as_secs_f64())?;
            let note = summary.notes.first().map_or(String::new(), |(_, note)| note.clone());
            table.row(&[
                policy.to_owned(),
                summary.counts.submitted.to_string(),
                seconds(time),
                decisions.to_string(),
                seconds(batch),
                note,
            ]);
        }
        Ok(())
    }

    fn sweeps(&mut self) -> Result<()> {
        let table = Table::start("Sweeps of the thesis", &["experiment", "runs", "time", "a run"]);
        let replications = if self.effort == Effort::Smoke { 1 } else { 100 };
        let (mut total, mut count) = (Duration::ZERO, 0);
        let folder = tempfile::tempdir()?;
        for name in sweeps::NAMES {
            let (runs, time) = sweeps::run(name, replications, folder.path())?;
            self.record.put(["sweeps", name, "all"], "time", time.as_secs_f64())?;
            table.row(&[name.to_owned(), runs.to_string(), seconds(time), each(time, runs)]);
            (total, count) = (total + time, count + runs);
        }
        table.row(&["all".to_owned(), count.to_string(), seconds(total), each(total, count)]);
        Ok(())
    }

    /// Measures and prints a row of [`COLUMNS`].
    fn row(
        &mut self,
        section: &str,
        table: &Table,
        (policy, jobs): (&str, usize),
        runs: usize,
        make: impl Fn() -> Result<Setup>,
    ) -> Result<()> {
        let time = self.best(runs, make)?;
        let jobs = jobs.to_string();
        self.record.put([section, &jobs, policy], "time", time.as_secs_f64())?;
        table.row(&[policy.to_owned(), jobs, seconds(time)]);
        Ok(())
    }

    /// The time of the fastest run, without that for making its input.
    fn best(&self, runs: usize, make: impl Fn() -> Result<Setup>) -> Result<Duration> {
        let mut fastest = Duration::MAX;
        for _ in 0..runs {
            let setup = make()?;
            let clock = CpuClock::start();
            let summary: Summary = simulate(setup, &mut ())?;
            fastest = fastest.min(clock.elapsed());
            let counts = &summary.counts;
            ensure!(counts.finished == counts.submitted, "jobs are missing");
        }
        Ok(fastest)
    }
}

const COLUMNS: [&str; 3] = ["policy", "jobs", "time"];

fn each(time: Duration, runs: usize) -> String {
    seconds(time / u32::try_from(runs.max(1)).unwrap_or(u32::MAX))
}
