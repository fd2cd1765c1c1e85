//! Opportunistic Load Balancing: each task, in order, goes to the host that is free first, however
//! slow it is there. O(n·m).

use super::{Heuristic, OnLine, Problem};
use gridsat_model::{HostId, TaskId};

/// Opportunistic Load Balancing.
pub struct Olb;

impl Heuristic for Olb {
    fn name(&self) -> &'static str {
        "olb"
    }

    fn title(&self) -> &'static str {
        "OLB"
    }

    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)> {
        OnLine::Olb.assign(problem)
    }
}
