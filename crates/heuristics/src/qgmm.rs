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

#[cfg(test)]
mod tests {
    use super::*;
    use gridsat_model::{Instance, Levels, Ticks};

    fn mapped(instance: &Instance) -> (Vec<HostId>, Ticks) {
        let mapping = Qgmm.map(instance);
        (mapping.hosts().to_vec(), mapping.makespan())
    }

    /// Both hosts offer the level of both tasks, so no pair is forbidden and only the levels say
    /// which task comes first.
    #[test]
    fn the_highest_level_of_the_file_comes_first() {
        let plain = Instance::from_rows([[4, 5], [2, 6]]).expect("valid");
        // Min-Min: task 1 to host 0 until 2, then task 0 to host 1 until 5.
        assert_eq!(mapped(&plain), (vec![HostId(1), HostId(0)], Ticks(5)));
        let levels = |tasks: &[u32]| Levels { tasks: tasks.to_vec(), hosts: vec![1, 1] };
        let guided = plain.clone().with_levels(levels(&[1, 0])).expect("possible");
        // Task 0 to host 0 until 4, then task 1 there until 6, as early as on host 1.
        assert_eq!(mapped(&guided), (vec![HostId(0), HostId(0)], Ticks(6)));
        let equal = plain.clone().with_levels(levels(&[1, 1])).expect("possible");
        assert_eq!(mapped(&equal), mapped(&plain));
    }

    /// Without levels the number of forbidden hosts takes their place; with them it does not count.
    #[test]
    fn levels_replace_the_count_of_forbidden_hosts() {
        let rows = [[Some(4), Some(5), None], [Some(2), Some(6), Some(9)]];
        let counted = Instance::from_rows(rows).expect("valid");
        assert_eq!(mapped(&counted), (vec![HostId(0), HostId(0)], Ticks(6)));
        let levels = Levels { tasks: vec![0, 0], hosts: vec![0, 0, 0] };
        let levelled = counted.with_levels(levels).expect("possible");
        assert_eq!(mapped(&levelled), (vec![HostId(1), HostId(0)], Ticks(5)));
    }
}
