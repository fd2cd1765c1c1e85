//! Tests of scenario files, valid and invalid, and of their simulations.

#![allow(clippy::panic, reason = "a test reports what it found that way")]

mod bad;
mod breakage;
mod clusters;
mod data;
mod economy;
mod failures;
mod grid;
mod information;
mod lost;
mod machines;
mod optimal_policy;
mod pacing;
mod passing;
mod reference;
mod rescheduling;
mod reservation;
mod scenarios;
mod searched_policy;
mod sorted;
mod traces;
mod wrong;
