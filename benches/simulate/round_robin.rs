//! Assigns jobs to hosts in turn: the scheduler of W3.

use gridsat_grid::{Assignment, Mapper, MapperError, View};
use gridsat_model::HostId;

/// The host of the next job.
#[derive(Default)]
pub struct RoundRobin {
    next: u32,
}

impl Mapper for RoundRobin {
    fn name(&self) -> String {
        "round-robin".to_owned()
    }

    fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError> {
        let mut made = Vec::new();
        self.decide_into(view, &mut made)?;
        Ok(made)
    }

    fn decide_into(
        &mut self,
        view: &View<'_>,
        made: &mut Vec<Assignment>,
    ) -> Result<(), MapperError> {
        for job in view.jobs() {
            made.push(Assignment { job, host: HostId(self.next) });
            self.next = (self.next + 1) % view.host_count() as u32;
        }
        Ok(())
    }
}
