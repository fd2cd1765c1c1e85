//! What every mapping heuristic offers.

use super::Problem;
use gridsat_model::{HostId, Instance, Mapping, TaskId};

/// The names of a heuristic that has but one form.
macro_rules! named {
    ($name:literal, $title:literal) => {
        fn name(&self) -> &'static str {
            $name
        }

        fn title(&self) -> &'static str {
            $title
        }
    };
}
pub(super) use named;

/// A way to assign tasks quickly. Deterministic.
pub trait Heuristic: Sync {
    /// The name on the command line: lower case, no punctuation.
    fn name(&self) -> &'static str;

    /// The name in the literature.
    fn title(&self) -> &'static str;

    /// Assigns tasks, in the order given back: all of them, but for those that no host could ever
    /// complete and those that the time limit leaves for later.
    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)>;

    /// Maps every task. Every instance has a mapping, so this cannot fail.
    fn map(&self, instance: &Instance) -> Mapping {
        let mut hosts = vec![HostId(u32::MAX); instance.task_count()];
        for (task, host) in self.assign(&Problem::of(instance)) {
            hosts[task.index()] = host;
        }
        Mapping::new(instance, hosts).expect("without a limit each task gets a possible host")
    }
}
