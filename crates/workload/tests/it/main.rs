//! Tests of workloads: users, models and traces.

#![allow(clippy::panic, reason = "a test reports what it found that way")]

mod models;
mod swf;
mod users;
