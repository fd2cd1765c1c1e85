//! Scenarios of grids and clusters, in TOML and JSON. None is run; files they name are not there.
#![no_main]

use std::path::Path;

use gridsat_scenario::{AnyScenario, Keys, Policies, Syntax};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for syntax in [Syntax::Toml, Syntax::Json] {
        let keys = Keys::parse(text, syntax, "fuzz", Path::new("/nowhere"));
        if let Err(error) = AnyScenario::of(keys, &Policies::built_in()) {
            assert_eq!(error.to_string().lines().count(), 1);
        }
    }
});
