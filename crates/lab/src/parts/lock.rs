//! One driver at a time on a plan.
//!
//! Workers need no lock. Two drivers would submit every part twice, and the first to end might
//! remove the folder while the other still needs it.

use std::fs::{File, TryLockError};

use super::{PartsError, Plan};

/// Kept for as long as a driver is at work; the system takes it back even from a killed process.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "it is locked while it is open")] File);

impl Lock {
    pub fn new(plan: &Plan) -> Result<Self, PartsError> {
        let path = plan.folder().join("lock");
        let file = File::create(&path).map_err(PartsError::write(&path))?;
        match file.try_lock() {
            // Some file systems do not support locks; that is ignored.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => {
                Err(PartsError::Locked { path: plan.folder().to_owned() })
            }
        }
    }
}
