//! The mappings from which searches start.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::{Heuristic, MinMin, OnLine, Sufferage};
use gridsat_model::{HostId, Instance, Mapping, Stop, TaskId};

/// The mapping a search starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Each task on one of its hosts, all equally likely.
    Random,
    /// The mapping of Min-Min.
    MinMin,
    /// The mapping of Sufferage.
    Sufferage,
    /// The mapping of MCT, tasks in their order.
    Mct,
}

impl Start {
    /// The mapping. Only [`Start::Random`] uses random numbers.
    pub fn map(self, instance: &Instance, random: &mut ChaCha8Rng) -> Mapping {
        let mapping = self.map_unless(instance, random, &Stop::never());
        mapping.expect("nothing stops it")
    }

    /// Like `map`; `None` if it was stopped before every task had a host.
    pub fn map_unless(
        self,
        instance: &Instance,
        random: &mut ChaCha8Rng,
        stop: &Stop,
    ) -> Option<Mapping> {
        match self {
            Self::Random => Some(random_mapping(instance, random)),
            Self::MinMin => MinMin.map_unless(instance, stop),
            Self::Sufferage => Sufferage.map_unless(instance, stop),
            Self::Mct => OnLine::Mct.map_unless(instance, stop),
        }
    }
}

fn random_mapping(instance: &Instance, random: &mut ChaCha8Rng) -> Mapping {
    let hosts = instance.tasks().map(|task| random_host(instance, task, random)).collect();
    Mapping::new(instance, hosts).expect("possible pairs")
}

/// A random host among those that can run the task.
pub(super) fn random_host(instance: &Instance, task: TaskId, random: &mut ChaCha8Rng) -> HostId {
    let m = instance.host_count();
    // Most tasks can run on nearly every host, so the first draw usually succeeds.
    let tried = HostId(random.random_range(0..m as u32));
    if instance.time(task, tried).is_some() {
        return tried;
    }
    let possible = instance.times(task).count();
    let chosen = instance.times(task).nth(random.random_range(0..possible));
    chosen.expect("every task can run somewhere").0
}

/// A random task.
pub(super) fn random_task(instance: &Instance, random: &mut ChaCha8Rng) -> TaskId {
    TaskId(random.random_range(0..instance.task_count() as u32))
}
