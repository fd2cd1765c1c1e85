//! Any bytes read as results of an experiment or a campaign.
#![no_main]

mod file;

use gridsat_lab::campaign::read_results;
use gridsat_lab::experiment::Results;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let path = file::with(bytes, "results.jsonl");
    if let Err(error) = Results::read(&path) {
        assert_eq!(error.to_string().lines().count(), 1);
    }
    if let Err(error) = read_results(&[&path]) {
        assert_eq!(error.to_string().lines().count(), 1);
    }
});
