//! Any bytes read as hcsp: an instance that survives being written, or one line of complaint.
#![no_main]

#[path = "common.rs"]
mod common;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| common::check(bytes, gridsat_model::io::Format::Hcsp));
