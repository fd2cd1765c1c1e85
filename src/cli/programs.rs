//! Programs as heuristics: `cmd:python3 mine.py` in a list of names.

use anyhow::anyhow;

use super::exit::Failure;

/// Fails if a program did not answer as it should.
pub fn check() -> Result<(), Failure> {
    match gridsat_outside::failure() {
        Some(message) => Err(Failure::BadInput(anyhow!(message))),
        None => Ok(()),
    }
}
