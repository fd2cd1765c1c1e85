//! Experiments, published claims, the benchmark set, comparisons and reports.

pub mod bench;
pub mod claims;
pub mod compare;
pub mod experiment;
pub mod report;
