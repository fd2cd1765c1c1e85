//! An observer that ends a simulation on request.

use gridsat_engine::{Observer, Reports};
use gridsat_model::Stop;

/// Ends the simulation when a stop is requested; incomplete results are not kept. Nothing is reported
/// to it.
pub struct Until<'a>(pub &'a Stop);

impl<S: Reports> Observer<S> for Until<'_> {
    fn wants_end(&self) -> bool {
        self.0.is_requested()
    }

    fn follows_events(&self) -> bool {
        false
    }

    fn follows_jobs(&self) -> bool {
        false
    }
}
