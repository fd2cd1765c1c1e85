//! Logs of test and job runners.
#![no_main]

use gridsat_tasks::{Format, Log, Missing, TaskList, etc_from};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let formats = Format::ALL.into_iter().map(Some).chain([None]);
    for log in formats.map(|format| Log::parse(bytes, "fuzz", format)) {
        match log {
            Ok(log) => {
                assert!(!TaskList::of(std::slice::from_ref(&log)).tasks().is_empty());
                let _ = etc_from(&[("h".to_owned(), log)], Missing::Guess);
            }
            Err(error) => assert_eq!(error.to_string().lines().count(), 1),
        }
    }
});
