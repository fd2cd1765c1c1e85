//! Tests of the cluster simulator: runs computed by hand, guarantees of the policies, failures
//! and reservations, and the
//! playback page.

#![allow(clippy::panic, reason = "a test reports what it found that way")]

mod dynamics;
mod policies;
mod runs;
mod view;
