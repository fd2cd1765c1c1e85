//! Answers of SAT, pseudo-Boolean and mixed-integer solvers.
#![no_main]

use gridsat_exact::export::Answer;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Err(error) = Answer::parse(text) {
        assert_eq!(error.to_string().lines().count(), 1);
    }
});
