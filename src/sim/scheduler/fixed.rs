//! A mapping made before the simulation.

use std::collections::HashMap;

use super::{Assignment, Mapper, MapperError, Target, View};
use crate::sim::ResourceId;

/// Sends job number i, in order of arrival, to resource i of the list.
pub struct Fixed(pub Vec<ResourceId>);

impl Mapper for Fixed {
    fn name(&self) -> String {
        "fixed".to_owned()
    }

    fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError> {
        let targets = view.scheduler.targets.iter().enumerate();
        let hosts: HashMap<ResourceId, usize> = targets
            .filter_map(|(host, target)| match target {
                Target::Resource(id) => Some((*id, host)),
                Target::Scheduler(_) => None,
            })
            .collect();
        let assign = |job: usize| {
            let number = view.job(job).number;
            let resource = usize::try_from(number).ok().and_then(|index| self.0.get(index));
            let host = resource.and_then(|resource| hosts.get(resource)).copied();
            let host = host.ok_or_else(|| MapperError(format!("job {number} is not mapped")))?;
            Ok(Assignment { job, host })
        };
        (0..view.job_count()).map(assign).collect()
    }
}
