//! What every mapping heuristic offers.

use super::Problem;
use gridsat_model::{HostId, Instance, Mapping, Stop, TaskId};

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
    ///
    /// One that may take long asks `problem.stop` now and then and gives back what it has; the rest
    /// is then thrown away.
    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)>;

    /// Maps every task. Every instance has a mapping, so this cannot fail.
    fn map(&self, instance: &Instance) -> Mapping {
        let mapping = self.map_unless(instance, &Stop::never());
        mapping.expect("without a limit each task gets a possible host")
    }

    /// The same; `None` if it was stopped before every task had a host.
    fn map_unless(&self, instance: &Instance, stop: &Stop) -> Option<Mapping> {
        const NOWHERE: HostId = HostId(u32::MAX);
        let mut hosts = vec![NOWHERE; instance.task_count()];
        let problem = Problem { stop: stop.clone(), ..Problem::of(instance) };
        for (task, host) in self.assign(&problem) {
            hosts[task.index()] = host;
        }
        let is_stopped = stop.is_due() && hosts.contains(&NOWHERE);
        (!is_stopped).then(|| Mapping::new(instance, hosts).expect("possible hosts"))
    }
}
