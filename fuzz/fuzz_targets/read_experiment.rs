//! Any text read as an experiment, in TOML and JSON. Nothing is run.
#![no_main]

use std::path::Path;

use gridsat_lab::experiment::{Changes, Experiment};
use gridsat_scenario::Syntax;

libfuzzer_sys::fuzz_target!(|text: &str| {
    for syntax in [Syntax::Toml, Syntax::Json] {
        let folder = Path::new("no-such-folder");
        if let Err(error) = Experiment::parse(text, syntax, "fuzz", folder, &Changes::default()) {
            assert_eq!(error.to_string().lines().count(), 1);
        }
    }
});
