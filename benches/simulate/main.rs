//! Speed of the grid simulator, compared with the crate simcore in the same run.
//!
//! Sections (`--only`):
//! - `events`: W1, raw events, also in a bare binary heap of times;
//! - `arriving`: W2, single-PE jobs on 100 space-shared hosts, sent by MCT when they arrive;
//! - `at-once`: W3, jobs that share 10 hosts of 4 PEs;
//! - `program`: W2 from a CSV file by the program `gridsat`, with and without a table of jobs,
//!   compared with the library;
//! - `policies`: W3 under every allocation policy;
//! - `memory`: peak memory by number of jobs.
//!
//! simcore has no machines: `peer` implements W2 and W3 on top of it. A ratio above 1 means that
//! gridsat is faster. Times are CPU times. Both run alternately, and the fastest run of each
//! counts.

#[path = "../common/mod.rs"]
mod common;
mod ours;
mod peer;
mod program;
mod round_robin;
mod work;

use std::time::Duration;

use anyhow::{Result, ensure};
use gridsat_grid::allocation::AllocationPolicy;

use common::{Bench, CpuClock, Effort, Table, peak_memory, seconds};

fn main() -> Result<()> {
    Bench::run(
        "seeds 1, 2 and 3",
        &[
            // First: the peak memory of the process is then that of this section.
            ("memory", Bench::memory),
            ("events", Bench::events),
            ("arriving", Bench::arriving),
            ("at-once", Bench::at_once),
            ("program", Bench::program),
            ("policies", Bench::policies),
        ],
    )
}

/// Makespan and mean response time, or other values by which two runs are compared.
type Check = (f64, f64);

impl Bench {
    fn sizes(&self, full: &[usize]) -> Vec<usize> {
        match self.effort {
            Effort::Smoke => vec![1_000],
            Effort::Quick | Effort::Full => full.to_vec(),
        }
    }

    fn runs(&self) -> usize {
        match self.effort {
            Effort::Smoke => 1,
            Effort::Quick => 3,
            Effort::Full => 7,
        }
    }

    fn events(&mut self) -> Result<()> {
        let table = Table::start("W1: raw events, 1,000 pending", &COLUMNS);
        for count in self.sizes(&[100_000, 1_000_000, 10_000_000]) {
            let ours = || Ok((ours::timers(count), 0.0));
            self.race(("events", count), &table, ours, || (peer::timers(count), 0.0))?;
        }
        let columns = ["number", "time", "bare heap", "ratio of times"];
        let table = Table::start("W1 beside a bare heap", &columns);
        for count in self.sizes(&[1_000_000]) {
            let heap = || (peer::bare_heap(count), 0.0);
            let (ours, heap) = self.alternate(|| Ok((ours::timers(count), 0.0)), heap)?;
            let ratio = format!("{:.2}", ours.as_secs_f64() / heap.as_secs_f64());
            self.record.put(["events", &count.to_string(), "bare heap"], "ratio", &ratio)?;
            table.row(&[count.to_string(), seconds(ours), seconds(heap), ratio]);
        }
        Ok(())
    }

    fn arriving(&mut self) -> Result<()> {
        let title = "W2: single-PE jobs on 100 space-shared hosts, MCT on arrival";
        let table = Table::start(title, &COLUMNS);
        for count in self.sizes(&[10_000, 100_000, 1_000_000]) {
            let work = work::arriving(count);
            let ours = || Ok(ours::check_values(&ours::arriving(&work)?));
            self.race(("arriving", count), &table, ours, || peer::arriving(&work))?;
        }
        Ok(())
    }

    fn at_once(&mut self) -> Result<()> {
        let table = Table::start("W3: jobs that share 10 hosts of 4 PEs equally", &COLUMNS);
        for count in self.sizes(&[1_000, 10_000, 50_000, 500_000]) {
            let work = work::at_once(count);
            let ours = || Ok(ours::check_values(&ours::at_once(&work, AllocationPolicy::Equal)?));
            self.race(("at-once", count), &table, ours, || peer::at_once(&work))?;
        }
        Ok(())
    }

    /// Runs gridsat and simcore alternately and prints the fastest times of both.
    fn race(
        &mut self,
        (section, count): (&str, usize),
        table: &Table,
        ours: impl Fn() -> Result<Check>,
        peer: impl Fn() -> Check,
    ) -> Result<()> {
        let (fastest, peers) = self.alternate(ours, peer)?;
        let ratio = peers.as_secs_f64() / fastest.as_secs_f64();
        let rates = [millions(count, fastest), millions(count, peers), format!("{ratio:.2}")];
        for (measure, value) in ["million/s", "simcore million/s", "ratio"].iter().zip(&rates) {
            self.record.put([section, &count.to_string(), "simulate"], measure, value)?;
        }
        let [ours, simcore, ratio] = rates;
        table.row(&[count.to_string(), seconds(fastest), ours, simcore, ratio]);
        Ok(())
    }

    /// The fastest times of both, which must give the same result.
    fn alternate(
        &self,
        ours: impl Fn() -> Result<Check>,
        peer: impl Fn() -> Check,
    ) -> Result<(Duration, Duration)> {
        let (mut fastest, mut peers) = (Duration::MAX, Duration::MAX);
        for _ in 0..self.runs() {
            let (check, time) = timed(&ours);
            let (expected, peer_time) = timed(&peer);
            let check = check?;
            ensure!(agree(check, expected), "{check:?} is not {expected:?}");
            (fastest, peers) = (fastest.min(time), peers.min(peer_time));
        }
        Ok((fastest, peers))
    }

    fn program(&mut self) -> Result<()> {
        let columns = ["jobs", "library", "summary", "ratio", "jobs as CSV", "ratio"];
        let table = Table::start("W2 from a CSV file by the program", &columns);
        let folder = tempfile::tempdir()?;
        for count in self.sizes(&[1_000_000]) {
            let work = work::arriving(count);
            let scenario = program::write(&work, folder.path())?;
            let jobs = folder.path().join("jobs.csv");
            let mut fastest = [Duration::MAX; 3];
            for _ in 0..self.runs().min(5) {
                let (summary, library) = timed(|| ours::arriving(&work));
                ensure!(summary?.counts.finished == count as u64, "jobs are missing");
                let (with, without) = (Some(jobs.as_path()), None);
                let times = [without, with].map(|jobs| program::run(&scenario, jobs));
                let [without, with] = times;
                let times = [library, without?, with?];
                fastest.iter_mut().zip(times).for_each(|(best, time)| *best = time.min(*best));
            }
            let ratio = |index: usize| fastest[index].as_secs_f64() / fastest[0].as_secs_f64();
            let [summary, csv] = [1, 2].map(|index| format!("{:.2}", ratio(index)));
            let place = ["program", &count.to_string(), "W2"];
            self.record.put(place, "summary", &summary)?;
            self.record.put(place, "jobs as CSV", &csv)?;
            let [library, without, with] = fastest.map(seconds);
            table.row(&[count.to_string(), library, without, summary, with, csv]);
        }
        Ok(())
    }

    fn policies(&mut self) -> Result<()> {
        let columns =
            ["jobs", "space-shared", "time-shared-gsim", "time-shared-gridsim", "time-shared"];
        let table = Table::start("W3 under every policy, million jobs per CPU second", &columns);
        for count in self.sizes(&[1_000, 10_000, 100_000, 1_000_000]) {
            let work = work::at_once(count);
            let mut row = vec![count.to_string()];
            for policy in AllocationPolicy::ALL {
                let mut fastest = Duration::MAX;
                for _ in 0..self.runs().min(3) {
                    let (summary, time) = timed(|| ours::at_once(&work, policy));
                    ensure!(summary?.counts.finished == count as u64, "jobs are missing");
                    fastest = fastest.min(time);
                }
                let rate = millions(count, fastest);
                let place = ["policies", &count.to_string(), policy.name()];
                self.record.put(place, "million/s", &rate)?;
                row.push(rate);
            }
            table.row(&row);
        }
        Ok(())
    }

    /// Jobs are generated when they arrive, so memory is that of the simulation.
    fn memory(&mut self) -> Result<()> {
        let table = Table::start("Peak memory, W2, summary only", &["jobs", "MiB"]);
        for count in self.sizes(&[10_000, 100_000, 1_000_000]) {
            let summary = ours::streaming(count)?;
            ensure!(summary.counts.finished == count as u64, "jobs are missing");
            let memory = peak_memory().map_or("-".to_owned(), |bytes| {
                format!("{:.1}", bytes as f64 / f64::from(1 << 20))
            });
            self.record.put(["memory", &count.to_string(), "simulate"], "MiB", &memory)?;
            table.row(&[count.to_string(), memory]);
        }
        Ok(())
    }
}

const COLUMNS: [&str; 5] = ["number", "time", "million/s", "simcore million/s", "ratio"];

fn timed<T>(run: impl Fn() -> T) -> (T, Duration) {
    let clock = CpuClock::start();
    let result = run();
    (result, clock.elapsed())
}

fn millions(count: usize, time: Duration) -> String {
    format!("{:.2}", count as f64 / time.as_secs_f64() / 1e6)
}

/// Whether two results agree to 10^-6: gridsat rounds times to nanoseconds.
fn agree(ours: Check, peer: Check) -> bool {
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-6 * b.abs().max(1.0);
    close(ours.0, peer.0) && close(ours.1, peer.1)
}
