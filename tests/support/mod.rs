//! What several test files share: tiny instances with brute force, and the binary.

#![allow(dead_code, unused_imports, reason = "each test file uses a part of it")]

pub mod program;
pub mod search;
pub mod tiny;
