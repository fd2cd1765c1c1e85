//! Models of the grid simulator compared with plain twins, and logs of whole runs.

#![allow(clippy::panic, reason = "a test reports what it found that way")]

mod golden;
mod local_load;
mod network;
