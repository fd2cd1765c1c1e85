//! Any bytes read as P||Cmax text: an instance that reads back the same, or an error of one line.
#![no_main]

#[path = "common.rs"]
mod common;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| common::check(bytes, gridsat_model::io::Format::Pcmax));
