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

use common::Bench;

fn main() -> Result<()> {
    println!("Solvers: {}.", solvers::describe());
    Bench::run(
        "seeds from 1",
        &[
            ("strategies", |bench| strategies::run(bench.effort, &mut bench.record)),
            ("proofs", |bench| proofs::run(bench.effort, &mut bench.record)),
            ("at-most-one", |bench| options::at_most_one(bench.effort, &mut bench.record)),
            ("symmetry", |bench| options::symmetry(bench.effort, &mut bench.record)),
            ("solvers", |bench| decisions::solvers(bench.effort, &mut bench.record)),
            ("encodings", |bench| decisions::encodings(&solvers::built_in(), bench)),
            ("programs", |bench| decisions::encodings(&solvers::installed(), bench)),
        ],
    )
}
