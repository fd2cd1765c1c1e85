//! Minimum Execution Time: each task goes to the host that runs it fastest, however loaded. O(n·m).

use super::{Heuristic, OnLine, Problem};
use gridsat_model::{HostId, TaskId};

/// Minimum Execution Time.
pub struct Met;

impl Heuristic for Met {
    fn name(&self) -> &'static str {
        "met"
    }

    fn title(&self) -> &'static str {
        "MET"
    }

    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)> {
        OnLine::Met.assign(problem)
    }
}
