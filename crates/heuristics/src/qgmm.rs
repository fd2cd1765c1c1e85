//! QoS-guided Min-Min (He, Sun and von Laszewski 2003; Rhodes' thesis, figures 4.1 and 4.3):
//! Min-Min for the tasks of the highest level of service, then for those of the next, and so on, so
//! that tasks with a choice of hosts do not take hosts from tasks without.
//!
//! Under a time limit the next level begins only when all tasks of a level are assigned or can
//! never be: lower levels do not start because the hosts of a higher level are busy (erratum E19).

use super::{Heuristic, Partial, Problem, heuristic::named, min_min};
use gridsat_model::{HostId, TaskId};

/// The heuristic QoS-guided Min-Min.
pub struct Qgmm;

impl Heuristic for Qgmm {
    named!("qgmm", "QoS-guided Min-Min");

    fn assign(&self, problem: &Problem) -> Vec<(TaskId, HostId)> {
        let level = |task: &TaskId| problem.levels[task.index()];
        let mut tasks: Vec<TaskId> = problem.instance.tasks().collect();
        tasks.sort_by_key(|task| std::cmp::Reverse(level(task)));
        let mut partial = Partial::new(problem);
        for same in tasks.chunk_by(|one, other| level(one) == level(other)) {
            min_min::assign_some(&mut partial, same.iter().copied());
        }
        partial.finish()
    }
}
