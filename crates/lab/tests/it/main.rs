//! Tests of experiments, comparisons and the benchmark set.

#![allow(clippy::panic, reason = "a test reports what it found that way")]

mod bench;
mod clusters;
mod experiments;
mod grid_bound;
mod replay;
