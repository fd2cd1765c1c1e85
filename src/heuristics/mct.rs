//! Minimum Completion Time: each task, in order, goes to the host that would finish it first, given
//! the tasks before it. O(n·m).

use super::{Heuristic, partial::Partial};
use crate::model::{Instance, Mapping};

/// Minimum Completion Time.
pub struct Mct;

impl Heuristic for Mct {
    fn name(&self) -> &'static str {
        "mct"
    }

    fn title(&self) -> &'static str {
        "MCT"
    }

    fn map(&self, instance: &Instance) -> Mapping {
        Partial::in_order(instance, |load, time| load + time)
    }
}
