//! The mappings from which searches start.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use std::fmt;

use crate::{Heuristic, MinMin, Problem};
use gridsat_model::{HostId, Instance, Mapping, Stop, TaskId};

/// The mapping a search starts from.
#[derive(Clone, Copy)]
pub enum Start {
    /// Each task on one of its hosts, all equally likely.
    Random,
    /// The mapping of a heuristic.
    By(&'static dyn Heuristic),
}

impl Start {
    /// The mapping of Min-Min.
    pub const MIN_MIN: Self = Self::By(&MinMin);

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
        self.map_problem(&Problem { stop: stop.clone(), ..Problem::of(instance) }, random)
    }

    /// The mapping of a problem of queues without a time limit, whose sites, levels and idle times
    /// the heuristic may use; `None` if it was stopped before every task had a host.
    pub fn map_problem(self, problem: &Problem, random: &mut ChaCha8Rng) -> Option<Mapping> {
        match self {
            Self::Random => Some(random_mapping(problem.instance, random)),
            Self::By(heuristic) => heuristic.map_problem(problem),
        }
    }

    /// The name of the heuristic, or `random`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::By(heuristic) => heuristic.name(),
        }
    }
}

impl PartialEq for Start {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Start {}

impl fmt::Debug for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Start({})", self.name())
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
