//! Data that the algorithms of a world share, computed once: the first that needs them computes
//! them, the others wait. They depend only on the settings and the seed, so no value depends on
//! which came first.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::SubjectError;

/// Worlds by seed.
pub(super) struct Worlds<T>(Mutex<HashMap<u64, Arc<World<T>>>>);

type World<T> = OnceLock<Result<T, Arc<SubjectError>>>;

impl<T> Default for Worlds<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Worlds<T> {
    /// Calls a function with the world of a seed, which is made if necessary.
    pub fn within<R>(
        &self,
        seed: u64,
        make: impl FnOnce() -> Result<T, SubjectError>,
        then: impl FnOnce(&T) -> Result<R, SubjectError>,
    ) -> Result<R, SubjectError> {
        // No code under the lock can panic.
        let mut worlds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let world = Arc::clone(worlds.entry(seed).or_default());
        drop(worlds);
        let world = world.get_or_init(|| make().map_err(Arc::new)).as_ref();
        then(world.map_err(|error| SubjectError::World(Arc::clone(error)))?)
    }
}
