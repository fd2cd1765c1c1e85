//! Plans beside a result: what `experiment` and `campaign` do, on every engine.
//!
//! The parts are in the folder `RESULT.parts`. On this machine it is removed at the end; with other
//! engines it stays, because of the logs and scripts in it.

mod campaign;
mod experiment;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use gridsat_model::Stop;

use super::engine::{Engine, Watch};
use super::{PartsError, Sizes};
use crate::campaign::Program;

pub use campaign::{EndedCampaign, run as campaign};
pub use experiment::{EndedExperiment, run as experiment};

/// Parts of an experiment on this machine, if there are enough runs: few enough that their files
/// cost nothing, enough that an interrupt loses little.
const PARTS: usize = 128;
/// Parts for each thread at least, so that all threads end at about the same time.
const PARTS_OF_THREAD: usize = 16;

/// Who works on the parts, and how.
pub struct Working<'a> {
    /// This program.
    pub program: &'a Program,
    /// Who works on parts.
    pub engine: &'a mut dyn Engine,
    /// The size of the parts of a new plan.
    pub sizes: Sizes,
    /// Whether the folder of the parts stays at the end.
    pub keep: bool,
    /// Ends the work.
    pub stop: &'a Stop,
    /// Sees the progress.
    pub watch: &'a dyn Watch,
}

/// The size of the parts of an experiment in this many threads. Runs are not measured before.
pub fn local_sizes(threads: usize) -> Sizes {
    let parts = PARTS.max(threads.saturating_mul(PARTS_OF_THREAD));
    Sizes { parts: Some(parts), ..Sizes::default() }
}

/// The folder of the parts of a result.
pub fn folder_of(result: &Path) -> PathBuf {
    let mut name = OsString::from(result);
    name.push(".parts");
    PathBuf::from(name)
}

/// Removes a plan and all its parts; a folder without a plan is not ours.
fn remove(folder: &Path) -> Result<(), PartsError> {
    if !folder.join("plan.json").exists() {
        return Ok(());
    }
    fs::remove_dir_all(folder).map_err(PartsError::write(folder))
}
