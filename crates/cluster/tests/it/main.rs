//! The cluster simulator: runs by hand, what policies promise, and the page that plays a run back.

#![allow(clippy::panic, reason = "a test reports what it found that way")]

mod policies;
mod runs;
mod view;
