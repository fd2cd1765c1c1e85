//! Any bytes read as a file of jobs, in CSV and JSON lines.
#![no_main]

mod file;

use gridsat_scenario::{Scenario, Syntax};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for name in ["jobs.csv", "jobs.jsonl"] {
        let path = file::with(bytes, name);
        let folder = path.parent().expect("a file is in a folder");
        let text = format!("[[resource]]\nmips = 1\n[[job_file]]\nfile = '{name}'\n");
        if let Err(error) = Scenario::parse(&text, Syntax::Toml, "fuzz", folder) {
            assert_eq!(error.to_string().lines().count(), 1);
        }
    }
});
