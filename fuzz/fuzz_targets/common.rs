//! Properties that must hold for any bytes given to a reader.

use gridsat_model::io::{Format, ReadOptions, parse, write_json};

/// Reads the bytes, with and without given sizes. An accepted instance must read back the same from
/// its canonical JSON; an error must be printed on one line.
pub fn check(bytes: &[u8], format: Format) {
    let given = ReadOptions { tasks: Some(2), ..ReadOptions::default() };
    for options in [ReadOptions::default(), given] {
        match parse(bytes, "fuzz", format, &options) {
            Ok(instance) => {
                let mut text = Vec::new();
                write_json(&instance, &mut text).expect("memory takes all");
                let again = parse(&text, "fuzz", Format::Json, &options).expect("canonical");
                assert_eq!(again, instance);
            }
            Err(error) => assert_eq!(error.to_string().lines().count(), 1),
        }
    }
}
