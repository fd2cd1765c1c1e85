//! Which encodings and solvers decide "makespan ≤ k?" fast, and how many decisions it takes.
//!
//! Sections (`--only`): `encodings` every encoding at the optimum (satisfiable) and one tick below
//! it (not), with the solvers compiled in, `programs` the same with those installed, `solvers` all
//! of them with the default encoding, larger instances and more time, `at-most-one` and `symmetry`
//! what those options change, `strategies` the number of decisions, `proofs` what a certificate
//! costs. Times are CPU time and include the encoding; programs that are not installed are left
//! out, and said so.

#[path = "../common/mod.rs"]
mod common;
mod decisions;
mod limit;
mod options;
mod proofs;
mod question;
mod solvers;
mod strategies;

use anyhow::Result;

use common::{Arguments, CpuClock, Record, peak_memory};

fn main() -> Result<()> {
    let arguments = Arguments::read()?;
    let effort = arguments.effort;
    let mut record = Record::new(arguments.csv.as_deref())?;
    println!("{}, {effort:?}, seeds from 1.", CpuClock::name());
    println!("Solvers: {}.", solvers::describe());
    if arguments.wants("strategies") {
        strategies::run(effort, &mut record)?;
    }
    if arguments.wants("proofs") {
        proofs::run(effort, &mut record)?;
    }
    if arguments.wants("at-most-one") {
        options::at_most_one(effort, &mut record)?;
    }
    if arguments.wants("symmetry") {
        options::symmetry(effort, &mut record)?;
    }
    if arguments.wants("solvers") {
        decisions::solvers(effort, &mut record)?;
    }
    if arguments.wants("encodings") {
        decisions::encodings(&solvers::built_in(), effort, &mut record)?;
    }
    if arguments.wants("programs") {
        decisions::encodings(&solvers::installed(), effort, &mut record)?;
    }
    println!("\nPeak memory: {} MB.", peak_memory().unwrap_or(0) / 1_000_000);
    Ok(())
}
