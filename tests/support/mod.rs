//! What several test files share: tiny instances with brute force, and the binary.

#![allow(dead_code, reason = "each test file uses a part of it")]
#![allow(clippy::panic, reason = "that is how a test says what it found")]

pub mod cases;
pub mod damage;
pub mod grid;
pub mod search;
