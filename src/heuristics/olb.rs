//! Opportunistic Load Balancing: each task, in order, goes to the host that is free first, however
//! slow it is there. O(n·m).

use super::{Heuristic, partial::Partial};
use crate::model::{Instance, Mapping};

/// Opportunistic Load Balancing.
pub struct Olb;

impl Heuristic for Olb {
    fn name(&self) -> &'static str {
        "olb"
    }

    fn title(&self) -> &'static str {
        "OLB"
    }

    fn map(&self, instance: &Instance) -> Mapping {
        Partial::in_order(instance, |load, _| load)
    }
}
