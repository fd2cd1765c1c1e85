//! What is measured with gridsat: experiments with replications, published claims judged by them,
//! the benchmark set, comparisons of algorithms and policies, and reports of results.
//!
//! Not here: how anything is solved, simulated or proven. This crate may name every other library
//! crate of the workspace, and only the front of the program and of the library names it.

pub mod bench;
pub mod claims;
pub mod compare;
pub mod experiment;
pub mod report;
mod until;
