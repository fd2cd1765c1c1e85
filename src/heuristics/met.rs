//! Minimum Execution Time: each task goes to the host that runs it fastest, however loaded. O(n·m).

use super::{Heuristic, partial::Partial};
use crate::model::{Instance, Mapping};

/// Minimum Execution Time.
pub struct Met;

impl Heuristic for Met {
    fn name(&self) -> &'static str {
        "met"
    }

    fn title(&self) -> &'static str {
        "MET"
    }

    fn map(&self, instance: &Instance) -> Mapping {
        Partial::in_order(instance, |_, time| time)
    }
}
