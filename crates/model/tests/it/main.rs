//! Tests of instance files.

#![allow(clippy::panic, reason = "a test reports what it found that way")]

mod io;
