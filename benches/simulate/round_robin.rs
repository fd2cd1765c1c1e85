//! Jobs to hosts in turn, which is all W3 asks of a scheduler.

use gridsat_grid::{Assignment, Mapper, MapperError, View};

/// Where the next job goes.
#[derive(Default)]
pub struct RoundRobin {
    next: usize,
}

impl Mapper for RoundRobin {
    fn name(&self) -> String {
        "round-robin".to_owned()
    }

    fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError> {
        let assign = |job| {
            let host = self.next;
            self.next = (self.next + 1) % view.host_count();
            Assignment { job, host }
        };
        Ok((0..view.job_count()).map(assign).collect())
    }
}
