//! Shared by the tests of several crates: tiny instances with brute force, the program in a
//! temporary folder, and data and programs outside the repository.
//!
//! Depends on no crate above the model, so that the tests of every crate may use it.

#![allow(clippy::panic, reason = "a test reports what it found that way")]
#![allow(missing_docs, reason = "short names of tests, read where they are used")]

pub mod braun;
pub mod browser;
pub mod lrat;
pub mod mutate;
pub mod outside;
pub mod program;
pub mod schema;
pub mod tiny;

use std::path::{Path, PathBuf};

/// The content of a file of `tests/data`.
pub fn example(name: &str) -> String {
    let path = project("tests/data").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The path of a file of the repository.
pub fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}
