//! An observer that ends a simulation.

use gridsat_engine::{Observer, Reports};
use gridsat_model::Stop;

/// Looks at nothing but whether to stop: what is then left half done is not kept.
pub struct Until<'a>(pub &'a Stop);

impl<S: Reports> Observer<S> for Until<'_> {
    fn wants_end(&self) -> bool {
        self.0.is_requested()
    }
}
