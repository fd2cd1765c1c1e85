//! Optima and their proofs, end to end: found, written, damaged, checked here and by other
//! programs.

#![allow(clippy::panic, reason = "a test reports what it found that way")]

mod cases;
mod closed;
mod damage;
mod damaged;
mod fillings;
mod optimum;
mod part;
mod round_trip;
mod search;
mod second_checker;
mod speeds;
mod tree;
