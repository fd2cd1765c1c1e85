//! The interface of mapping heuristics.

use super::Problem;
use gridsat_model::{HostId, Instance, Mapping, Stop, TaskId};

/// Implements the names of a heuristic that has only one form.
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

/// A fast, deterministic method that assigns tasks to hosts.
pub trait Heuristic: Sync {
    /// The name on the command line: lower case, words joined by hyphens.
    fn name(&self) -> &'static str;

    /// The name in the literature.
    fn title(&self) -> &'static str;

    /// Assigns tasks, in the order returned: all of them except those that no host can ever
    /// complete and those that the time limit leaves for later.
    ///
    /// A heuristic that may take long checks `problem.stop` regularly and returns what it has; the
    /// caller then discards it.
    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)>;

    /// Maps every task. Every instance has a mapping, so this cannot fail.
    fn map(&self, instance: &Instance) -> Mapping {
        let mapping = self.map_unless(instance, &Stop::never());
        mapping.expect("without a limit each task gets a possible host")
    }

    /// Like `map`; `None` if it was stopped before every task had a host.
    fn map_unless(&self, instance: &Instance, stop: &Stop) -> Option<Mapping> {
        self.map_problem(&Problem { stop: stop.clone(), ..Problem::of(instance) })
    }

    /// Maps every task of a problem of queues that has no time limit; `None` if it was stopped
    /// before every task had a host.
    fn map_problem(&self, problem: &Problem) -> Option<Mapping> {
        const NOWHERE: HostId = HostId(u32::MAX);
        let mut hosts = vec![NOWHERE; problem.instance.task_count()];
        for (task, host) in self.assign(problem) {
            hosts[task.index()] = host;
        }
        let is_stopped = problem.stop.is_due() && hosts.contains(&NOWHERE);
        (!is_stopped).then(|| Mapping::new(problem.instance, hosts).expect("possible hosts"))
    }
}
