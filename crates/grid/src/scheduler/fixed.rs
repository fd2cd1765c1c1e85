//! Replay of a given mapping.

use std::collections::HashMap;

use super::{Assignment, JobIndex, Mapper, MapperError, Target, View};
use crate::ResourceId;
use gridsat_model::HostId;

/// Sends job number i, in order of arrival, to resource i of the list, as soon as that resource is
/// known.
pub struct Fixed(pub Vec<ResourceId>);

impl Mapper for Fixed {
    fn name(&self) -> String {
        "fixed".to_owned()
    }

    fn decide(&mut self, view: &View<'_>) -> Result<Vec<Assignment>, MapperError> {
        let targets = view.scheduler.targets.pairs();
        let hosts: HashMap<ResourceId, HostId> = targets
            .filter_map(|(host, target)| match target {
                Target::Resource(id) => Some((*id, host)),
                Target::Scheduler(_) => None,
            })
            .collect();
        let assign = |job: JobIndex| {
            let number = view.job(job).number;
            let resource = usize::try_from(number).ok().and_then(|index| self.0.get(index));
            let host = resource.and_then(|resource| hosts.get(resource));
            let is_to_come = |id: &ResourceId| view.scheduler.ever_reached().contains(id);
            if host.is_none() && !resource.is_some_and(is_to_come) {
                return Err(MapperError(format!("job {number} is not mapped")));
            }
            Ok(host.map(|&host| Assignment { job, host }))
        };
        view.jobs().filter_map(|job| assign(job).transpose()).collect()
    }
}
