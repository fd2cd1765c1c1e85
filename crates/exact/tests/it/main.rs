//! Bounds, kernels and SAT back ends against brute force.

#![allow(clippy::panic, reason = "a test reports what it found that way")]

mod bounds;
mod kernel_sat;
mod prices;
mod solvers;
