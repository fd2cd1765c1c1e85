//! Mappings to start from.
#![no_main]

use gridsat_model::Instance;
use gridsat_model::io::parse_mapping;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let json = r#"{"etc": [[4, 7], [3, 5]], "tasks": ["x", "y"], "hosts": ["a", "b"]}"#;
    let instance: Instance = json.parse().expect("valid");
    match parse_mapping(&instance, bytes, "fuzz") {
        Ok(mapping) => assert_eq!(mapping.hosts().len(), 2),
        Err(error) => assert_eq!(error.to_string().lines().count(), 1),
    }
});
