//! What the algorithms of a world have in common, worked out once: the first that needs it makes
//! it, the others wait. It depends on the settings and the seed only, so no value depends on who
//! came first.

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
    /// Does something in a world.
    pub fn within<R>(
        &self,
        seed: u64,
        make: impl FnOnce() -> Result<T, SubjectError>,
        then: impl FnOnce(&T) -> Result<R, SubjectError>,
    ) -> Result<R, SubjectError> {
        // Nothing that can panic happens under the lock.
        let mut worlds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let world = Arc::clone(worlds.entry(seed).or_default());
        drop(worlds);
        let world = world.get_or_init(|| make().map_err(Arc::new)).as_ref();
        then(world.map_err(|error| SubjectError::World(Arc::clone(error)))?)
    }
}
