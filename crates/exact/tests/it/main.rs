//! Bounds and cases against brute force.

#![allow(clippy::panic, reason = "a test reports what it found that way")]

mod bounds;
mod case_sat;
mod prices;
mod sat_strategy;
mod threads;
