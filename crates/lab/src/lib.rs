//! Measurements with gridsat: experiments with replications, published claims judged by them, the
//! benchmark set, campaigns beside other solvers, comparisons of algorithms and policies, and
//! reports of results; and work in parts on other machines.
//!
//! This crate may depend on every other library crate of the workspace; only the program and the
//! façade of the library depend on it.

pub mod bench;
pub mod campaign;
pub mod claims;
pub mod compare;
pub mod experiment;
mod lines;
pub mod parts;
pub mod report;
mod until;
