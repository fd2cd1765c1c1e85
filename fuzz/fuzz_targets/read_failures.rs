//! Any bytes read as a trace of failures.
#![no_main]

use gridsat_grid::failure::read_trace;
use gridsat_model::Scale;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for origin in [None, Some(1_000)] {
        if let Err(error) = read_trace(&mut &*bytes, origin, Scale::new(9).expect("few")) {
            assert_eq!(error.to_string().lines().count(), 1);
        }
    }
});
