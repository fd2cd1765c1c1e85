//! Heuristics, searches, generated instances and utility matrices.

#![allow(clippy::panic, reason = "a test reports what it found that way")]

mod generate;
mod mapping;
mod search;
mod utility;
