//! Traces of parallel jobs, strictly and leniently.
#![no_main]

use gridsat_workload::swf::{Reader, Rules};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for rules in [Rules::Archive, Rules::Lenient] {
        let read = Reader::new(bytes, "fuzz", rules).and_then(|mut reader| {
            while reader.entry()?.is_some() {}
            Ok(())
        });
        if let Err(error) = read {
            assert_eq!(error.to_string().lines().count(), 1);
        }
    }
});
