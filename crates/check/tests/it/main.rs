//! The checker: valid certificates are accepted, damaged ones rejected.

#![allow(clippy::panic, reason = "a test reports what it found that way")]

mod certificates;
mod formulas;
mod plain;
mod refuter;
mod rules;
mod unsat;
mod windows;
