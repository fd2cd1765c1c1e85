//! Which encodings and solvers decide "makespan ≤ k?" fast, and how many decisions are needed.
//!
//! Sections (`--only`):
//! - `encodings`: every encoding at the optimum (satisfiable) and one tick below it (not), with the
//!   compiled-in solvers;
//! - `programs`: the same with the installed programs;
//! - `implied`: what each implied constraint is worth;
//! - `solvers`: all solvers with the default encoding, larger instances and more time;
//! - `at-most-one` and `symmetry`: the effect of these options;
//! - `strategies`: the number of decisions;
//! - `proofs`: the cost of a certificate.
//!
//! Times are CPU times and include the encoding. Programs that are not installed are left out, with
//! a note.

#[path = "../common/mod.rs"]
mod common;
mod decisions;
mod implied;
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
            ("implied", |bench| implied::run(bench.effort, &mut bench.record)),
            ("solvers", |bench| decisions::solvers(bench.effort, &mut bench.record)),
            ("encodings", |bench| decisions::encodings(&solvers::built_in(), bench)),
            ("programs", |bench| decisions::encodings(&solvers::installed(), bench)),
        ],
    )
}
