//! Certificates and mappings as text, for an instance whose optimum is known.
#![no_main]

use std::path::Path;

use gridsat_check::verify::{Claim, FileVerdict};
use gridsat_model::{Instance, Ticks};

/// Five tasks of 3 on two equal hosts.
const OPTIMUM: Ticks = Ticks(9);

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = String::from_utf8(bytes.to_vec()) else { return };
    let instance = Instance::from_rows([[3, 3]; 5]).expect("valid");
    let claim = Claim::of(Path::new("fuzz.json"), text);
    let _ = (claim.rules(), claim.rounded_decimals(), claim.certificate());
    match claim.verify(&instance) {
        Ok(verdict) => {
            assert!(verdict.makespan() >= OPTIMUM);
            if let FileVerdict::Certificate(accepted) = verdict {
                assert!(accepted.lower_bound() <= OPTIMUM);
            }
        }
        Err(error) => assert_eq!(error.to_string().lines().count(), 1),
    }
});
