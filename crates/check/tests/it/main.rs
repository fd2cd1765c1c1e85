//! The checker: valid certificates are accepted, damaged ones rejected.

#![allow(clippy::panic, reason = "a test reports what it found that way")]

mod certificates;
mod formulas;
mod plain;
mod refuter;
mod rules;
mod unsat;
mod windows;

/// How many certificates a test tries: its own number, unless `GRIDSAT_CERTIFICATES` gives one.
fn certificates(usual: u64) -> u64 {
    let given = std::env::var("GRIDSAT_CERTIFICATES").ok();
    given.map_or(usual, |given| given.parse().expect("a number of certificates"))
}
