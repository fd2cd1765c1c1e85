//! Minimum Completion Time: each task, in order, goes to the host that would finish it first, given
//! the tasks before it. O(n·m).

use super::{Heuristic, OnLine, Problem};
use gridsat_model::{HostId, TaskId};

/// Minimum Completion Time.
pub struct Mct;

impl Heuristic for Mct {
    fn name(&self) -> &'static str {
        "mct"
    }

    fn title(&self) -> &'static str {
        "MCT"
    }

    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)> {
        OnLine::Mct.assign(problem)
    }
}
